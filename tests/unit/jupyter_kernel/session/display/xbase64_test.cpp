#include "xeus/xbase64.hpp"

#include <gtest/gtest.h>

namespace {

using xeus::base64decode;
using xeus::base64encode;

TEST(Base64, ExamplesOfTheStandard) {
    const std::pair<const char*, const char*> examples[] = {{"", ""},
                                                            {"f", "Zg=="},
                                                            {"fo", "Zm8="},
                                                            {"foo", "Zm9v"},
                                                            {"foob", "Zm9vYg=="},
                                                            {"fooba", "Zm9vYmE="},
                                                            {"foobar", "Zm9vYmFy"}};
    for (const auto& [bytes, text] : examples) {
        EXPECT_EQ(base64encode(bytes), text);
        EXPECT_EQ(base64decode(text), bytes);
    }
}

TEST(Base64, EveryByteComesBack) {
    std::string bytes;
    for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
    EXPECT_EQ(base64decode(base64encode(bytes)), bytes);
}

TEST(Base64, LinesAndWrongDigits) {
    EXPECT_EQ(base64decode("Zm9v\nYmFy\r\n"), "foobar");
    EXPECT_THROW(base64decode("Zm9v!"), std::invalid_argument);
}

}  // namespace
