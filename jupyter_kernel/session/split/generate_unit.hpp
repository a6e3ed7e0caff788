// From the pieces of a cell to the one text that the compiler sees. Declarations stand in an inline
// namespace of the cell's own (`__c5`), so that a later cell may use the same names; statements
// stand in functions, called by the initialiser of a variable: so they run between the initialisers
// of the cell's variables, in the order in which the cell was written.
#pragma once

#include "cell.hpp"
#include "session/base/line_origins.hpp"

#include <functional>
#include <string>

namespace xcpp_session {

// is_function: an earlier cell has a function of that name; then the new one is announced before
// its body is read, so that overloads of earlier cells are found in it and a replaced one is not.
// unit: counts what was ever compiled, names the namespace; lines: where the lines of `cell` come
// from.
std::string generate_unit(const Cell& cell, int unit, const LineOrigins& lines,
                          const std::function<bool(std::string_view)>& is_function);

}  // namespace xcpp_session
