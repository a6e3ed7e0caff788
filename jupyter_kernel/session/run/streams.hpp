// The standard streams of the session: output straight to the front's pipes, std::cin from the
// person at the front end. Cells may leave them in any state.
#pragma once

#include <functional>
#include <string>

namespace xcpp_session {

// Asks the person at the front end for a line, for std::cin. 0, or what xcpp_input returns instead.
using AskForLine = std::function<int(const char* prompt, std::string& line)>;

// stdout and stderr are the front's pipes; copies of them are kept out of the cells' reach.
void set_up_streams(AskForLine ask);

// After each cell: flushed, open again if the cell closed them, good again if it left them bad.
void restore_streams();

// Since the last call, scanf, getchar or another of C's functions has found no input: std::cin asks
// the user for it, stdin is empty.
bool found_end_of_stdin();
// A cell, or a program that it started, may have set O_NONBLOCK: writes would then be cut off.
void make_blocking(int fd);

}  // namespace xcpp_session
