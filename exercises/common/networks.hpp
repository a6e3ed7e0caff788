// Shared by the checks of lessons 01 and 01a that take a whole network: random parameters and lists
// of arrays as one list of numbers.
#pragma once

#include "lanes/base/rng.hpp"
#include "lanes/mlp/pass.hpp"
#include "notebook/exercise/judge.hpp"

#include <string>
#include <vector>

namespace lanes::exercises::network_check {

struct Case {
    Sizes sizes;
    std::size_t rows;  // of the batch
};
std::string words(const Case& one);  // "sizes (2, 3, 1), 4 rows"

Matrix random_matrix(std::size_t rows, std::size_t columns, Rng& rng, float low, float high);
Parameters random_parameters(const Sizes& sizes, Rng& rng);

// All numbers, one after the other: weights, then biases.
notebook::Values all_of(const Parameters& parameters);

// One matrix and one vector per layer, of the shapes of `expected`. whose: "gradients".
void judge_shapes(notebook::Judge& judge, const Parameters& got, const Parameters& expected,
                  const std::string& whose);

}  // namespace lanes::exercises::network_check
