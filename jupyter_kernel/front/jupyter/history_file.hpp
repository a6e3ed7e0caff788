// The cells of all sessions of a user, in one file: a line of JSON for each. Several Jupyter
// kernels may use it at the same time. If it cannot be read or written, there is no history of
// other sessions.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace xcpp_front {

struct HistoryEntry {
    int session = 0;  // in the file from 1 on
    int number = 0;   // of the cell
    std::string cell;
};

class HistoryFile {
public:
    explicit HistoryFile(std::string path = {}) : path_(std::move(path)) {}  // "": none

    // Of this session, whose number is chosen at the first one.
    void append(HistoryEntry entry);
    // Entries of other sessions, the oldest first.
    std::vector<HistoryEntry> read_others() const;

private:
    std::string path_;
    int session_ = 0;  // 0: nothing was written yet
};

}  // namespace xcpp_front
