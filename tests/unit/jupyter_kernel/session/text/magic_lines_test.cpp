#include "session/text/magic_lines.hpp"

#include <gtest/gtest.h>

namespace {

using namespace xcpp_session;

TEST(Magics, Timeit) {
    const Magic magic = parse_magic("%timeit -n 100 -r3 sort(v)");
    EXPECT_EQ(magic.kind, MagicKind::timeit);
    EXPECT_EQ(magic.loops, 100);
    EXPECT_EQ(magic.repeats, 3);
    EXPECT_EQ(magic.body, "sort(v)");
    EXPECT_EQ(magic.body_column, 20u);
    // "-n" without a number is C++.
    EXPECT_EQ(parse_magic("%timeit -n + 1").body, "-n + 1");
    EXPECT_FALSE(parse_magic("%timeit").error.empty());
    const Magic cell = parse_magic("%%timeit -n 5\nf();\ng();");
    EXPECT_EQ(cell.kind, MagicKind::cell_timeit);
    EXPECT_EQ(cell.body, "f();\ng();");
    EXPECT_EQ(cell.body_line, 2u);
}

TEST(Magics, FileAndExecutable) {
    const Magic file = parse_magic("%%file -a 'my file.txt'\nline\n");
    EXPECT_EQ(file.kind, MagicKind::file);
    EXPECT_TRUE(file.append);
    EXPECT_EQ(file.argument, "my file.txt");
    EXPECT_EQ(file.body, "line\n");
    EXPECT_FALSE(parse_magic("%%file\nline").error.empty());
    const Magic program =
        parse_magic("// a program\n%%executable hello.x -- -O2 -lm\nint main() {}");
    EXPECT_EQ(program.kind, MagicKind::executable);
    EXPECT_EQ(program.argument, "hello.x");
    EXPECT_EQ(program.flags, (std::vector<std::string>{"-O2", "-lm"}));
    EXPECT_EQ(program.body_line, 3u);
}

TEST(Magics, Questions) {
    for (const char* code : {"?v.push_back", "v.push_back?", " ? v.push_back"}) {
        const Magic magic = parse_magic(code);
        EXPECT_EQ(magic.kind, MagicKind::inspect) << code;
        EXPECT_EQ(magic.argument, "v.push_back") << code;
        EXPECT_EQ(magic.detail, 0) << code;
    }
    EXPECT_EQ(parse_magic("std::vector??").detail, 1);
    EXPECT_EQ(parse_magic("??std::vector").argument, "std::vector");
}

TEST(Magics, UnknownOnesNameTheNearest) {
    const Magic magic = parse_magic("%tiemit f()");
    EXPECT_EQ(magic.kind, MagicKind::unknown);
    EXPECT_NE(magic.error.find("did you mean %timeit?"), std::string::npos) << magic.error;
    EXPECT_NE(parse_magic("%file x").error.find("%%file"), std::string::npos);
    EXPECT_EQ(parse_magic("%matplotlib inline").kind, MagicKind::unknown);
}

TEST(Magics, OfALibrary) {
    EXPECT_EQ(parse_magic("%%greet Ada\nhello").kind, MagicKind::unknown);
    const auto greet = [](const char* arguments, const char* text, int* failed, void*) {
        static std::string result;
        *failed = *arguments ? 0 : 1;
        result = *failed ? "whom?" : std::string(text) + ", " + arguments;
        return result.c_str();
    };
    EXPECT_TRUE(add_library_magic({"%%greet", "%%greet NAME", "says hello", greet, nullptr, {}}));
    const Magic magic = parse_magic("// hello\n%%greet  Ada \nhello\n}");
    EXPECT_EQ(magic.kind, MagicKind::library);
    EXPECT_EQ(magic.argument, "Ada");
    EXPECT_EQ(magic.body_line, 3u);
    EXPECT_EQ(library_code(magic), "hello\n}, Ada");
    try {
        library_code(parse_magic("%%greet\nhello"));
        FAIL() << "nobody was named";
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "%%greet: whom?");
    }
    EXPECT_NE(parse_magic("%greet Ada").error.find("did you mean %%greet?"), std::string::npos);
    EXPECT_NE(magics_help().find("%%greet NAME"), std::string::npos);
    // Replaced, and not listed twice.
    EXPECT_TRUE(add_library_magic({"%%greet", "%%greet", "", greet, nullptr, {}}));
    EXPECT_EQ(library_magics().size(), 1u);
    EXPECT_FALSE(add_library_magic({"%%file", "", "", greet, nullptr, {}}));
    EXPECT_FALSE(add_library_magic({"%%null", "", "", nullptr, nullptr, {}}));
}

TEST(Magics, CellsOfCppStayWhole) {
    for (const char* code : {"int x = 5;", "a\n% b", "f(a,\n!b)", "int y = x\n    % timeit;",
                             "x ? 1 : 2", "cond\n? a\n: b", "if (a\n!= b) { }", "a\n!= b",
                             "bool y = x &&\n!z;", "// only a comment", ""}) {
        const auto segments = split_magics(code);
        ASSERT_EQ(segments.size(), 1u) << code;
        EXPECT_EQ(segments[0].magic.kind, MagicKind::none) << code;
        EXPECT_EQ(segments[0].source.code(), code);
    }
}

TEST(Magics, LinesBetweenCpp) {
    const auto segments =
        split_magics("int x = 1;\n!ls -l\nfor (;;) {\n  break;\n}\n%timeit f(x)\nx\n");
    ASSERT_EQ(segments.size(), 5u);
    EXPECT_EQ(segments[0].source.code(), "int x = 1;\n");
    EXPECT_EQ(segments[1].magic.kind, MagicKind::shell);
    EXPECT_EQ(segments[1].magic.argument, "ls -l");
    EXPECT_EQ(segments[2].line, 3u);
    EXPECT_EQ(segments[3].magic.kind, MagicKind::timeit);
    EXPECT_EQ(segments[3].magic.body_line, 6u);
    EXPECT_EQ(segments[4].source.code(), "x\n");
    EXPECT_EQ(segments[4].line, 7u);
    EXPECT_EQ(split_magics("x\n!ls").size(), 2u);
    EXPECT_EQ(split_magics("!a\n!b").size(), 2u);
    EXPECT_FALSE(split_magics("int x;\n%%file a").back().magic.error.empty());
}

TEST(Magics, TimeitCodeSurvivesComments) {
    EXPECT_EQ(timeit_code(parse_magic("%timeit -n 3 f() // slow")),
              "::xcpp::detail::timeit([&] {\n             f() // slow\n;}, 3, 7);");
}

TEST(Magics, HelpNamesAll) {
    for (const std::string& name : magic_names())
        EXPECT_NE(magics_help().find(name), std::string::npos) << name;
}

}  // namespace
