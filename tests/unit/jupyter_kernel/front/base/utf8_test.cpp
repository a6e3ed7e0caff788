#include "front/base/utf8.hpp"

#include <gtest/gtest.h>

namespace {

using namespace xcpp_front;

// A pipe cuts anywhere.
TEST(Utf8, FindsACharacterWhoseEndIsMissing) {
    for (const std::string text : {"f", "ü", "漢", "😀"}) {
        EXPECT_EQ(whole_characters("a" + text), 1 + text.size());
        for (std::size_t cut = 1; cut < text.size(); ++cut)
            EXPECT_EQ(whole_characters("ü" + text.substr(0, cut)), 2U) << text << " at " << cut;
    }
    EXPECT_EQ(whole_characters(""), 0U);
    EXPECT_EQ(whole_characters("\x80\x80\x80\x80"), 4U);  // no UTF-8 at all
}

TEST(Utf8, CountsCursorsInCodePoints) {
    const std::string code = "héllo 😀x";
    EXPECT_EQ(bytes_before(code, 2), 3U);
    EXPECT_EQ(bytes_before(code, 7), code.size() - 1);
    EXPECT_EQ(bytes_before(code, 99), code.size());
    EXPECT_EQ(code_points_before(code, 3), 2U);
    EXPECT_EQ(code_points_before(code, code.size()), 8U);
    EXPECT_EQ(code_points_before(code, 99), 8U);
}

}  // namespace
