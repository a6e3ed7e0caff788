#include "session/magics/magics_run.hpp"
#include "session/magics/program_build.hpp"

#include "session/text/magic_lines.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace {

using namespace xcpp_session;

std::string read_file(const std::string& path) {
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

class InAFolder : public testing::Test {
protected:
    void SetUp() override {
        folder_ = testing::TempDir() + "magics-XXXXXX";
        ASSERT_NE(::mkdtemp(folder_.data()), nullptr);
        before_ = show_folder().output;
        before_.pop_back();
        ASSERT_EQ(::chdir(folder_.c_str()), 0);
    }
    void TearDown() override {
        ASSERT_EQ(::chdir(before_.c_str()), 0);
        std::system(("rm -r '" + folder_ + "'").c_str());
    }
    std::string folder_, before_;
};

using MagicsRun = InAFolder;

TEST_F(MagicsRun, WritesAndAppends) {
    EXPECT_EQ(write_file("a.txt", "one", false).output, "Writing a.txt\n");
    EXPECT_EQ(write_file("a.txt", "two\n", true).output, "Appending to a.txt\n");
    EXPECT_EQ(read_file("a.txt"), "one\ntwo\n");
    EXPECT_EQ(write_file("a.txt", "three\n", false).output, "Overwriting a.txt\n");
    EXPECT_EQ(read_file("a.txt"), "three\n");
    const MagicOutcome failed = write_file("no/such/folder/a.txt", "x", false);
    EXPECT_FALSE(failed.ok);
    EXPECT_EQ(failed.ename, "FileError");
    EXPECT_NE(failed.evalue.find("No such file"), std::string::npos) << failed.evalue;
}

TEST_F(MagicsRun, ShellHasNoInputAndTellsItsStatus) {
    EXPECT_TRUE(run_shell("cat > got.txt; echo done >> got.txt").ok);
    EXPECT_EQ(read_file("got.txt"), "done\n");
    const MagicOutcome three = run_shell("exit 3");
    EXPECT_TRUE(three.ok);
    EXPECT_EQ(three.output, "[exit status 3]\n");
    EXPECT_FALSE(run_shell("exit 3", nullptr, "/bin/sh", true).ok);
    EXPECT_FALSE(run_shell("true", nullptr, "/no/such/shell").ok);
}

TEST_F(MagicsRun, ShellCanBeInterrupted) {
    const auto start = std::chrono::steady_clock::now();
    // It and its child ignore SIGINT: SIGKILL follows.
    const MagicOutcome outcome =
        run_shell("trap '' INT; sleep 1000; sleep 1000", [] { return true; });
    EXPECT_EQ(outcome.ename, "Interrupted");
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(300));
}

TEST_F(MagicsRun, FolderAndEnvironment) {
    ASSERT_EQ(::mkdir("deeper", 0700), 0);
    EXPECT_NE(change_folder("deeper").output.find("/deeper\n"), std::string::npos);
    EXPECT_FALSE(change_folder("nowhere").ok);
    EXPECT_TRUE(environment("XCPP_TEST_NAME=some value").ok);
    EXPECT_EQ(environment("XCPP_TEST_NAME").output, "some value\n");
    EXPECT_FALSE(environment("XCPP_TEST_OTHER").ok);
}

TEST_F(MagicsRun, BuildsAProgram) {
    Magic magic = parse_magic("%%executable hello\n#include <cstdio>\nputs(\"hello\");");
    MagicOutcome outcome =
        build_executable(magic, {4, "", {"-std=c++17", "-Xclang", "-fincremental-extensions"}});
    ASSERT_TRUE(outcome.ok) << outcome.output;
    EXPECT_TRUE(run_shell("./hello > out.txt").ok);
    EXPECT_EQ(read_file("out.txt"), "hello\n");
    magic = parse_magic(
        "%%executable twice\n#include <cstdio>\nint n = 3;\nint twice(int a) { return 2 * a; "
        "}\nfor (int i = 0; i < 1; ++i) printf(\"%d\", twice(n));");
    ASSERT_TRUE(build_executable(magic, {4, "struct FromAnEarlierCell { };", {"-std=c++17"}}).ok);
    EXPECT_TRUE(run_shell("./twice > out.txt").ok);
    EXPECT_EQ(read_file("out.txt"), "6");
    magic = parse_magic("%%executable bad\nint f();\nint main() {\n  return g();\n}");
    outcome = build_executable(magic, {4, "", {"-std=c++17"}});
    EXPECT_FALSE(outcome.ok);
    EXPECT_EQ(outcome.ename, "CompileError");
    EXPECT_EQ(outcome.evalue, "line 4: use of undeclared identifier 'g'");
}

}  // namespace
