#include "session/text/tokens.hpp"

#include <gtest/gtest.h>

namespace xcpp_session {
namespace {

std::vector<std::string> texts(std::string_view code) {
    std::vector<std::string> found;
    for (const Token& token : tokenize(code)) found.emplace_back(token.text);
    return found;
}

using Texts = std::vector<std::string>;

TEST(Tokens, ADirectiveEndsWithItsLine) {
    EXPECT_EQ(texts("#define A 1\nx"), (Texts{"#define A 1", "x"}));
    EXPECT_EQ(texts("#define A \\\n 1\nx"), (Texts{"#define A \\\n 1", "x"}));
    EXPECT_EQ(texts("#define A /* 1\n2 */ 3\nx"), (Texts{"#define A /* 1\n2 */ 3", "x"}));
}

TEST(Tokens, AStringOfADirectiveOpensNoComment) {
    for (const char* line :
         {R"(#define GLOB "/tmp/*.txt")", R"(#define Q '"' /* " */)", R"(#define E "\"/*")",
          "#define N 3 // see /* there", "#error don't /* stop */ here"})
        EXPECT_EQ(texts(std::string(line) + "\nx"), (Texts{line, "x"}));
}

TEST(Tokens, SpacesMayFollowTheBackslashThatContinuesADirective) {
    EXPECT_EQ(texts("#define A \\ \t\n 1\nx"), (Texts{"#define A \\ \t\n 1", "x"}));
}

}  // namespace
}  // namespace xcpp_session
