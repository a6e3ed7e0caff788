// Which declaration a name means after several cells. The cells take the whole way through
// CellPipeline and the compiler; no code is made and nothing runs.
#include "session/clang/names/session_names.hpp"
#include "session/cell_pipeline.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

namespace {

namespace fs = std::filesystem;
using namespace xcpp_session;

class SessionNamesTest : public testing::Test {
protected:
    SessionNamesTest()
        : folder_(fs::temp_directory_path() / ("session_names_" + std::to_string(getpid()))) {
        fs::create_directories(folder_ / "xcpp");
        std::ofstream(folder_ / "xcpp/preamble.hpp");  // the real one takes seconds to parse
        InterpreterOptions options;
        options.arguments = {"-std=c++17", "-I" + folder_.string()};
        options.compile_only = true;
        interpreter_.emplace(options);
        pipeline_.emplace(*interpreter_);
    }
    ~SessionNamesTest() override { fs::remove_all(folder_); }

    void run(const std::string& text) {
        std::vector<CodeLine> lines;
        pipeline_->compile({SourceText(text), 1, ++cell_, text}, lines);
    }
    // "int n [1]; void f() [2]; ": names with type or kind, and the cell.
    std::string held() {
        std::string text;
        for (const HeldName& one : interpreter_->names().held())
            text += one.name + ": " + (one.type.empty() ? one.kind : one.type) + " [" +
                    std::to_string(one.cell) + "]; ";
        return text;
    }
    SessionNames& names() { return interpreter_->names(); }

    fs::path folder_;
    std::optional<Interpreter> interpreter_;
    std::optional<CellPipeline> pipeline_;
    int cell_ = 0;
};

TEST_F(SessionNamesTest, TheNewestDeclarationCounts) {
    run("int n = 1;");
    run("double n = 2;");
    EXPECT_EQ(held(), "n: double [2]; ");
    EXPECT_FALSE(names().holds("n", 1));
    EXPECT_TRUE(names().holds("n", 2));
    run("struct n { int x; };\nn one{1};");
    EXPECT_EQ(held(), "n: type [3]; one: n [3]; ");
}

TEST_F(SessionNamesTest, AFunctionIsReplacedByOneOfTheSameParametersOnly) {
    run("int f(int x) { return x; }");
    run("int f(double x) { return 2; }");
    EXPECT_EQ(held(), "f: int (int) [1]; f: int (double) [2]; ");
    run("int f(int x) { return x + 1; }");
    EXPECT_EQ(names().replaced(), (std::vector<std::pair<std::string, int>>{{"f", 1}}));
    EXPECT_EQ(held(), "f: int (double) [2]; f: int (int) [3]; ");
}

// The notebook's cell was corrected and run again: its older function is no overload.
TEST_F(SessionNamesTest, AFunctionOfAnOlderRunOfTheSameCellIsReplacedWhateverItsParameters) {
    names().ask_for_newest_runs([](int cell) { return cell == 1 ? 2 : cell; });
    run("int f(int x) { return x; }");
    run("int f(double x) { return 2; }");
    EXPECT_EQ(held(), "f: int (double) [2]; ");
}

TEST_F(SessionNamesTest, AVariableReplacesAFunctionAndTheOtherWayRound) {
    run("int f() { return 1; }");
    run("int f = 2;");
    EXPECT_EQ(held(), "f: int [2]; ");
    run("int f() { return 3; }");
    EXPECT_EQ(held(), "f: int () [3]; ");
}

TEST_F(SessionNamesTest, KnowsWhatANameStandsFor) {
    run("struct Type {};\ntemplate <class T> struct Box {};\nnamespace space { struct Inner {}; }\n"
        "int variable = 1;\nint function() { return 1; }");
    EXPECT_EQ(names().kind_of({"Type"}), NameKind::type);
    EXPECT_EQ(names().kind_of({"Box"}), NameKind::type_template);
    EXPECT_EQ(names().kind_of({"space"}), NameKind::name_space);
    EXPECT_EQ(names().kind_of({"space", "Inner"}), NameKind::type);
    EXPECT_EQ(names().kind_of({"variable"}), NameKind::variable);
    EXPECT_EQ(names().kind_of({"function"}), NameKind::function);
    EXPECT_EQ(names().kind_of({"nobody"}), NameKind::unknown);
}

TEST_F(SessionNamesTest, AMacroOfANumberGivesWayToADeclaration) {
    run("#define SIZE 5\n#define WORD int");
    EXPECT_TRUE(names().macro("SIZE"));
    EXPECT_TRUE(names().macro_gives_way("SIZE", false));
    EXPECT_FALSE(names().macro_gives_way("WORD", false));
    run("const int SIZE = 3;");
    EXPECT_FALSE(names().macro("SIZE"));
}

TEST_F(SessionNamesTest, ANamespaceThatIsOpenedAgainKeepsItsMembers) {
    run("namespace p { int f() { return 1; } int g() { return 2; } }");
    run("namespace p { int f() { return 3; } }");
    run("int both = p::f() + p::g();");
    EXPECT_NE(held().find("both: int [3]"), std::string::npos);
}

TEST_F(SessionNamesTest, ListsFunctionsThatNobodyHasDefined) {
    run("int later(int x);\nint defined() { return 1; }");
    ASSERT_EQ(names().only_declared().size(), 1U);
    run("int later(int x) { return x; }");
    EXPECT_TRUE(names().only_declared().empty());
}

TEST_F(SessionNamesTest, RemembersTheTextsOfDeclarations) {
    run("#define TWO 2\nint f() { return TWO; }\nint unused = f();");
    std::vector<std::string> texts;
    for (const auto& one : pipeline_->declarations()) texts.push_back(one.text);
    EXPECT_EQ(texts, (std::vector<std::string>{"#define TWO 2", "int f() { return TWO; }",
                                               "int unused = f();"}));
    EXPECT_EQ(pipeline_->declarations()[1].line, 2U);
}

TEST_F(SessionNamesTest, AMistakeIsReportedWithItsLine) {
    try {
        run("int a = 1;\nint b = nobody;");
        FAIL() << "the cell compiled";
    } catch (const CompileFailed& failed) {
        ASSERT_FALSE(failed.findings.empty());
        EXPECT_EQ(failed.findings[0].place.file, "In[1]");
        EXPECT_EQ(failed.findings[0].place.line, 2U);
    }
}

}  // namespace
