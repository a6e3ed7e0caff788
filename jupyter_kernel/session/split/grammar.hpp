// The words by which declarations, statements and expressions are told apart. Used by classify.cpp
// and declaration.cpp.
#pragma once

#include "classify.hpp"

#include <initializer_list>

namespace xcpp_session {

bool one_of(const Token& token, std::initializer_list<std::string_view> words);
bool starts_statement(const Token& token);
bool starts_declaration(const Token& token);
bool builtin_type(const Token& token);
bool is_keyword_of_expression(const Token& token);

// A name with its qualifiers: [::] a [<…>] (:: b [<…>])*.
struct QualifiedName {
    std::vector<std::string_view> path;
    std::size_t next = 0;  // the token behind it
    std::size_t last_word = 0;
    bool destructor = false;     // a::~a
    bool operator_name = false;  // a::operator…
    bool ends_in_arguments = false;
};

QualifiedName read_name(const std::vector<Token>& tokens, std::size_t at, const CellNames& names);

}  // namespace xcpp_session
