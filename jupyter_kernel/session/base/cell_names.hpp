// The names that the session gives to the text of a cell.
#pragma once

#include <string>
#include <string_view>

namespace xcpp_session {

// "In[5]": the file name under which the compiler knows the text of a cell (for line markers).
std::string cell_file_name(int cell);
// The number N of "In[N]", 0 for any other file name.
int cell_of_file_name(std::string_view file);

// "__c5": the inline namespace of what was compiled fifth. This number is the "unit": a cell that
// is run again has the next one.
constexpr std::string_view cell_namespace_prefix = "__c";
std::string cell_namespace_name(int unit);
// The number N of "__cN", 0 for any other name ("__cxx11").
int unit_of_namespace_name(std::string_view name);

}  // namespace xcpp_session
