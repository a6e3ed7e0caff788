// What a header says so that it is read once: #pragma once, and #ifndef NAME, #define NAME, …,
// #endif. In a cell, which may be edited and run again, or in a header that was edited, neither is
// meant.
#pragma once

#include "tokens.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace xcpp_session {

bool is_pragma_once(std::string_view directive);

// Tokens of the #ifndef and of its #endif.
struct Guard {
    std::string name;
    std::size_t first = 0, last = 0;
    bool has_value = false;  // #define SIZE 100
};
// Those that stand in no other condition and hold something, in their order.
std::vector<Guard> guards_in(const std::vector<Token>& tokens);

// The cell without the guards whose macro is defined already, by an earlier run or by the header it
// was pasted from: its text is to be read. One that stands twice in the cell guards the second
// time; where the macro has a value, a default is meant, and the condition stays.
std::string without_guards(const std::string& code,
                           const std::function<bool(std::string_view)>& is_macro);

}  // namespace xcpp_session
