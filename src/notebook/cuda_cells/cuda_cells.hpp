// Cells of CUDA C++ in notebooks: the magic %%cuda, which the library adds to the Jupyter kernel.
//
//   %%cuda NAME             the text is kept in the variable NAME, a std::string for lanes::Program
#pragma once

#include <string>

namespace lanes::notebook {

// The C++ that is run in the place of such a cell. arguments: the rest of its first line; text: the
// lines after it. Throws Error if NAME cannot be the name of a variable.
std::string cuda_cell(const std::string& arguments, const std::string& text);

// Declarations of the names of CUDA's device code, with comments, for Tab and Shift-Tab.
const char* device_names();

}  // namespace lanes::notebook
