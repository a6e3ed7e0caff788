#include "session/text/directives.hpp"

#include <gtest/gtest.h>

namespace {

using namespace xcpp_session;

std::string without(const std::string& code, bool known = true) {
    SourceText source(code);
    blank_guards(source, [known](std::string_view) { return known; });
    return source.code();
}

TEST(Guards, AreFoundAroundSomething) {
    const std::string code =
        "int before;\n#ifndef A_HPP  // once\n#define A_HPP\n#if 1\nint a;\n#endif\n#endif\nint "
        "behind;";
    const Tokens tokens = tokenize(code);
    const std::vector<Guard> guards = guards_in(tokens);
    ASSERT_EQ(guards.size(), 1U);
    EXPECT_EQ(guards[0].name, "A_HPP");
    EXPECT_FALSE(guards[0].has_value);
    EXPECT_EQ(tokens[guards[0].first].line, 2U);
    EXPECT_EQ(tokens[guards[0].last].line, 7U);
}

TEST(Guards, OtherConditionsAreNone) {
    for (const char* code :
         {"#ifndef A\n#define B\nint a;\n#endif", "#ifdef A\n#define A\nint a;\n#endif",
          "#ifndef A\n#define A\nint a;\n#else\nint b;\n#endif",
          "#ifndef A\nint a;\n#define A\n#endif", "#if !defined(A) && B\n#define A\nint a;\n#endif",
          "#ifndef A\n#define A\n#endif", "#if X\n#ifndef A\n#define A\nint a;\n#endif\n#endif",
          "#ifndef A\n#define A\nint a;"})
        EXPECT_TRUE(guards_in(tokenize(code)).empty()) << code;
}

TEST(Guards, AreTakenOutInPlace) {
    const std::string code = "#ifndef A\n#define A\nint a;\n#endif\na";
    EXPECT_EQ(without(code), "         \n#define A\nint a;\n      \na");
    EXPECT_EQ(without(code, false), code);  // the first time
    const std::string second = "#if !defined(A)\n#define A\nint b;\n#endif";
    EXPECT_EQ(without(code + "\n" + second).substr(code.size() + 1), second);
}

TEST(Guards, ADefaultOfAMacroStays) {
    const std::string code = "#ifndef SIZE\n#define SIZE 100\nint a[SIZE];\n#endif";
    EXPECT_EQ(without(code), code);
}

TEST(Guards, PragmaOnce) {
    EXPECT_TRUE(is_pragma_once(tokenize("#pragma once")[0]));
    EXPECT_TRUE(is_pragma_once(tokenize("#  pragma   once  // please")[0]));
    EXPECT_FALSE(is_pragma_once(tokenize("#pragma omp once")[0]));
    EXPECT_FALSE(is_pragma_once(tokenize("#pragma once_more")[0]));
}

TEST(Branches, TheOtherOneIsBlankedOut) {
    SourceText source("#if A\nint a = 1;\n#else\nint b = 2;\n#endif\nint c;");
    const auto only_else = [](const std::string&) { return std::vector<int>{1}; };
    blank_other_branches(source, LineOrigins("In[1]", 1), only_else);
    EXPECT_EQ(source.code(), "     \n          \n     \nint b = 2;\n      \nint c;");
    ASSERT_EQ(source.tokens().size(), 8U);
    EXPECT_EQ(source.tokens()[0].line, 4U);
}

}  // namespace
