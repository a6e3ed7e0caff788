// Lesson 08: which device a training runs on.
#pragma once

#include "lanes/lesson/device_training.hpp"
#include "lanes/notebook/exercise.hpp"

#include <string>
#include <vector>

namespace lanes::exercises {

LANES_EXERCISE(ChooseDevice, choose_device,
               "std::string choose_device(const std::vector<lanes::FreeMemory>& gpus, double "
               "needed)",
               std::string, const std::vector<FreeMemory>&, double)

}  // namespace lanes::exercises
