// Parses one parameter of a __global__ function from its tokens.
#pragma once

#include "lexer.hpp"
#include "signature.hpp"

#include <map>
#include <string>
#include <vector>

namespace lanes::gpu {

using Aliases = std::map<std::string, std::string>;

// The positions of `what` in [first, last) outside all brackets () [] {} <>.
std::vector<std::size_t> at_top(const std::vector<Token>& tokens, std::size_t first,
                                std::size_t last, const char* what);

// [first, last) split at the commas outside all brackets; empty if there are no tokens.
std::vector<std::vector<Token>> split_at_commas(const std::vector<Token>& tokens, std::size_t first,
                                                std::size_t last);

Parameter read_parameter(const std::vector<Token>& tokens, const Aliases& aliases);

}  // namespace lanes::gpu
