// The cells that were run, for a console's arrow keys. The history of xeus 2.4.1 has numbers as
// text, and entries in a form that clients refuse.
#pragma once

#include <nlohmann/json.hpp>
#include <xeus/xhistory_manager.hpp>

#include <string>
#include <vector>

namespace xcpp_front {

class History : public xeus::xhistory_manager {
public:
    // The number of the cell that is stored next: xeus looks for it in a reply that it has moved
    // away.
    void expect_line(int line) { line_ = line; }

private:
    struct Entry {
        int session, line;
        std::string input;
    };

    void configure_impl() override {}
    void store_inputs_impl(int session, int line, const std::string& input,
                           const std::string& output) override;
    nlohmann::json get_tail_impl(int count, bool raw, bool output) const override;
    nlohmann::json get_range_impl(int session, int start, int stop, bool raw,
                                  bool output) const override;
    nlohmann::json search_impl(const std::string& pattern, bool raw, bool output, int count,
                               bool unique) const override;

    std::vector<Entry> entries_;
    int line_ = 0;  // 0: take the one that comes along
};

}  // namespace xcpp_front
