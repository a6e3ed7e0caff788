// The value of an #if line.
#pragma once

#include "lexer.hpp"

#include <vector>

namespace lanes::gpu {

// Macros and `defined` must have been replaced already; a name that is left counts as 0. A
// condition that cannot be parsed is false.
bool condition_holds(const std::vector<Token>& tokens);

}  // namespace lanes::gpu
