// Lesson 09: which pictures are kept for validation.
#pragma once

#include "lanes/notebook/exercise.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace lanes::exercises {

struct NameSplit {
    std::vector<std::string> train;
    std::vector<std::string> val;
};

LANES_EXERCISE(SplitNames, split_names,
               "NameSplit split_names(std::vector<std::string> names, std::size_t n)", NameSplit,
               std::vector<std::string>, std::size_t)

}  // namespace lanes::exercises
