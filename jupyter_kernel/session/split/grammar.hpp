// What is told by looking at tokens alone: the words that start declarations, statements and
// expressions, and the parts of a declarator. Used by classify.cpp and declaration.cpp.
#pragma once

#include "classify.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace xcpp_session {

bool starts_statement(const Token& token);
bool starts_declaration(const Token& token);
bool builtin_type(const Token& token);
bool is_keyword_of_expression(const Token& token);

// A name with its qualifiers: [::] a [<…>] (:: b [<…>])*.
struct QualifiedName {
    std::vector<std::string_view> path;
    std::size_t next = 0;        // the token after it
    bool destructor = false;     // a::~a
    bool operator_name = false;  // a::operator…
    bool ends_in_arguments = false;
};
QualifiedName read_name(const Tokens& tokens, std::size_t at, const CellNames& names);

// a::b::c, read backwards from c; ~c counts as c
std::vector<std::string_view> path_to(const Tokens& tokens, std::size_t word);

// Foo x(3, y); against Foo f(int, T);: a literal, an operator or a known variable in the
// parentheses means a variable.
bool looks_like_arguments(const Tokens& tokens, std::size_t name_at, const CellNames& names);

// int (*p)(int), Foo (&r)[3], int (Gear::*q)(), int (*f(int))(double): the word that is declared
// inside the parenthesis at `open`; 0 where that is a list of parameters or arguments. first: where
// the type begins.
std::size_t name_in_parentheses(const Tokens& tokens, std::size_t first, std::size_t open,
                                const CellNames& names);

}  // namespace xcpp_session
