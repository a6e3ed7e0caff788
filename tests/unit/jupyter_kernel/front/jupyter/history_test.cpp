#include "front/jupyter/history.hpp"

#include <gtest/gtest.h>

namespace {

using nlohmann::json;

class HistoryTest : public testing::Test {
protected:
    HistoryTest() {
        for (const char* cell : {"6 * 7", "int x;", "6 * 8", "6 * 7"}) history_.store(cell);
    }
    json ask(const json& request) { return history_.answer(request)["history"]; }

    xcpp_front::History history_;
};

TEST_F(HistoryTest, TellsTheLastCells) {
    EXPECT_EQ(ask({{"hist_access_type", "tail"}, {"n", 2}}),
              json::parse(R"([[0, 3, "6 * 8"], [0, 4, "6 * 7"]])"));
    EXPECT_EQ(ask({{"hist_access_type", "tail"}, {"n", 1}, {"output", true}}),
              json::parse(R"([[0, 4, ["6 * 7", null]]])"));
    EXPECT_EQ(ask({{"hist_access_type", "tail"}, {"n", 100}}).size(), 4U);
}

TEST_F(HistoryTest, TellsARange) {
    EXPECT_EQ(ask({{"hist_access_type", "range"}, {"session", 0}, {"start", 1}, {"stop", 2}}),
              json::parse(R"([[0, 1, "6 * 7"]])"));
    EXPECT_EQ(ask({{"hist_access_type", "range"}, {"start", 3}, {"stop", 0}}).size(), 2U);
}

TEST_F(HistoryTest, Searches) {
    EXPECT_EQ(ask({{"hist_access_type", "search"}, {"pattern", "6 ? *"}}).size(), 3U);
    EXPECT_EQ(ask({{"hist_access_type", "search"}, {"pattern", "6 ? 7"}, {"unique", true}}),
              json::parse(R"([[0, 4, "6 * 7"]])"));
    EXPECT_EQ(ask({{"hist_access_type", "search"}, {"pattern", "*"}, {"n", 1}}),
              json::parse(R"([[0, 4, "6 * 7"]])"));
}

}  // namespace
