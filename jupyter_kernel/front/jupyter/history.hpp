// The cells that were run, for a console's arrow keys; those of earlier sessions, too. It also
// numbers them: the protocol counts the cells that store history.
#pragma once

#include "history_file.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace xcpp_front {

class History {
public:
    explicit History(std::string file = {}) : file_(std::move(file)) {}
    void store(std::string cell) {
        cells_.push_back(std::move(cell));
        file_.append({0, size(), cells_.back()});
    }
    // How many were stored, which is also the number of the last one.
    int size() const { return static_cast<int>(cells_.size()); }
    // request: the content of a history_request. The content of its reply.
    nlohmann::json answer(const nlohmann::json& request) const;

private:
    using Entries = std::vector<HistoryEntry>;  // the oldest first; session 0: this one
    Entries all() const;
    Entries range(int session, int start, int stop) const;
    Entries search(const std::string& pattern, bool unique, int most) const;

    std::vector<std::string> cells_;
    HistoryFile file_;
};

}  // namespace xcpp_front
