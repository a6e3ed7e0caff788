// Lesson 09: each picture is used for validation once.
#pragma once

#include "lanes/notebook/exercise.hpp"

#include <functional>
#include <vector>

namespace lanes::exercises {

LANES_EXERCISE(CrossValidate, cross_validate,
               "double cross_validate(int pictures, int parts, const std::function<double(const "
               "std::vector<int>& train, const std::vector<int>& val)>& accuracy_of)",
               double, int, int,
               const std::function<double(const std::vector<int>&, const std::vector<int>&)>&)

}  // namespace lanes::exercises
