#include "notebook/text.hpp"

#include <gtest/gtest.h>

namespace {

using lanes::notebook::base64;
using lanes::notebook::length;

TEST(Text, LengthCountsCharactersAndNotBytes) {
    EXPECT_EQ(length(""), 0U);
    EXPECT_EQ(length("größe"), 5U);
    EXPECT_EQ(length("2×10⁶"), 5U);
}

TEST(Text, Base64FollowsRfc4648) {
    EXPECT_EQ(base64(""), "");
    EXPECT_EQ(base64("f"), "Zg==");
    EXPECT_EQ(base64("fo"), "Zm8=");
    EXPECT_EQ(base64("foo"), "Zm9v");
    EXPECT_EQ(base64("\xff\xfe\xfd"), "//79");
}

}  // namespace
