// The cells that were run, for a console's arrow keys. It also numbers them: the protocol counts
// the cells that store history.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace xcpp_front {

class History {
public:
    void store(std::string cell) { cells_.push_back(std::move(cell)); }
    // How many were stored, which is also the number of the last one.
    int size() const { return static_cast<int>(cells_.size()); }
    // request: the content of a history_request. The content of its reply.
    nlohmann::json answer(const nlohmann::json& request) const;

private:
    // Numbers of cells, the oldest first.
    std::vector<int> range(int start, int stop) const;
    std::vector<int> search(const std::string& pattern, bool unique, int most) const;

    std::vector<std::string> cells_;
};

}  // namespace xcpp_front
