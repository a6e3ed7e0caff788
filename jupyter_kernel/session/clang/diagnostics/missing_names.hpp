// Names that are missing because the cell that would define them has failed. A later cell that uses
// one gets the reason: without it, "undeclared" would be all that a reader of that cell learns.
#pragma once

#include <string>
#include <string_view>

namespace xcpp_session {

// `cell` would have defined the name. Of the reason, two lines are kept.
void note_missing_name(std::string_view name, int cell, std::string_view reason);

// Why the name is missing; empty if no failed cell would define it.
std::string reason_of_missing_name(std::string_view name);

// A sentence with the cell and the reason; empty if no failed cell would define the name.
std::string missing_name_hint(std::string_view name);

}  // namespace xcpp_session
