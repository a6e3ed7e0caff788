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

TEST(Tokens, WhatHasNoEndIsUnfinished) {
    for (const char* open : {"/* a\nb", "\"a", "'a", "R\"x(a\nb)y\""}) {
        const std::string code = std::string("x; ") + open;
        const Tokens tokens = tokenize(code);
        EXPECT_EQ(tokens.back().kind, TokenKind::unfinished) << open;
        EXPECT_EQ(tokens.back().text, open);
    }
    EXPECT_EQ(texts("#define A 1 /* x"), (Texts{"#define A 1 ", "/* x"}));
    EXPECT_EQ(texts("x /* 1 */ ; // 2"), (Texts{"x", ";"}));
}

TEST(Tokens, LinesOfACellMayBeNoCpp) {
    const std::string code = "x\n!ls /tmp/* 'it \\\n  more\ny % z";
    const Tokens tokens = tokenize_cell(code);
    ASSERT_EQ(tokens.size(), 5U);
    EXPECT_EQ(tokens[1].kind, TokenKind::magic);
    EXPECT_EQ(tokens[1].text, "!ls /tmp/* 'it \\\n  more");
    EXPECT_EQ(tokens[2].line, 4U);
    const Tokens whole = tokenize_cell("// first\n%%bash\necho /*\n");
    ASSERT_EQ(whole.size(), 1U);
    EXPECT_EQ(whole[0].text, "%%bash\necho /*\n");
}

TEST(Tokens, BracketsAreSteppedOver) {
    const Tokens tokens = tokenize("f(a; b) ; g({");
    EXPECT_EQ(tokens.closing(1), 5U);
    EXPECT_EQ(tokens.after(0), 1U);
    EXPECT_EQ(tokens.after(1), 6U);
    EXPECT_EQ(tokens.find(0, {";"}), 6U);
    EXPECT_EQ(tokens.find(7, {";"}), tokens.size());
    EXPECT_EQ(tokens[tokens.size()].kind, TokenKind::none);
    EXPECT_EQ(Tokens().back().kind, TokenKind::none);
}

TEST(SourceText, BlanksInPlace) {
    SourceText moved("int a;\nint b;");
    SourceText source = std::move(moved);
    source.blank(0, 6);
    EXPECT_EQ(source.code(), "      \nint b;");
    ASSERT_EQ(source.tokens().size(), 3U);
    EXPECT_EQ(source.tokens()[1].text, "b");
    EXPECT_EQ(source.tokens()[1].line, 2U);
}

}  // namespace
TEST(Tokens, FollowTheStandard) {
    const auto count = [] { return tokenize("a <=> b").size(); };
    EXPECT_EQ(count(), 4u);  // a <= > b
    for (const char* standard : {"c++20", "c++23", "gnu++2b"}) {
        use_language_standard(standard);
        EXPECT_EQ(count(), 3u) << standard;
    }
    for (const char* standard : {"c++98", "c++17"}) {
        use_language_standard(standard);
        EXPECT_EQ(count(), 4u) << standard;
    }
}

}  // namespace xcpp_session
