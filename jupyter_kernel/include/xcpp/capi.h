/* What the session offers to libraries that run inside it. C, UTF-8, JSON as text: a library finds
 * these by dlsym and needs neither a header of ours nor a JSON library. Where the symbols are
 * absent (a plain program, a test) the library falls back to plain text. Every function returns 0
 * when it was done and -1 when it was not, unless its comment says otherwise. All may be called
 * from any thread. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* type: "display_data", "update_display_data", "execute_result" or "clear_output"; content and
 * metadata are JSON objects, "" means {}. content of display_data: {"data": {mime: value},
 * "transient": {"display_id": "..."}}; of clear_output: {"wait": true}. */
int xcpp_publish(const char* type, const char* content, const char* metadata);

/* Bytes that travel with a comm message. */
struct xcpp_buffer {
    const void* data;
    size_t size;
};

/* Messages to the front end. The comm's id is the caller's choice, unique in the session. -1 in a
 * process that a cell forked: the comms are not its own. */
int xcpp_comm_open(const char* comm_id, const char* target, const char* data, const char* metadata,
                   const struct xcpp_buffer* buffers, size_t count);
int xcpp_comm_send(const char* comm_id, const char* data, const char* metadata,
                   const struct xcpp_buffer* buffers, size_t count);
int xcpp_comm_close(const char* comm_id, const char* data, const char* metadata);

/* Messages from the front end. event: "open", "msg" or "close". Runs on the session's main thread,
 * between cells, with a frozen copy behind it. */
typedef void (*xcpp_comm_handler)(const char* event, const char* comm_id, const char* data,
                                  const char* metadata, const struct xcpp_buffer* buffers,
                                  size_t count, void* user);
int xcpp_comm_on_target(const char* target, xcpp_comm_handler handler,
                        void* user); /* comms that the front end opens */
int xcpp_comm_on_message(const char* comm_id, xcpp_comm_handler handler, void* user);

/* What the present request shows from here on (text, displays, errors) goes to the widget of
 * Jupyter's Output model that has this comm; "": back to where it went before. Ends with the
 * request, at the latest. */
int xcpp_output_area(const char* comm_id);

/* One line from the person at the front end, without its newline, cut to size - 1 bytes. -1: no
 * input is allowed here; -2: interrupted. */
int xcpp_input(const char* prompt, char* out, size_t size);

/* 1 once the user has pressed interrupt during this cell: stop soon, by an exception, with
 * everything in order. */
int xcpp_interrupted(void);

/* 1 where somebody may see more than text: HTML, pictures, displays that are updated. 0 in a
 * program that was made of a notebook. */
int xcpp_has_front_end(void);

/* Calls handler once, when the cell (or comm message) that runs now has ended; failed: 1 where it
 * ended by an exception or an interrupt. Not called where the session dies with the cell: the copy
 * that takes over was made before it. */
typedef void (*xcpp_cell_end_handler)(int failed, void* user);
int xcpp_on_cell_end(xcpp_cell_end_handler handler, void* user);

/* To be called when a library finds that it can never work again in this process, as CUDA after a
 * fault of a GPU. When the cell (or comm message) that runs now has ended, the session continues in
 * a fork of this process: variables, functions and memory are kept, other threads are not. -1 if
 * that cannot be, because no cell runs or because this process was forked by a cell. */
int xcpp_continue_in_fork(void);

/* To be called when a library begins to hold something that a fork of this process would not have:
 * memory of a GPU, worker processes, connections. what: for messages, "GPU memory". Returns a
 * number for xcpp_release_process, or -1. As long as the process is kept, a cell that does not
 * compile costs nothing: it is compiled in a fork first, which takes time (about as long as
 * compiling it). Otherwise the frozen copy continues after a compile error. A crash ends the
 * process either way; the copy that takes over then holds nothing, and the library calls this
 * again. */
int xcpp_keep_process(const char* what);
int xcpp_release_process(int number);

/* A thread keeps the process, too. To be called by a thread that need not: its library starts it
 * again in a fork, as a thread pool that notices that its threads are gone. */
int xcpp_thread_is_replaceable(void);

/* The text of cell In[cell], or NULL if no cell has that number. Valid until the cell that calls
 * this has ended: a cell may later get the same number and replace the text. */
const char* xcpp_cell_source(int cell);

/* The number of the cell that runs, 0 between cells (in a comm's handler). */
int xcpp_cell_number(void);

/* A cell of a notebook that is run again gets a new number: the newest one of the cell that ran as
 * In[cell], which is `cell` where it was not run again. */
int xcpp_cell_newest(int cell);

/* The number of the cell that would have defined this name (again), but did not compile; 0 if there
 * is none: then the newest definition is the one that is in use. */
int xcpp_cell_failed(const char* name);

/* What the library that the configuration names under "analysis" reports on a name of cells (see
 * xcpp/analysis.hpp). name: as cells write it ("sigmoid"), a function, a function template or a
 * variable; address: of the function that is meant, or NULL for all of that name. Returns NULL if
 * no cell holds the name, and also, with a message on std::cerr, if there is no analysis; else JSON
 * as that library defines it, valid until the next call. To be called from the thread that runs the
 * cell. */
const char* xcpp_references(const char* name, const void* address);

/* A cell magic of a library: a cell whose first line begins with a name such as "%%cuda". The
 * library translates the rest of the cell to C++, which is run in its place; a program that is made
 * of the notebook contains it, too. arguments: what follows the name on the first line; text: the
 * lines after it. The first line of the C++ counts as the first line of the cell, so that __FILE__
 * and __LINE__ tell where in the notebook it is. If the cell is wrong, the function sets *failed to
 * 1 and returns what is wrong, for the user. What it returns is valid until the next call. */
typedef const char* (*xcpp_magic_translator)(const char* arguments, const char* text, int* failed,
                                             void* user);

/* Adds such a magic, or replaces the one of that name. To be called while the library is loaded, or
 * from the thread that runs the cell. usage and meaning: for %lsmagic ("%%cuda NAME", "keeps ...").
 * declarations: if the text is much like C++, the names that it may use besides its own, declared
 * in C++ and with comments, for Tab and Shift-Tab in such cells; NULL: no completion there. -1 if
 * the name is not %% and a word, or that of a magic of the Jupyter kernel. The texts are copied. */
int xcpp_add_magic(const char* name, const char* usage, const char* meaning,
                   xcpp_magic_translator translate, void* user, const char* declarations);

#ifdef __cplusplus
}
#endif
