// Preprocessor lines, without preprocessing: their parts, include guards, and the branches of #if.
#pragma once

#include "session/base/line_origins.hpp"
#include "tokens.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xcpp_session {

struct Directive {
    std::string_view name, rest;  // "include", "\"a.hpp\""
};
Directive directive_of(const Token& token);  // empty if the token is not a directive

struct Include {
    std::string name;
    bool quoted = false;
    std::size_t begin = 0;  // of the name in the line, after its quote or bracket
};
// Nothing where the line includes no file, or one that a macro names.
std::optional<Include> include_of(const Token& token);

bool is_pragma_once(const Token& token);

enum class Branch {
    none,       // any other line
    opens,      // #if, #ifdef, #ifndef
    continues,  // #elif, #else, …
    ends,       // #endif
};
Branch branch_of(const Token& token);
// The line that ends the branch which starts with the one at `at`, or size().
std::size_t next_branch(const Tokens& tokens, std::size_t at);

// Which branches of #if hold is asked of the preprocessor, the others are blanked out, so that what
// remains can be taken apart. taken: given a text of directives only, the numbers N of the `#pragma
// xcpp branch N` in it that were reached.
void blank_other_branches(SourceText& source, const LineOrigins& lines,
                          const std::function<std::vector<int>(const std::string&)>& taken);

// #ifndef NAME, #define NAME, …, #endif: a header says so that it is read once. In a cell, which
// may be edited and run again, or in a header that was edited, it is not meant, and neither is
// #pragma once.
struct Guard {
    std::string name;
    std::size_t first = 0, last = 0;  // tokens of the #ifndef and of its #endif
    bool has_value = false;           // #define SIZE 100
};
// Those that stand in no other condition and hold something, in their order.
std::vector<Guard> guards_in(const Tokens& tokens);

// Blanks the guards out whose macro is defined already, by an earlier run of the cell or by the
// header it was pasted from: the text is to be read. One that stands twice in the cell guards the
// second time; where the macro has a value, a default is meant, and the condition stays.
void blank_guards(SourceText& source, const std::function<bool(std::string_view)>& is_macro);

}  // namespace xcpp_session
