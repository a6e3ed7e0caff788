// What a function is made of, asked as the session asks: cells are inline namespaces __cN in
// "files" In[N].
#include "parsed.hpp"
#include "xcpp/analysis.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

using analysis_test::Parsed;
using nlohmann::json;

int number_in(std::string_view text, std::string_view start) {
    return text.substr(0, start.size()) == start
               ? std::atoi(std::string(text.substr(start.size())).c_str())
               : 0;
}

// Cells with one declaration each.
class Cells {
public:
    Cells(const std::string& library, const std::vector<xcpp::CellDeclaration>& declarations)
        : declarations_(declarations), parsed_(text(library)) {}

    json report_on(const std::string& name, const void* address = nullptr) {
        xcpp::AnalysisInput input = {parsed_.context(),
                                     name,
                                     address,
                                     {},
                                     declarations_,
                                     [](std::string_view file) { return number_in(file, "In["); },
                                     [](std::string_view space) { return number_in(space, "__c"); },
                                     [](const std::string&) { return false; },
                                     [this](const clang::FunctionDecl* function) -> const void* {
                                         return function == parsed_.function("at_one") ? &one_
                                                                                       : nullptr;
                                     },
                                     [](const clang::VarDecl*) -> clang::Expr* { return nullptr; }};
        for (const auto& declaration : declarations_)
            for (const std::string& declared : declaration.names)
                for (const auto* function : parsed_.functions(declared))
                    input.names.push_back({declared, function});
        std::string report;
        return xcpp_analyse(input, report) ? json::parse(report) : json();
    }
    const void* one() const { return &one_; }

private:
    std::string text(std::string code) {
        for (const auto& one : declarations_)
            code += "\ninline namespace __c" + std::to_string(one.unit) + " {\n#line 1 \"In[" +
                    std::to_string(one.cell) + "]\"\n" + one.text + "\n}";
        return code;
    }
    std::vector<xcpp::CellDeclaration> declarations_;
    Parsed parsed_;
    char one_ = 0;
};

xcpp::CellDeclaration cell(int number, std::vector<std::string> names, std::string text) {
    return {number + 10, number, 1, {}, std::move(names), std::move(text)};
}

const char* const library = "namespace out { inline int twice(int x) { return 2 * x; } }";

TEST(References, FollowsAFunctionThroughOtherCells) {
    Cells cells(library, {cell(1, {"g"}, "int g(int x) { return out::twice(x); }"),
                          cell(2, {"other"}, "int other() { return 1; }"),
                          cell(3, {"f"}, "int f(int x) {\n return g(x); }")});
    const json report = cells.report_on("f");
    ASSERT_EQ(report["references"].size(), 1U);
    EXPECT_EQ(
        report["references"][0],
        json(
            {{"name", "out::twice"}, {"kind", "function"}, {"cell", 1}, {"line", 1}, {"in", "g"}}));
    EXPECT_EQ(report["cells"], json({1, 3}));
    ASSERT_EQ(report["definitions"].size(), 2U);
    EXPECT_EQ(report["definitions"][0]["names"], json({"g"}));
    EXPECT_EQ(report["definitions"][1]["names"], json({"f"}));
}

TEST(References, TakesTheAliasesAndMacrosThatATextNames) {
    Cells cells(library,
                {cell(1, {"Number"}, "using Number = int;"), cell(2, {}, "#define TWO 2"),
                 cell(3, {}, "#define UNUSED 3"), cell(4, {"f"}, "Number f() { return TWO; }")});
    const json report = cells.report_on("f");
    std::vector<std::string> texts;
    for (const auto& one : report["definitions"]) texts.push_back(one["text"]);
    EXPECT_EQ(texts, (std::vector<std::string>{"using Number = int;", "#define TWO 2",
                                               "Number f() { return TWO; }"}));
}

TEST(References, ReportsRacesWithTheirLinesInTheCell) {
    Cells cells("", {cell(7, {"f"},
                          "double f(const double* a, int n) {\ndouble sum = 0;\n"
                          "#pragma omp parallel for\n"
                          "for (int i = 0; i < n; ++i)\nsum += a[i];\nreturn sum; }")});
    const json races = cells.report_on("f")["races"];
    ASSERT_EQ(races.size(), 1U);
    EXPECT_EQ(races[0]["name"], "sum");
    EXPECT_EQ(races[0]["cell"], 7);
    EXPECT_EQ(races[0]["line"], 5);
    EXPECT_EQ(races[0]["pragma"], 3);
}

TEST(References, SaysWhetherTheFunctionIsAtTheAddress) {
    Cells cells("", {cell(1, {"at_one", "f"}, "int at_one() { return 1; } int f() { return 2; }")});
    EXPECT_EQ(cells.report_on("at_one", cells.one())["matches"], true);
    EXPECT_EQ(cells.report_on("f", cells.one())["matches"], false);
    EXPECT_EQ(cells.report_on("f")["matches"], true);
}

TEST(References, KnowsNothingOfANameThatNoCellHolds) {
    Cells cells(library, {cell(1, {"f"}, "int f() { return 1; }")});
    EXPECT_TRUE(cells.report_on("twice").is_null());
}

}  // namespace
