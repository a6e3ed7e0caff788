// The value of an #if line.
#pragma once

#include "lexer.hpp"

#include <vector>

namespace lanes::gpu {

// Macros and `defined` are replaced already; a name that is left is 0. What cannot be read is
// false.
bool condition_holds(const std::vector<Token>& tokens);

}  // namespace lanes::gpu
