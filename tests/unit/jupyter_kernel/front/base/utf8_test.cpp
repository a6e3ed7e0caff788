#include "front/base/utf8.hpp"

#include <gtest/gtest.h>

namespace {

using namespace xcpp_front;

TEST(Utf8, LeavesGoodTextAlone) {
    EXPECT_EQ(mended("plain, für, 漢字, 😀"), "plain, für, 漢字, 😀");
}

TEST(Utf8, ReplacesWhatIsNoText) {
    EXPECT_EQ(mended("a\xFFz"), "a\uFFFDz");
    EXPECT_EQ(mended("\xC3("), "\uFFFD(");                              // a second byte is missing
    EXPECT_EQ(mended("\xC0\xAF"), "\uFFFD\uFFFD");                      // an overlong slash
    EXPECT_EQ(mended("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");            // a surrogate
    EXPECT_EQ(mended("\xF5\x80\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");  // beyond U+10FFFF
    EXPECT_EQ(mended("x\xE6\xBC"), "x\uFFFD");                          // the end is missing
}

// A pipe cuts anywhere.
TEST(Utf8, WaitsForTheRestOfACharacter) {
    const std::string text = "für 漢字 😀!";
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
        Utf8Mender mender;
        std::string got;
        mender.feed(text.substr(0, cut), got);
        EXPECT_EQ(got.find("\uFFFD"), std::string::npos) << "cut at " << cut;
        mender.feed(text.substr(cut), got);
        mender.finish(got);
        EXPECT_EQ(got, text) << "cut at " << cut;
    }
    Utf8Mender mender;
    std::string got;
    for (const char byte : text) mender.feed(std::string_view(&byte, 1), got);
    EXPECT_EQ(got, text);
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
