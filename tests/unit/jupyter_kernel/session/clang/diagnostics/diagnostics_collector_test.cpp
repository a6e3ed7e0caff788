#include "session/clang/diagnostics/diagnostics_collector.hpp"

#include "with_compiler.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace {

using namespace xcpp_session;

std::vector<Finding> found_in(const std::string& cell, const std::string& before = "",
                              const std::function<unsigned(unsigned, unsigned)>& map_column = {}) {
    std::vector<Finding> findings;
    xcpp_test::with_compiler(
        before, [&](clang::CompilerInstance& compiler, const xcpp_test::Parse& parse) {
            DiagnosticCollector collector;
            collector.map_column = map_column;
            collector.begin(4, cell);
            compiler.getDiagnostics().setClient(&collector, false);
            parse("inline namespace __c4 {\n#line 1 \"In[4]\"\n" + cell + "\n}");
            findings = collector.take();
            compiler.getDiagnostics().setClient(new clang::IgnoringDiagConsumer, true);
        });
    return findings;
}

TEST(DiagnosticCollector, PlacesRangesAndFixes) {
    const auto findings = found_in("int a = 1;\nint b = a +  ;\nint c = 3\n");
    ASSERT_EQ(findings.size(), 2u);
    EXPECT_EQ(findings[0].level, Level::error);
    EXPECT_EQ(findings[0].place.file, "In[4]");
    EXPECT_EQ(findings[0].place.line, 2u);
    EXPECT_EQ(findings[0].place.column, 14u);
    EXPECT_EQ(findings[1].place.line, 3u);
    ASSERT_EQ(findings[1].fixits.size(), 1u);
    EXPECT_EQ(findings[1].fixits[0].text, ";");
}

TEST(DiagnosticCollector, NotesBelongToTheirError) {
    const auto findings = found_in("int f(int a, int b);\nint x = f(1);");
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].message, "no matching function for call to 'f'");
    ASSERT_EQ(findings[0].notes.size(), 1u);
    EXPECT_EQ(findings[0].notes[0].place.line, 1u);
    EXPECT_EQ(findings[0].notes[0].source_line, "int f(int a, int b);");
}

TEST(DiagnosticCollector, OwnNamesAreTakenOut) {
    const auto findings = found_in("int x = __xcpp_run_3;");
    ASSERT_FALSE(findings.empty());
    EXPECT_EQ(findings[0].message, "use of undeclared identifier the cell");
}

TEST(DiagnosticCollector, ColumnsAreMappedBack) {
    const auto findings =
        found_in("   unknown x;", "", [](unsigned, unsigned column) { return column - 2; });
    ASSERT_FALSE(findings.empty());
    EXPECT_EQ(findings[0].place.column, 2u);
}

TEST(DiagnosticCollector, PlacesBehindTheCellAreItsEnd) {
    const auto findings = found_in("int x =");
    ASSERT_FALSE(findings.empty());
    EXPECT_EQ(findings[0].place.line, 1u);
    EXPECT_EQ(findings[0].place.column, 8u);
}

// In a process of its own: a compiler that an exception left is good for nothing, not even for its
// destructor.
TEST(DiagnosticCollector, GivesUpAfterTooManyErrors) {
    std::string cell;
    for (int i = 0; i < 30; ++i)
        cell += "int v" + std::to_string(i) + " = u" + std::to_string(i) + ";\n";
    const auto lose_the_way = [&] {
        xcpp_test::with_compiler(
            "", [&](clang::CompilerInstance& compiler, const xcpp_test::Parse& parse) {
                DiagnosticCollector collector;
                collector.begin(4, cell);
                compiler.getDiagnostics().setClient(&collector, false);
                compiler.getDiagnostics().setErrorLimit(20);
                try {
                    parse("#line 1 \"In[4]\"\n" + cell);
                } catch (const ParserLost&) {
                    _exit(collector.findings().size() == 20 ? 20 : 1);
                }
            });
    };
    EXPECT_EXIT(lose_the_way(), testing::ExitedWithCode(20), "");
}

}  // namespace
