// Lesson 09: a pretrained network gets a new last layer, the only one that is trained.
#pragma once

#include "lanes/nn/resnet.hpp"
#include "lanes/notebook/exercise.hpp"

#include <cstddef>

namespace lanes::exercises {

LANES_EXERCISE(FreezeAndReplace, freeze_and_replace,
               "void freeze_and_replace(lanes::ResNet& net, std::size_t classes)", void, ResNet&,
               std::size_t)

}  // namespace lanes::exercises
