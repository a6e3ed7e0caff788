// Lesson 09: a data loader for training, or for validation and test.
#pragma once

#include "lanes/data/data_loader.hpp"
#include "lanes/data/image_folder.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(MakeLoader, make_loader,
               "lanes::DataLoader<2> make_loader(const lanes::ImageFolder& pictures, bool "
               "training)",
               DataLoader<2>, const ImageFolder&, bool)

}  // namespace lanes::exercises
