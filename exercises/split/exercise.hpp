// Lesson 06: is a filter the product of a column and a row?
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/notebook/exercise.hpp"

#include <optional>
#include <utility>

namespace lanes::exercises {

using ColumnAndRow = std::optional<std::pair<Matrix, Matrix>>;

LANES_EXERCISE(Split, split,
               "std::optional<std::pair<lanes::Matrix, lanes::Matrix>> split(const lanes::Matrix& "
               "filter)",
               ColumnAndRow, const Matrix&)

}  // namespace lanes::exercises
