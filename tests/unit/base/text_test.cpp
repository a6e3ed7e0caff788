#include "base/text.hpp"

#include <gtest/gtest.h>

namespace {

TEST(Text, EndsWith) {
    EXPECT_TRUE(lanes::ends_with("weights.npy", ".npy"));
    EXPECT_TRUE(lanes::ends_with("x", ""));
    EXPECT_FALSE(lanes::ends_with("npy", ".npy"));
    EXPECT_FALSE(lanes::ends_with("weights.npy.gz", ".npy"));
}

TEST(Text, EscapesWhatHtmlAndXmlReserve) {
    EXPECT_EQ(lanes::escaped("a < b & \"c\" > d"), "a &lt; b &amp; &quot;c&quot; &gt; d");
}

}  // namespace
