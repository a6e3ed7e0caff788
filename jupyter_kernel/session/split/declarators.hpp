// Parts of a declaration that are told by looking at their tokens alone.
#pragma once

#include "classify.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace xcpp_session {

// a::b::c, read backwards from c; ~c counts as c
std::vector<std::string_view> path_to(const std::vector<Token>& tokens, std::size_t word);

// Foo x(3, y); against Foo f(int, T);: a literal, an operator or a known variable in the
// parentheses means a variable.
bool looks_like_arguments(const std::vector<Token>& tokens, std::size_t name_at,
                          const CellNames& names);

// int (*p)(int), Foo (&r)[3], int (Gear::*q)(), int (*f(int))(double): the word that is declared
// inside the parenthesis at `open`; 0 where that is a list of parameters or arguments. first: where
// the type begins.
std::size_t name_in_parentheses(const std::vector<Token>& tokens, std::size_t first,
                                std::size_t open, const CellNames& names);

// auto [a, b] = f();  ->  auto [a__xcpp, b__xcpp] = f(); auto&& a = a__xcpp; auto&& b = b__xcpp;
// clang 19 with -fopenmp crashes on a function that uses a structured binding of namespace scope.
// False where there is none.
bool mend_structured_binding(const std::vector<Token>& tokens, std::size_t at, Declaration& found);

}  // namespace xcpp_session
