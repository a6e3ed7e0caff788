#include "front/jupyter/history.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

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

class HistoryFileTest : public testing::Test {
protected:
    HistoryFileTest() { std::filesystem::remove_all(folder_); }
    ~HistoryFileTest() override { std::filesystem::remove_all(folder_); }
    static json tail(const xcpp_front::History& history, int n = 100) {
        return history.answer({{"hist_access_type", "tail"}, {"n", n}})["history"];
    }
    static json range(const xcpp_front::History& history, int session) {
        return history.answer({{"hist_access_type", "range"}, {"session", session}})["history"];
    }

    std::string folder_ = testing::TempDir() + "xcpp-test-history-" + std::to_string(::getpid());
    std::string file_ = folder_ + "/deeper/history.jsonl";
};

TEST_F(HistoryFileTest, KnowsOtherSessions) {
    xcpp_front::History first(file_), second(file_);
    first.store("int a;");
    second.store("int b;");
    first.store("a\n+ 1");
    EXPECT_EQ(tail(first),
              json::parse(R"([[2, 1, "int b;"], [0, 1, "int a;"], [0, 2, "a\n+ 1"]])"));
    const xcpp_front::History third(file_);
    EXPECT_EQ(tail(third),
              json::parse(R"([[1, 1, "int a;"], [1, 2, "a\n+ 1"], [2, 1, "int b;"]])"));
    EXPECT_EQ(tail(third, 1), json::parse(R"([[2, 1, "int b;"]])"));
    EXPECT_EQ(range(third, 0), json::array());
    EXPECT_EQ(range(third, -2), range(third, 1));
    EXPECT_EQ(range(third, -1), json::parse(R"([[2, 1, "int b;"]])"));
    EXPECT_EQ(range(third, -3), json::array());
}

TEST_F(HistoryFileTest, LeavesOutLinesThatWereCut) {
    xcpp_front::History(file_).store("int a;");
    std::ofstream(file_, std::ios::app) << "{\"session\": 1, \"ce\n7\n";
    xcpp_front::History later(file_);
    later.store("int b;");
    EXPECT_EQ(tail(later), json::parse(R"([[1, 1, "int a;"], [0, 1, "int b;"]])"));
}

TEST_F(HistoryFileTest, GivesUpTheOlderHalfOfALargeFile) {
    const std::string large(500'000, 'x');
    {
        xcpp_front::History history(file_);
        for (int i = 0; i < 10; ++i) history.store(large);
    }
    xcpp_front::History later(file_);
    later.store("new");
    EXPECT_EQ(tail(later).size(), 6U);
    EXPECT_EQ(tail(later)[0][1], 6);
    EXPECT_LT(std::filesystem::file_size(file_), 3'000'000U);
}

TEST_F(HistoryFileTest, DoesWithoutAFile) {
    xcpp_front::History history("/proc/no/such/folder/history.jsonl");
    history.store("int a;");
    EXPECT_EQ(tail(history), json::parse(R"([[0, 1, "int a;"]])"));
}

}  // namespace
