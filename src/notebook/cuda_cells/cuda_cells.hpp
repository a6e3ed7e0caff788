// Cells of CUDA C++ in notebooks: the magic %%cuda, which the library adds to the Jupyter kernel.
//
//   %%cuda NAME             the text is kept in the variable NAME, for lanes::Program
//   %%cuda [-- arguments]   the text is a whole program with main(), which is run
#pragma once

#include <string>

namespace lanes::notebook {

// The C++ that is run in the place of such a cell. arguments: the rest of its first line; text: the
// lines after it. Throws Error if NAME cannot be the name of a variable.
std::string cuda_cell(const std::string& arguments, const std::string& text);

// Declarations with comments, for Tab and Shift-Tab: names of device code, and of CUDA's runtime
// API.
const char* device_names();
const char* host_names();

}  // namespace lanes::notebook
