#include "session/clang/diagnostics/diagnostics.hpp"

#include <gtest/gtest.h>

namespace {

using namespace xcpp_session;

Finding finding(Level level, const char* message, SourcePlace place) {
    Finding made;
    made.level = level;
    made.message = message;
    made.place = std::move(place);
    return made;
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    // Without colours.
    for (std::size_t at = text.find('\x1b'); at != std::string::npos; at = text.find('\x1b', at))
        text.erase(at, text.find('m', at) + 1 - at);
    return text;
}

TEST(Diagnostics, GeneratedNamesAreNotShown) {
    EXPECT_EQ(without_generated_names("no member named 'x' in '__c12::Point'"),
              "no member named 'x' in 'Point'");
    EXPECT_EQ(without_generated_names("in function '__xcpp_run_5' here"),
              "in function the cell here");
    EXPECT_EQ(without_generated_names("my__c1::x __cx::y"), "my__c1::x __cx::y");
    EXPECT_EQ(without_generated_names("'std::string' (aka 'basic_string<char>')"), "'std::string'");
}

TEST(Diagnostics, LineCaretRangeAndFix) {
    Finding error = finding(Level::error, "expected ';' at end of declaration", {"In[5]", 2, 10});
    error.ranges = {{5, 9}};
    error.fixits = {{{10, 9}, ";"}};
    const CompileReport report = render_errors({error}, "int b;\nint a = 3\n", 5);
    EXPECT_EQ(report.evalue, "line 2: expected ';' at end of declaration");
    EXPECT_EQ(joined(report.traceback),
              "In[5]:2:10: error: expected ';' at end of declaration\n"
              "    2 | int a = 3\n"
              "      |     ~~~~~^\n"
              "      |          ;\n"
              "hint: a ; is missing at the caret.\n");
}

TEST(Diagnostics, CaretUnderCharactersOfSeveralBytesAndTabs) {
    const std::string text = "\tf(\"äö\") + x;";
    const CompileReport report = render_errors(
        {finding(Level::error, "bad x", {"In[1]", 1, static_cast<unsigned>(text.find('x')) + 1})},
        text, 1);
    EXPECT_NE(joined(report.traceback).find("| \t          ^\n"), std::string::npos)
        << joined(report.traceback);
}

TEST(Diagnostics, AtMostThreeErrors) {
    std::vector<Finding> many;
    for (unsigned i = 1; i <= 5; ++i) many.push_back(finding(Level::error, "bad", {"In[1]", i, 1}));
    const std::string text = joined(render_errors(many, "a\nb\nc\nd\ne", 1).traceback);
    EXPECT_NE(text.find("In[1]:3:1"), std::string::npos);
    EXPECT_EQ(text.find("In[1]:4:1"), std::string::npos);
    EXPECT_NE(text.find("and 2 more errors; %%verbose shows all"), std::string::npos);
    EXPECT_NE(joined(render_errors(many, "a\nb\nc\nd\ne", 1, true).traceback).find("In[1]:5:1"),
              std::string::npos);
}

TEST(Diagnostics, AHintIsGivenOnce) {
    const std::string text = "f()\ng()";
    std::vector<Finding> two = {
        finding(Level::error, "expected ';' after expression", {"In[1]", 1, 4}),
        finding(Level::error, "expected ';' after expression", {"In[1]", 2, 4})};
    const std::string shown = joined(render_errors(two, text, 1).traceback);
    EXPECT_NE(shown.find("In[1]:2:4"), std::string::npos) << shown;
    EXPECT_NE(shown.find("hint:"), std::string::npos) << shown;
    EXPECT_EQ(shown.find("hint:"), shown.rfind("hint:")) << shown;
}

TEST(Diagnostics, AnErrorInsideAHeaderIsShownAtTheCellsLine) {
    Finding error = finding(Level::error, "static assertion failed",
                            {"/usr/include/c++/12/bits/stl_algo.h", 77, 3});
    error.notes = {
        finding(Level::note, "in instantiation of f<A> requested here", {"/usr/include/x.h", 1, 1}),
        finding(Level::note, "in instantiation of g<A> requested here", {"In[7]", 2, 3})};
    const CompileReport report = render_errors({error}, "one\n  sort(v);\n", 7);
    EXPECT_EQ(report.evalue, "line 2: static assertion failed");
    const std::string text = joined(report.traceback);
    EXPECT_NE(text.find("In[7]:2:3: error: static assertion failed\n    2 |   sort(v);\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("found in stl_algo.h:77"), std::string::npos);
    EXPECT_EQ(text.find("requested here"), std::string::npos);
}

TEST(Diagnostics, ConsequencesOfAnUnknownNameAreNotToldAgain) {
    const std::vector<Finding> findings = {
        finding(Level::error, "use of undeclared identifier 'foo'; did you mean 'for'?",
                {"In[1]", 1, 9}),
        finding(Level::error, "expected expression", {"In[1]", 1, 9})};
    const CompileReport report = render_errors(findings, "int x = foo + 1;", 1);
    EXPECT_EQ(report.evalue, "line 1: use of undeclared identifier 'foo'");
    EXPECT_EQ(joined(report.traceback).find("expected expression"), std::string::npos);
}

TEST(Diagnostics, OnlyWarningsInCellsAreShown) {
    const std::vector<Finding> findings = {
        finding(Level::warning, "in a header", {"/usr/include/a.h", 1, 1}),
        finding(Level::warning, "in the cell", {"In[2]", 1, 1}),
        finding(Level::error, "an error", {"In[2]", 1, 1})};
    const std::string text = render_warnings(findings, "x", 2);
    EXPECT_NE(text.find("in the cell"), std::string::npos);
    EXPECT_EQ(text.find("header"), std::string::npos);
    EXPECT_EQ(text.find("an error"), std::string::npos);
    EXPECT_EQ(render_warnings({}, "x", 2), "");
}

TEST(Diagnostics, LinkErrors) {
    const CompileReport function = render_link_error(
        "JIT session error: Symbols not found: [ _ZN4__c33fooEi ]\nFailed to materialize symbols");
    EXPECT_EQ(function.evalue.find("__c"), std::string::npos) << function.evalue;
    EXPECT_EQ(render_link_error("Symbols not found: [ _Z3foov ]").evalue,
              "foo() is declared but nowhere defined");
    EXPECT_EQ(render_link_error("Symbols not found: [ _Z3foov, _Z3barv ]").evalue,
              "foo() is declared but nowhere defined (and 1 more)");
    EXPECT_NE(joined(render_link_error("Symbols not found: [ cblas_dgemm ]").traceback)
                  .find("libopenblas"),
              std::string::npos);
    EXPECT_NE(
        render_link_error("Symbols not found: [ _ZTV1A ]").evalue.find("A has virtual functions"),
        std::string::npos);
    EXPECT_EQ(render_link_error("something else\nmore").evalue, "something else");
}

TEST(Diagnostics, OwnErrors) {
    const CompileReport report = render_own_error("In[3]", "f(\n", "'(' is never closed", 1, 2);
    EXPECT_EQ(report.evalue, "line 1: '(' is never closed");
    EXPECT_EQ(joined(report.traceback),
              "In[3]:1:2: error: '(' is never closed\n    1 | f(\n      |  ^\n");
}

}  // namespace
