// The way out of the library to whoever looks at a cell: the Jupyter kernel's C functions, or plain
// text on stdout where there are none. Only front_end.cpp looks the functions up; all others call
// them through here. What each does is written in jupyter_kernel/include/xcpp/capi.h.
#pragma once

#include <cstddef>
#include <string>

// As in xcpp/capi.h.
struct xcpp_buffer {
    const void* data;
    std::size_t size;
};

namespace lanes::notebook {

using CommHandler = void (*)(const char* event, const char* comm_id, const char* data,
                             const char* metadata, const xcpp_buffer* buffers, std::size_t count,
                             void* user);

// Null where the process has no such function.
struct FrontEnd {
    int (*publish)(const char* type, const char* content, const char* metadata) = nullptr;
    int (*comm_open)(const char* comm_id, const char* target, const char* data,
                     const char* metadata, const xcpp_buffer* buffers, std::size_t count) = nullptr;
    int (*comm_send)(const char* comm_id, const char* data, const char* metadata,
                     const xcpp_buffer* buffers, std::size_t count) = nullptr;
    int (*comm_close)(const char* comm_id, const char* data, const char* metadata) = nullptr;
    int (*comm_on_target)(const char* target, CommHandler handler, void* user) = nullptr;
    int (*comm_on_message)(const char* comm_id, CommHandler handler, void* user) = nullptr;
    int (*input)(const char* prompt, char* out, std::size_t size) = nullptr;
    int (*interrupted)() = nullptr;
    const char* (*cell_source)(int cell) = nullptr;
    int (*cell_number)() = nullptr;
    int (*cell_newest)(int cell) = nullptr;
    int (*output_area)(const char* comm_id) = nullptr;
    int (*has_front_end)() = nullptr;
    int (*on_cell_end)(void (*handler)(int failed, void* user), void* user) = nullptr;
};

const FrontEnd& front_end();

// A C function of the Jupyter kernel by its name, for one that this file does not list; null where
// it is absent.
void* jupyter_kernel_function(const char* name);

// Whether somebody can see more than text. False in a plain program, in a unit test and in a
// program that was made of a notebook.
bool is_rich();

// Whether the user has pressed interrupt during this cell.
bool is_interrupted();

// One thing to show, in each of the ways that were made; the text is never missing.
struct Bundle {
    std::string text;
    std::string html;
    std::string png;                    // the file's bytes
    int png_width = 0, png_height = 0;  // at which it is shown, 0: as many as it has
    std::string vega_lite;              // JSON
};

// Shows it below the cell; where nothing but text can be shown, its text and a newline go to
// stdout. display_id: a name by which it can be updated.
void publish(const Bundle& bundle, const std::string& display_id = "", bool update = false);

// A display_id that no other display of this session has.
std::string new_display_id();

}  // namespace lanes::notebook
