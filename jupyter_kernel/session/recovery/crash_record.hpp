// What a session leaves behind when it dies: recorded by the dying process in the shared page,
// reported by the copy that takes over.
#pragma once

#include "session/base/code_line.hpp"
#include "wire/messages.hpp"
#include "wire/shared_state.hpp"

#include <map>
#include <string>
#include <vector>

namespace xcpp_session {

// Handlers for the deadly signals, on a stack of their own; std::terminate, assert, exit and
// the like record themselves first.
void install_crash_handlers(xcpp_wire::SharedState& page);
// Restores the handlers that a cell may have replaced.
void rearm_handlers();
// Before each cell.
void clear_crash_record();
void record_crash(xcpp_wire::CrashCause cause, const char* text = "");
// Ends this process without a record and without exit handlers.
[[noreturn]] void leave_process(int code);

// Lines of cells by address: of older cells in this process's memory, of the running cell in the
// page.
class LineTable {
public:
    void add(const std::vector<CodeLine>& lines, xcpp_wire::SharedState& page);
    // The running cell is done: its lines are kept here.
    void keep(const xcpp_wire::SharedState& page);

    using Place = std::pair<int, int>;  // cell and line
    // Of the running cell, too: where the frames of a stack lie in cells, at most eight.
    std::vector<Place> places(const std::uint64_t* frames, int count,
                              const xcpp_wire::SharedState& page) const;

private:
    using Rows = std::map<std::uint64_t, Place>;

    // {0, 0} where the address belongs to no cell. Code of a header inside a function of a cell
    // belongs to the line before it; a function that is not a cell's text, such as a template that
    // a cell was the first to use, to none.
    Place find(std::uint64_t address, const Rows& running) const;

    Rows lines_;
};

// sources: text of a cell by number, for the lines shown.
xcpp_wire::ErrorText describe_crash(const xcpp_wire::SharedState& page,
                                    const xcpp_wire::TakeOver& why, const LineTable& lines,
                                    const std::map<int, std::string>& sources);

// glibc has found that the heap is damaged: later than it was, and elsewhere.
bool is_damage_of_heap(const xcpp_wire::SharedState& page);

// "In[3], line 2:  v.at(10)" for each frame that lies in a cell.
std::vector<std::string> describe_frames(const std::uint64_t* frames, int count,
                                         const xcpp_wire::SharedState& page, const LineTable& lines,
                                         const std::map<int, std::string>& sources);

}  // namespace xcpp_session
