#include "front/jupyter/comms.hpp"

#include <gtest/gtest.h>

namespace {

using namespace xcpp_front;
using nlohmann::json;

CommEvent open(const std::string& id, int value) {
    return {"open",
            id,
            "jupyter.widget",
            {{"state", {{"value", value}, {"min", 0}}}, {"buffer_paths", json::array()}},
            {{"version", "2.1.0"}},
            {}};
}
CommEvent update(const std::string& id, int value) {
    return {"msg",          id, "", {{"method", "update"}, {"state", {{"value", value}}}},
            json::object(), {}};
}
CommEvent close(const std::string& id) {
    return {"close", id, "", json::object(), json::object(), {}};
}

TEST(Comms, ListsWhatIsOpen) {
    Comms comms;
    comms.note(open("a", 1));
    comms.note({"open", "b", "other", json::object(), json::object(), {}});
    comms.note(open("c", 1));
    comms.note(close("c"));
    EXPECT_EQ(comms.list(""), json({{"a", {{"target_name", "jupyter.widget"}}},
                                    {"b", {{"target_name", "other"}}}}));
    EXPECT_EQ(comms.list("other"), json({{"b", {{"target_name", "other"}}}}));
    EXPECT_EQ(comms.list("none"), json::object());
}

TEST(Comms, ClosesWhatAFailedCellOpened) {
    Comms comms;
    comms.note(open("old", 1));
    comms.save();
    comms.note(open("new", 1));
    const auto told = comms.restore();
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0].event, "close");
    EXPECT_EQ(told[0].comm_id, "new");
    EXPECT_FALSE(comms.knows("new"));
}

TEST(Comms, TellsTheOldStateOfWhatAFailedCellChanged) {
    Comms comms;
    comms.note(open("untouched", 1));
    comms.note(open("changed", 1));
    comms.note(update("changed", 2));
    comms.save();
    comms.note(update("changed", 3));
    const auto told = comms.restore();
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0].event, "msg");
    EXPECT_EQ(told[0].data["method"], "update");
    EXPECT_EQ(told[0].data["state"], json({{"value", 2}, {"min", 0}}));
    EXPECT_TRUE(comms.restore().empty());
}

TEST(Comms, OpensAgainWhatAFailedCellClosed) {
    Comms comms;
    comms.note(open("a", 1));
    comms.note(update("a", 5));
    comms.save();
    comms.note(close("a"));
    const auto told = comms.restore();
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0].event, "open");
    EXPECT_EQ(told[0].target, "jupyter.widget");
    EXPECT_EQ(told[0].data["state"]["value"], 5);
    EXPECT_EQ(told[0].metadata["version"], "2.1.0");
    EXPECT_TRUE(comms.knows("a"));
}

TEST(Comms, KeepsTheBytesOfAState) {
    Comms comms;
    comms.note({"open",
                "image",
                "jupyter.widget",
                {{"state", json::object()}, {"buffer_paths", {{"value"}}}},
                json::object(),
                {"old bytes"}});
    comms.save();
    comms.note(
        {"msg",
         "image",
         "",
         {{"method", "update"}, {"state", {{"value", nullptr}}}, {"buffer_paths", {{"value"}}}},
         json::object(),
         {"new bytes"}});
    const auto told = comms.restore();
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0].data["buffer_paths"], json::array({json::array({"value"})}));
    EXPECT_EQ(told[0].buffers, std::vector<std::string>{"old bytes"});
}

TEST(Comms, ClosesAllWhenTheSessionIsGone) {
    Comms comms;
    comms.note(open("a", 1));
    comms.save();
    comms.note(open("b", 1));
    EXPECT_EQ(comms.close_all().size(), 2U);
    EXPECT_EQ(comms.list(""), json::object());
}

}  // namespace
