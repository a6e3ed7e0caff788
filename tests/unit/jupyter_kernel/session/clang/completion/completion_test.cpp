#include "session/clang/completion/completion.hpp"

#include "session/clang/completion/completion_context.hpp"
#include "with_compiler.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using namespace xcpp_session;

constexpr const char* before = R"(
#define MY_MACRO(a) ((a) + 1)
namespace lib { struct Box { int width; int volume() const; private: int secret; }; void boxes(); namespace inner { int deep; } }
inline namespace __c1 {
#line 1 "In[1]"
/// Adds two numbers.
int my_add(int first, int second = 2) { return first + second; }
double my_add(double a, double b) { return a + b; }
struct Point { double px; double norm() const { return px; } };
Point my_point;
lib::Box* my_box;
void __xcpp_hidden();
}
)";

// The cursor is where the | stands, or at the end.
std::size_t take_cursor(std::string& code) {
    const std::size_t at = code.find('|');
    if (at == std::string::npos) return code.size();
    code.erase(at, 1);
    return at;
}

Completions completed(std::string code) {
    const std::size_t cursor = take_cursor(code);
    Completions result;
    xcpp_test::with_compiler(
        before, [&](clang::CompilerInstance& compiler, const xcpp_test::Parse& parse) {
            compiler.getDiagnostics().setClient(new clang::IgnoringDiagConsumer, true);
            result = complete(compiler, parse, code, cursor);
        });
    return result;
}

std::vector<std::string> names(const std::string& code) {
    std::vector<std::string> texts;
    for (const Match& match : completed(code).matches) texts.push_back(match.text);
    return texts;
}

Inspection inspected(std::string code, int detail = 0) {
    const std::size_t cursor = take_cursor(code);
    Inspection result;
    xcpp_test::with_compiler(
        before, [&](clang::CompilerInstance& compiler, const xcpp_test::Parse& parse) {
            compiler.getDiagnostics().setClient(new clang::IgnoringDiagConsumer, true);
            result = inspect(compiler, parse, code, cursor, detail);
        });
    return result;
}

using Names = std::vector<std::string>;

TEST(Completion, MembersNamespacesAndGlobals) {
    EXPECT_EQ(names("my_point."), (Names{"norm", "px"}));
    EXPECT_EQ(names("my_box->"), (Names{"volume", "width"}));
    EXPECT_EQ(names("lib::"), (Names{"Box", "boxes", "inner"}));
    EXPECT_EQ(names("lib::inner::de"), (Names{"deep"}));
    EXPECT_EQ(names("my_"), (Names{"my_add", "my_box", "my_point", "MY_MACRO"}));
    EXPECT_EQ(names("MY_M"), (Names{"MY_MACRO"}));
    EXPECT_EQ(names("whi"), (Names{"while"}));
    EXPECT_EQ(names("__xc"), (Names{}));
    EXPECT_EQ(names("namesp"), (Names{"namespace"}));
    EXPECT_EQ(names("int f();\ntempla"), (Names{"template"}));
}

TEST(Completion, NamesOfTheCellItself) {
    EXPECT_EQ(names("int local_one = 3; loc"), (Names{"local_one", "thread_local"}));
    EXPECT_EQ(names("int helper(int a) { return a; }\nhelp"), (Names{"helper"}));
    EXPECT_EQ(names("int f(int argument) { return arg| }"), (Names{"argument"}));
    EXPECT_EQ(names("struct S { int alpha; int g() { return alph| } };"), (Names{"alpha"}));
    EXPECT_EQ(names("auto f = [&](int inner) { return inne"), (Names{"inner"}));
    EXPECT_EQ(names("for (int index = 0; ind"), (Names{"index"}));
    EXPECT_EQ(names("template <class T> T f(T value_x) { return value_| }"), (Names{"value_x"}));
}

TEST(Completion, TheNewestClassCounts) {
    EXPECT_EQ(names("struct Point { int newer; }; Point q; q."), (Names{"newer"}));
}

TEST(Completion, AnArrowForThePointOfAPointer) {
    EXPECT_EQ(names("my_box.wi"), (Names{"->width"}));
    const Completions found = completed("my_box.|");
    ASSERT_EQ(found.matches.size(), 2U);
    EXPECT_EQ(found.matches[0].text, "->volume");
    EXPECT_EQ(found.start, 6U);
    EXPECT_EQ(found.end, 7U);
    EXPECT_EQ(names("my_point->"), (Names{".norm", ".px"}));
    EXPECT_EQ(names("my_box->wi"), (Names{"width"}));
}

TEST(Completion, NothingInsideTextAndComments) {
    for (const char* code : {"\"my_|\"", "// my_", "/* my_| */", "!my_", "%%file x\nmy_"})
        EXPECT_EQ(names(code), Names{}) << code;
}

TEST(Completion, MagicsAndTheirStatements) {
    EXPECT_EQ(names("%ti"), (Names{"%timeit"}));
    EXPECT_EQ(names("%%tim"), (Names{"%%timeit"}));
    EXPECT_EQ(names("%timeit -n 3 my_point.no"), (Names{"norm"}));
    EXPECT_EQ(names("%%timeit\nmy_point.no"), (Names{"norm"}));
    EXPECT_EQ(names("%%timeit -n 3 auto my_copy = my_point;\nmy_copy.no"), (Names{"norm"}));
    EXPECT_EQ(names("?my_point.no"), (Names{"norm"}));
    EXPECT_EQ(names("1\n!ls /*\nmy_point.no"), (Names{"norm"}));
}

TEST(Completion, AbbreviationsComeBehindBeginnings) {
    EXPECT_EQ(names("mp"), (Names{"my_point"}));
    EXPECT_EQ(names("mypo"), (Names{"my_point"}));
    EXPECT_EQ(names("MY_P"), (Names{"my_point"}));
    EXPECT_EQ(names("int mb = 1, my_bag = 2, some_mb = 3; mb"),
              (Names{"mb", "my_bag", "some_mb", "my_box"}));
    EXPECT_EQ(names("oint"), Names{});
}

TEST(Completion, TheExpectedTypeFirst) {
    const Names found = names("enum class Colour { crimson, blue }; int cyan; Colour c = c");
    ASSERT_GT(found.size(), 2U);
    EXPECT_EQ(found[0], "Colour::crimson");
}

TEST(Completion, Documentation) {
    const Completions found = completed("my_ad");
    ASSERT_EQ(found.matches.size(), 1U);
    EXPECT_EQ(found.matches[0].documentation, "Adds two numbers.");
    EXPECT_EQ(completed("my_po").matches.at(0).documentation, "");
}

TEST(Completion, TypesSignaturesAndWhatIsReplaced) {
    const Completions found = completed("int x = my_point.no|rm");
    ASSERT_EQ(found.matches.size(), 1u);
    EXPECT_EQ(found.start, 17u);
    EXPECT_EQ(found.end, 19u);
    EXPECT_EQ(found.matches[0].type, "function");
    EXPECT_EQ(found.matches[0].signature, "() const -> double");
}

TEST(Inspection, AllOverloadsWithCommentAndPlace) {
    const Inspection found = inspected("my_a|dd(1, 2)");
    EXPECT_TRUE(found.found);
    EXPECT_NE(found.text.find("int my_add(int first, int second = 2)"), std::string::npos)
        << found.text;
    EXPECT_NE(found.text.find("double my_add(double a, double b)"), std::string::npos);
    EXPECT_NE(found.text.find("Adds two numbers."), std::string::npos);
    EXPECT_NE(found.text.find("declared in In[1], line 2"), std::string::npos);
    EXPECT_NE(found.html.find("<pre>"), std::string::npos);
}

TEST(Inspection, WhatIsUnderOrCalledAtTheCursor) {
    EXPECT_NE(inspected("my_add(1, |)").text.find("int my_add"), std::string::npos);
    EXPECT_NE(inspected("?my_point.norm").text.find("double norm() const"), std::string::npos);
    EXPECT_NE(inspected("my_point").text.find("Point my_point"), std::string::npos);
    EXPECT_NE(inspected("MY_MACRO").text.find("#define MY_MACRO(a) ((a) + 1)"), std::string::npos);
    EXPECT_NE(inspected("lib::Box", 1).text.find("int volume() const"), std::string::npos);
    EXPECT_EQ(inspected("lib::Box", 1).text.find("secret"), std::string::npos);
    EXPECT_FALSE(inspected("nobody_knows").found);
    EXPECT_FALSE(inspected("42").found);
}

}  // namespace
