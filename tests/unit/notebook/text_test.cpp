#include "notebook/text.hpp"

#include <gtest/gtest.h>

namespace {

using lanes::notebook::escaped;
using lanes::notebook::length;
using lanes::notebook::valid_utf8;

const std::string unknown = "\xef\xbf\xbd";

TEST(Text, LengthIsThatOfLetters) {
    EXPECT_EQ(length(""), 0U);
    EXPECT_EQ(length("größe"), 5U);
    EXPECT_EQ(length("2×10⁶"), 5U);
}

TEST(Text, Utf8StaysAsItIs) {
    for (const std::string text :
         {"", "plain", "größe", "2×10⁶", "\xf0\x9f\x98\x80", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"})
        EXPECT_EQ(valid_utf8(text), text);
}

TEST(Text, OtherBytesAreReplaced) {
    EXPECT_EQ(valid_utf8("a\xff z"), "a" + unknown + " z");
    EXPECT_EQ(valid_utf8("\xc3"), unknown);                // cut short
    EXPECT_EQ(valid_utf8("\xc3x"), unknown + "x");         // not continued
    EXPECT_EQ(valid_utf8("\xc0\xaf"), unknown + unknown);  // longer than needed
    EXPECT_EQ(valid_utf8("\xe0\x80\x80"), unknown + unknown + unknown);
    EXPECT_EQ(valid_utf8("\xed\xa0\x80"), unknown + unknown + unknown);  // half of a pair
    EXPECT_EQ(valid_utf8("\xf4\x90\x80\x80"), unknown + unknown + unknown + unknown);
}

TEST(Text, HtmlIsEscaped) {
    EXPECT_EQ(escaped("a < b & \"c\" > d"), "a &lt; b &amp; &quot;c&quot; &gt; d");
}

}  // namespace
