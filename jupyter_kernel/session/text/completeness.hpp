// Is the text of a cell whole? Asked by the client (is_complete, Enter in a console) and before
// every parse: clang 19's interpreter loops for ever on text that ends inside a bracket, a string
// or an #if, so such text must never reach it. No compiler takes part: this reads tokens.
#pragma once

#include "tokens.hpp"

#include <string>

namespace xcpp_session {

enum class CompletenessStatus { complete, incomplete, invalid };

struct Completeness {
    CompletenessStatus status = CompletenessStatus::complete;
    std::string indent;   // incomplete: what the next line should start with
    std::string message;  // not complete: what is open or unmatched and where; empty otherwise
    unsigned line = 0;    // of that bracket, quote or directive, from 1
    unsigned column = 0;  // in bytes, from 1

    // Text that ends in an operator or a backslash asks for more, but clang answers it with an
    // error of its own; everything else that is not complete must not be parsed.
    bool may_be_parsed = true;
};

Completeness check_completeness(const SourceText& source);
// The same for a cell, whose magics are passed over.
inline Completeness check_completeness(const std::string& cell) {
    return check_completeness(SourceText(cell, tokenize_cell));
}

}  // namespace xcpp_session
