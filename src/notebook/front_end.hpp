// How the library reaches the front end (JupyterLab): through the C functions of the Jupyter
// kernel, or as plain text on stdout if the process has none. Only front_end.cpp looks the
// functions up. They are documented in jupyter_kernel/include/xcpp/capi.h.
#pragma once

#include <string>

namespace lanes::notebook {

// A member is null if the process has no such function.
struct FrontEnd {
    int (*publish)(const char* type, const char* content, const char* metadata) = nullptr;
    int (*interrupted)() = nullptr;
    int (*has_front_end)() = nullptr;
    int (*on_cell_end)(void (*handler)(int failed, void* user), void* user) = nullptr;
};

const FrontEnd& front_end();

// A C function of the Jupyter kernel by its name, for one that FrontEnd does not list; null if it
// is absent.
void* jupyter_kernel_function(const char* name);

// Whether a front end shows more than text. False in a plain program, in a unit test and in a
// program that was made from a notebook.
bool is_rich();

// Whether the user has pressed interrupt during this cell.
bool is_interrupted();

// One thing to show, in several formats; the front end picks the best that it knows. The text is
// never missing.
struct Bundle {
    std::string text;
    std::string html;
    std::string svg;
    std::string png;    // the file's bytes
    int png_width = 0;  // size on the page in pixels; 0: the picture's own size
    int png_height = 0;
    std::string vega_lite;  // JSON
};

// Shows it below the cell. Without a front end its text and a newline go to stdout. display_id: a
// name under which it can be updated.
void publish(const Bundle& bundle, const std::string& display_id = "", bool update = false);

// A display_id that no other display of this session has.
std::string new_display_id();

}  // namespace lanes::notebook
