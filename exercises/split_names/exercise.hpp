// Lesson 09: which pictures are kept for validation.
#pragma once

#include "lanes/lesson/transfer_types.hpp"
#include "lanes/notebook/exercise.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace lanes::exercises {

LANES_EXERCISE(
    SplitNames, split_names,
    "lanes::plates::NameSplit split_names(std::vector<std::string> names, std::size_t n)",
    plates::NameSplit, std::vector<std::string>, std::size_t)

}  // namespace lanes::exercises
