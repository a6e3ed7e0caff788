#include "gpu/source/condition.hpp"

#include <gtest/gtest.h>

#include <string>

namespace lanes::gpu {
namespace {

bool holds(const std::string& text) { return condition_holds(tokenize(text)); }

TEST(Condition, OperatorsMeanWhatTheyMeanInC) {
    for (const char* text : {"1",
                             "!0",
                             "1 && 1",
                             "0 || 2",
                             "2 + 3 * 4 == 14",
                             "(2 + 3) * 4 == 20",
                             "7 / 2 == 3",
                             "7 % 4 == 3",
                             "1 << 4 == 16",
                             "16 >> 2 == 4",
                             "5 > 4",
                             "4 >= 4",
                             "3 < 4",
                             "3 <= 3",
                             "3 != 4",
                             "(6 & 3) == 2",
                             "(6 | 3) == 7",
                             "(6 ^ 3) == 5",
                             "~0 == -1",
                             "0x10 == 16",
                             "201703L >= 201103L",
                             "1 ? 1 : 0",
                             "0 ? 0 : 1",
                             "10 - 4 - 3 == 3",
                             "+1",
                             "true",
                             "1 || 0 && 0"})
        EXPECT_TRUE(holds(text)) << text;
    for (const char* text : {"0", "!1", "1 && 0", "0 && 1", "0 || 0", "1 == 2", "5 < 4", "false",
                             "unknown", "unknown > 2", "1 ? 0 : 1"})
        EXPECT_FALSE(holds(text)) << text;
}

TEST(Condition, NonsenseIsFalseAndNeverFatal) {
    for (const char* text :
         {"", "(", ")", "1 /", "/ 1", "5 / 0", "5 % 0", "1 << 900 == 1", "? :", "&&"})
        EXPECT_FALSE(holds(text)) << text;
    EXPECT_TRUE(holds("(-9223372036854775807 - 1) / -1 != 5"));
}

}  // namespace
}  // namespace lanes::gpu
