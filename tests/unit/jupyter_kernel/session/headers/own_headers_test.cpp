#include "session/headers/own_headers.hpp"

#include <gtest/gtest.h>

#include <unistd.h>
#include <filesystem>
#include <fstream>

namespace {

namespace fs = std::filesystem;
using xcpp_session::ExpandedCell;
using xcpp_session::HeaderBroken;
using xcpp_session::OwnHeaders;

// A folder with headers in it, which is the working directory meanwhile.
class OwnHeadersTest : public testing::Test {
protected:
    void SetUp() override {
        before_ = fs::current_path();
        folder_ =
            fs::canonical(fs::temp_directory_path()) / ("own_headers_" + std::to_string(getpid()));
        fs::create_directories(folder_ / "sub");
        fs::current_path(folder_);
    }
    void TearDown() override {
        fs::current_path(before_);
        fs::remove_all(folder_);
    }

    static void write(const std::string& name, const std::string& text) {
        std::ofstream(name) << text;
    }
    // As if clang had read it.
    void read(const std::string& name, const std::string& text) {
        write(name, text);
        headers_.note_read(name, text);
    }
    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    std::string include(const std::string& name) const {
        return "#include \"" + path(name) + "\"\n";
    }
    ExpandedCell expand(const std::string& code) const {
        const auto replaces = [](const std::string& text) {
            return text.find("of_a_cell") != std::string::npos;
        };
        const auto defines = [](const std::string& text) {
            return text.find("int prototype(") == std::string::npos;
        };
        const auto is_elsewhere = [](const std::string& name) { return name == "elsewhere.hpp"; };
        return headers_.expand(xcpp_session::SourceText(code), "In[4]", 1, 9,
                               {replaces, defines, is_elsewhere});
    }

    OwnHeaders headers_{[] { return std::vector<std::string>(); }};
    fs::path before_, folder_;
};

TEST_F(OwnHeadersTest, LeavesACellAloneWhoseHeadersAreAsTheyWereRead) {
    read("a.hpp", "#pragma once\nint a = 1;\n");
    read("b.hpp", "#ifndef B_HPP\n#define B_HPP\nint b = 1;\n#endif\n");
    const ExpandedCell found = expand("#include \"a.hpp\"\n#include \"b.hpp\"\na");
    EXPECT_EQ(found.source.code(), include("a.hpp") + include("b.hpp") + "a");
    EXPECT_TRUE(found.headers.empty());
}

TEST_F(OwnHeadersTest, PutsTheTextOfAReadHeaderWithoutGuardInItsPlace) {
    read("a.h", "int a = 1;\n");
    const ExpandedCell found = expand("#include \"a.h\"\na");
    EXPECT_EQ(found.source.code(),
              "#line 1 \"" + path("a.h") + "\"\nint a = 1;\n\n#line 2 \"In[4]\"\na");
    ASSERT_EQ(found.headers.size(), 1U);
    EXPECT_FALSE(found.headers[0].once);
    EXPECT_TRUE(found.includes.empty());
}

TEST_F(OwnHeadersTest, LeavesAHeaderWithoutGuardToClangThatDefinesNothing) {
    read("a.h", "int prototype(int);\n");
    EXPECT_EQ(expand("#include \"a.h\"\n").source.code(), include("a.h"));
}

TEST_F(OwnHeadersTest, ReadsAHeaderWithoutGuardAgainOnlyIfTheHeaderAroundItIsReadAgain) {
    read("a.h", "int a = 1;\n");
    read("guarded.hpp", "#pragma once\n#include \"a.h\"\nint guarded;\n");
    read("bare.h", "#include \"a.h\"\nint prototype(int);\n");
    write("first_time.hpp", "#pragma once\n#include \"a.h\"\nint first_time;\n");
    EXPECT_EQ(expand("#include \"guarded.hpp\"\n").source.code(), include("guarded.hpp"));
    EXPECT_EQ(expand("#include \"bare.h\"\n").headers.size(), 2U);
    EXPECT_EQ(expand("#include \"first_time.hpp\"\n").headers.size(), 2U);
}

TEST_F(OwnHeadersTest, LeavesAHeaderAloneThatWasNeverRead) {
    read("a.hpp", "int a = 1;\n");
    write("a.hpp", "int a = 2;\n");
    write("other.hpp", "int b;\n");
    EXPECT_EQ(expand("#include \"other.hpp\"\n").source.code(), include("other.hpp"));
}

TEST_F(OwnHeadersTest, PutsTheTextOfAHeaderInItsPlaceThatReplacesWhatACellDefined) {
    write("outer.hpp", "#pragma once\n#include \"inner.hpp\"\n");
    write("inner.hpp", "#pragma once\nint of_a_cell;\n");
    const ExpandedCell found = expand("#include \"outer.hpp\"\n");
    EXPECT_NE(found.source.code().find("int of_a_cell;"), std::string::npos) << found.source.code();
    EXPECT_EQ(found.headers.size(), 2U);
    headers_.note_read("outer.hpp", "#pragma once\n#include \"inner.hpp\"\n");
    headers_.note_read("inner.hpp", "#pragma once\nint of_a_cell;\n");
    EXPECT_EQ(expand("#include \"outer.hpp\"\n").source.code(), include("outer.hpp"))
        << "as it was read";
}

TEST_F(OwnHeadersTest, PutsTheTextOfAnEditedHeaderInItsPlace) {
    read("a.hpp", "#pragma once\nint a = 1;\n");
    write("a.hpp", "#pragma once\nint a = 2;\n");
    const ExpandedCell found = expand("int before;\n#include \"a.hpp\"  // mine\nint behind;");
    EXPECT_EQ(found.source.code(),
              "int before;\n#line 1 \"" + path("a.hpp") +
                  "\"\n            \nint a = 2;\n\n#line 3 \"In[4]\"\nint behind;");
    ASSERT_EQ(found.headers.size(), 1U);
    EXPECT_TRUE(found.headers[0].once);
    EXPECT_EQ(found.headers[0].old_text, "#pragma once\nint a = 1;\n");
    EXPECT_TRUE(found.includes.empty());
    EXPECT_EQ(found.lines.of(4).file, path("a.hpp"));
    EXPECT_EQ(found.lines.of(4).line, 2U);
    EXPECT_TRUE(found.lines.in_cell(7));
    EXPECT_EQ(found.lines.of(7).line, 3U);
    EXPECT_EQ(found.lines.of_cell_line(1), 1U);
    EXPECT_EQ(found.lines.of_cell_line(3), 7U);
}

TEST_F(OwnHeadersTest, TakesTheGuardOut) {
    read("a.hpp", "");
    write("a.hpp", "// mine\n#ifndef A_HPP\n#define A_HPP\n#if 1\nint a;\n#endif\n#endif\n");
    const std::string code = expand("#include \"a.hpp\"\n").source.code();
    EXPECT_EQ(code.find("#ifndef"), std::string::npos) << code;
    EXPECT_NE(code.find("#define A_HPP\n#if 1\nint a;\n#endif\n      \n"), std::string::npos)
        << code;
}

TEST_F(OwnHeadersTest, ReadsWhatLiesBetweenAnewToo) {
    read("sub/inner.hpp", "#pragma once\nstruct Inner {};\n");
    read("same.hpp", "#pragma once\nint same;\n");
    read("outer.hpp",
         "#pragma once\n#include \"sub/inner.hpp\"\n#include \"same.hpp\"\nstruct Outer { Inner "
         "inner; };\n");
    write("sub/inner.hpp", "#pragma once\nstruct Inner { int x; };\n");
    const ExpandedCell found = expand("#include \"outer.hpp\"");
    EXPECT_EQ(found.headers.size(), 2U);
    EXPECT_NE(found.source.code().find("struct Inner { int x; };"), std::string::npos)
        << found.source.code();
    EXPECT_NE(found.source.code().find("#include \"" + path("same.hpp") + "\""), std::string::npos)
        << found.source.code();
    EXPECT_LT(found.source.code().find("struct Inner { int x"),
              found.source.code().find("struct Outer"));
    EXPECT_NE(found.source.code().find("#line 3 \"" + path("outer.hpp") + "\""), std::string::npos)
        << found.source.code();
}

TEST_F(OwnHeadersTest, ReadsANewHeaderItselfThatIncludesAnEditedOne) {
    read("a.hpp", "#pragma once\nint a;\n");
    write("a.hpp", "#pragma once\nint new_a;\n");
    write("b.hpp", "#pragma once\n#include \"a.hpp\"\nint b;\n");
    const ExpandedCell found = expand("#include \"b.hpp\"\n");
    EXPECT_LT(found.source.code().find("int new_a;"), found.source.code().find("int b;"))
        << found.source.code();
    EXPECT_EQ(found.includes, std::vector<std::string>{"#include \"" + path("b.hpp") + "\""});
}

TEST_F(OwnHeadersTest, ReadsAGuardedHeaderOnce) {
    read("a.hpp", "#pragma once\nint a;\n");
    read("b.hpp", "#pragma once\n#include \"a.hpp\"\nint b;\n");
    write("a.hpp", "#pragma once\nint new_a;\n");
    const std::string code = expand("#include \"a.hpp\"\n#include \"b.hpp\"\n").source.code();
    EXPECT_NE(code.find("int new_a;"), std::string::npos) << code;
    EXPECT_EQ(code.find("int new_a;"), code.rfind("int new_a;")) << code;
    EXPECT_EQ(code.find("#ifndef"), std::string::npos) << code;
}

TEST_F(OwnHeadersTest, LeavesTheChoiceToThePreprocessorInsideOfConditions) {
    read("a.hpp", "#pragma once\nint a;\n");
    write("a.hpp", "#pragma once\nint new_a;\n");
    const std::string code = expand(
                                 "#ifdef X\n#include \"a.hpp\"\n#else\n#include "
                                 "\"a.hpp\"\n#endif\n#include \"a.hpp\"\n#include \"a.hpp\"\n")
                                 .source.code();
    std::size_t count = 0;
    for (std::size_t at = code.find("int new_a;"); at != std::string::npos;
         at = code.find("int new_a;", at + 1))
        ++count;
    EXPECT_EQ(count, 3U) << code;
}

TEST_F(OwnHeadersTest, HeadersMayIncludeEachOther) {
    read("a.hpp", "#pragma once\n#include \"b.hpp\"\nint a;\n");
    read("b.hpp", "#pragma once\n#include \"a.hpp\"\nint b;\n");
    write("b.hpp", "#pragma once\n#include \"a.hpp\"\nint new_b;\n");
    const std::string code = expand("#include \"a.hpp\"\n").source.code();
    EXPECT_LT(code.find("int new_b;"), code.find("int a;")) << code;
}

TEST_F(OwnHeadersTest, RefusesAHeaderThatEndsInsideABracket) {
    read("a.hpp", "int f() { return 1; }\n");
    write("a.hpp", "int g();\nint f() {\n    return 1;\n");
    try {
        expand("#include \"a.hpp\"\n");
        FAIL() << "nothing was said of the bracket";
    } catch (const HeaderBroken& broken) {
        EXPECT_EQ(broken.file, path("a.hpp"));
        EXPECT_EQ(broken.line, 2U);
    }
}

TEST_F(OwnHeadersTest, FollowsAddedFoldersAndAngleBrackets) {
    headers_ = OwnHeaders([this] { return std::vector<std::string>{path("sub")}; });
    read("sub/a.hpp", "int a;\n");
    write("sub/a.hpp", "int new_a;\n");
    EXPECT_NE(expand("#include <a.hpp>\n").source.code().find("int new_a;"), std::string::npos);
    EXPECT_NE(expand("#include \"a.hpp\"\n").source.code().find("int new_a;"), std::string::npos);
}

TEST_F(OwnHeadersTest, UnderstandsOtherSystemsTexts) {
    read("a.hpp", "");
    write("a.hpp", "\xEF\xBB\xBF#pragma once\r\nint a;\r\n");
    EXPECT_EQ(expand("#include \"a.hpp\"").source.code(),
              "#line 1 \"" + path("a.hpp") + "\"\n            \nint a;\n\n#line 2 \"In[4]\"");
}

// The notebook lies in folder_, and a cell has gone to folder_/sub.
class IncludeNames : public OwnHeadersTest {
protected:
    void SetUp() override {
        OwnHeadersTest::SetUp();
        headers_ = OwnHeaders([] { return std::vector<std::string>(); });
        fs::current_path(folder_ / "sub");
    }
    std::string named(const std::string& code) const { return expand(code).source.code(); }
};

TEST_F(IncludeNames, AFileOfTheFirstFolderThatHasIt) {
    write("../a.hpp", "");
    EXPECT_EQ(named("int x;\n#include \"a.hpp\"  // mine\nint y;"),
              "int x;\n#include \"" + path("a.hpp") + "\"  // mine\nint y;");
    write("a.hpp", "");
    EXPECT_EQ(named("  #  include \"a.hpp\"\n"), "  #  include \"" + path("sub/a.hpp") + "\"\n");
}

TEST_F(IncludeNames, OthersStayAsTheyAre) {
    write("a.hpp", "");
    for (const char* code :
         {"#include <a.hpp>\n", "#include \"b.hpp\"\n", "#include \"../sub\"\n", "#include \"\"\n",
          "#include NAME\n", "auto text = R\"(\n#include \"a.hpp\"\n)\";", "// #include \"a.hpp\"",
          "f(\"include a.hpp\");"})
        EXPECT_EQ(named(code), code);
}

TEST_F(IncludeNames, WhetherAFileIsThereIsAskedOfTheDisk) {
    const std::string code = "#if !__has_include(\"a.hpp\") && __has_include ( \"b.hpp\" )\n#endif";
    EXPECT_EQ(named(code), "#if !0 && 0\n#endif");
    write("../a.hpp", "");
    EXPECT_EQ(named(code), "#if !__has_include(\"" + path("a.hpp") + "\") && 0\n#endif");
    write("b.hpp", "");
    EXPECT_EQ(named("#if 0\n#elif __has_include(\"b.hpp\")\n#endif"),
              "#if 0\n#elif __has_include(\"" + path("sub/b.hpp") + "\")\n#endif");
    for (const char* other :
         {"#if __has_include(\"elsewhere.hpp\")\n#endif", "#if __has_include(<c.hpp>)\n#endif",
          "#ifdef __has_include\n#endif", "#if __has_include(NAME)\n#endif",
          "#if __has_include(\"c.hpp\n#endif"})
        EXPECT_EQ(named(other), other);
}

}  // namespace
