#include "wire/messages.hpp"

#include <gtest/gtest.h>

namespace {

using namespace xcpp_wire;

TEST(Messages, ArriveAsTheyWereSent) {
    Execute cell;
    cell.id = 7;
    cell.count = 3;
    cell.code = "int x;";
    cell.is_cell = true;
    cell.cell_id = "abc";
    const Json body = packed(cell);
    EXPECT_EQ(op_of(body), "execute");
    const auto got = unpacked<Execute>(body);
    EXPECT_EQ(got.id, 7);
    EXPECT_EQ(got.count, 3);
    EXPECT_EQ(got.code, "int x;");
    EXPECT_TRUE(got.is_cell);
    EXPECT_EQ(got.cell_id, "abc");
    EXPECT_FALSE(got.silent);
}

TEST(Messages, HaveDefaultsForFieldsThatAreMissing) {
    const auto result = unpacked<Result>({{"op", "result"}, {"id", 1}});
    EXPECT_TRUE(result.ok());
    EXPECT_TRUE(result.handled);
    EXPECT_EQ(result.payload, Json::array());
    EXPECT_EQ(unpacked<TakeOver>({{"why", "crash"}}).exit_code, -1);
    EXPECT_EQ(op_of(packed(Shutdown{})), "shutdown");
}

TEST(Messages, RefuseAFieldOfAnotherType) {
    EXPECT_THROW(unpacked<Result>({{"id", "one"}}), Json::exception);
}

// The session waits for what the client shows, so that what it prints next comes after it.
TEST(Messages, AreAcknowledgedIfTheClientShowsThem) {
    EXPECT_TRUE(IsAcknowledged<Publish>::value);
    EXPECT_TRUE(IsAcknowledged<CommOut>::value);
    EXPECT_TRUE(IsAcknowledged<OutputArea>::value);
    EXPECT_FALSE(IsAcknowledged<Result>::value);
}

}  // namespace
