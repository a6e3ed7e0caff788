// Shared by the checks of random_weights, zeros_weights and zeros_biases: each makes one array per
// pair of neighbouring layers.
#pragma once

#include "lanes/mlp/functions.hpp"
#include "notebook/exercise/judge.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace lanes::exercises::layer_check {

using Shape = std::vector<std::size_t>;

std::string words(const Sizes& sizes);

// Sizes of networks, each with a 1 past its end: a loop that runs too far always reads this 1, and
// the message is always the same.
std::vector<Sizes> cases();

void judge_count(notebook::Judge& judge, std::size_t count, const Sizes& sizes, const char* what);
void judge_shape(notebook::Judge& judge, const Shape& got, const Shape& expected,
                 const Sizes& sizes, std::size_t number, const char* what);
void judge_zeros(notebook::Judge& judge, const notebook::Values& got, std::size_t number,
                 const char* what);

// The length of the list and the shape of each array. shape_of(i): of array i.
template <class List, class ShapeOf>
void judge_shapes(notebook::Judge& judge, const List& list, const Sizes& sizes, const char* what,
                  ShapeOf shape_of) {
    judge_count(judge, list.size(), sizes, what);
    for (std::size_t i = 0; i < list.size(); ++i)
        judge_shape(judge, {list[i].shape().begin(), list[i].shape().end()}, shape_of(i), sizes, i,
                    what);
}

}  // namespace lanes::exercises::layer_check
