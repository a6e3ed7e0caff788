// The numbers of cells. xeus 2.4.1 counts every cell that is not silent, and keeps its counter to
// itself; the protocol counts those that store history.
#pragma once

#include <nlohmann/json.hpp>

namespace xcpp_front {

class CellCount {
public:
    // request: the content of an execute_request that is about to be handled.
    void begin(const nlohmann::json& request) {
        const bool silent = request.value("silent", false);
        number_ = stored_ + 1;
        if (!silent && request.value("store_history", true)) stored_ = number_;
    }

    // Of the present cell, for its input, its result and its place in the session. One that stores
    // no history takes the number that the next cell will have: no stored cell's text gives way to
    // it.
    int number() const { return number_; }
    // For replies: how many cells were stored so far.
    int stored() const { return stored_; }

private:
    int number_ = 0, stored_ = 0;
};

}  // namespace xcpp_front
