#include "session/text/completeness.hpp"

#include <gtest/gtest.h>

namespace {

using xcpp_session::check_completeness;
using xcpp_session::Completeness;
using xcpp_session::CompletenessStatus;

struct Case {
    const char* code;
    CompletenessStatus status;
};

constexpr auto complete = CompletenessStatus::complete;
constexpr auto incomplete = CompletenessStatus::incomplete;
constexpr auto invalid = CompletenessStatus::invalid;

TEST(Completeness, Statuses) {
    const Case cases[] = {
        {"", complete},
        {"1", complete},
        {"int j=5", complete},
        {"x++", complete},
        {"double sqr(double a", incomplete},
        {"int f() {", incomplete},
        {"int f() {\n}", complete},
        {"f(1, [2)", invalid},
        {"}", invalid},
        {"\"open", invalid},
        {"\"closed \\\" still\"", complete},
        {"char c = '{';", complete},
        {"int million = 1'000'000; // {", complete},
        {"int hex = 0xFF'FF;", complete},
        {"/* never closed", incomplete},
        {"/* { */ int x;", complete},
        {"auto s = R\"(text ) \" (\")\";", complete},
        {"auto s = R\"x(a )\" ( b)x\";", complete},
        {"auto s = R\"x(a )\" (", incomplete},
        {"auto s = u8R\"(\n{\n)\";", complete},
        {"#define A \\\n", incomplete},
        {"#define A {\nint x;", complete},
        {"#if 1\nint x;", incomplete},
        {"#ifdef A\nint f() {\n#else\nint g() {\n#endif\n}", complete},
        {"#if 0\nthis isn't C++ (\n#endif\nint x;", complete},
        {"#endif", invalid},
        {"#else", invalid},
        {"#error don't", complete},
        {"template <typename T", incomplete},
        {"template <typename T>", incomplete},
        {"template <int N = (3 > 2)> struct A {};", complete},
        {"int x = 1 +", incomplete},
        {"std::is_same_v<int, int>", complete},
        {"std::is_same_v<std::vector<int>, int>", complete},
        {"1 >", incomplete},
        {"*/", invalid},
        {"x */ y", invalid},
        {"#define E \"\\\"/*\"\nint x;", complete},
        {"std::cout <<", incomplete},
        {"if (x)", incomplete},
        {"if constexpr (x)", incomplete},
        {"for (int i = 0; i < 3; ++i)", incomplete},
        {"do { } while (x)", complete},
        {"do { }", incomplete},
        {"try { f(); }", incomplete},
        {"try { f(); } catch (...) { }", complete},
        {"if (x) { } else", incomplete},
        {"int x; \\", incomplete},
        {"a < b", complete},
        {"std::vector<std::vector<int>> v;", complete},
        {"f<(1 > 2)>(3)", complete},
    };
    for (const Case& test : cases)
        EXPECT_EQ(check_completeness(test.code).status, test.status) << test.code;
}

TEST(Completeness, MagicLinesAreComplete) {
    for (const char* code : {"%timeit f(", "?std::vector<", "!echo \"open", "%%file a.txt\n{ ( \"",
                             "int x = 1;\n!ls 'it\nint y;", "%who"})
        EXPECT_EQ(check_completeness(code).status, complete) << code;
    // Inside an expression they are operators.
    EXPECT_EQ(check_completeness("f(a\n!b").status, incomplete);
    EXPECT_EQ(check_completeness("int x = a\n%b[").status, incomplete);
}

TEST(Completeness, NamesTheBracketAndItsLine) {
    const Completeness open = check_completeness("int a;\nvoid f() {\n  g(1);\n");
    EXPECT_EQ(open.line, 2u);
    EXPECT_EQ(open.column, 10u);
    EXPECT_EQ(open.message, "'{' is never closed: a '}' is missing");
    EXPECT_FALSE(open.may_be_parsed);
    const Completeness wrong = check_completeness("f(\n1, 2}");
    EXPECT_EQ(wrong.line, 2u);
    EXPECT_EQ(wrong.message, "'}' does not close the '(' of line 1");
    EXPECT_NE(check_completeness("auto s = R\"ab(x").message.find(")ab\""), std::string::npos);
}

TEST(Completeness, IndentationPointsAtTheBraceThatIsMeant) {
    const Completeness found = check_completeness("void f() {\n    if (x) {\n        g();\n}\n");
    EXPECT_NE(found.message.find("line 2"), std::string::npos) << found.message;
}

TEST(Completeness, IndentOfTheNextLine) {
    EXPECT_EQ(check_completeness("int f() {").indent, "    ");
    EXPECT_EQ(check_completeness("int f() {\n    if (x) {").indent, "        ");
    EXPECT_EQ(check_completeness("int f() {\n    int x;").indent, "    ");
}

TEST(Completeness, OperatorsAtTheEndAreLeftToTheCompiler) {
    EXPECT_TRUE(check_completeness("int x = 1 +").may_be_parsed);
    EXPECT_FALSE(check_completeness("f(").may_be_parsed);
}

}  // namespace
