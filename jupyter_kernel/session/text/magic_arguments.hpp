// What the first line of a magic says: functions for MagicKind::read (magics.hpp).
#pragma once

#include "magics.hpp"

namespace xcpp_session {

void read_timeit_statement(Magic& magic, std::string_view rest);  // %timeit [-n N] [-r R] statement
void read_timeit_of_cell(Magic& magic, std::string_view rest);    // %%timeit [-n N] [-r R] [set-up]
void read_file_name(Magic& magic, std::string_view rest);         // %%file [-a] name
void read_program_name(Magic& magic, std::string_view rest);      // %%executable name [-- flags]
void read_command(Magic& magic, std::string_view rest);  // %%run [--tag] command [-- arguments]
void use_body(Magic& magic, std::string_view rest);      // the argument is the rest of the cell

// C++ that measures the body of a %timeit or %%timeit: calls xcpp::detail::timeit of the preamble.
// The body starts on the second line, set-up stands on the first; both in the column that they have
// in the cell.
MagicCode timeit_code(const Magic& magic);

}  // namespace xcpp_session
