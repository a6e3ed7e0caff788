#include "session/text/magic_lines.hpp"

#include "session/text/magic_arguments.hpp"

#include <gtest/gtest.h>

namespace {

using namespace xcpp_session;

TEST(Magics, Timeit) {
    const Magic magic = parse_magic("%timeit -n 100 -r3 sort(v)");
    EXPECT_EQ(magic.name, "%timeit");
    EXPECT_EQ(magic.loops, 100);
    EXPECT_EQ(magic.repeats, 3);
    EXPECT_EQ(magic.body, "sort(v)");
    EXPECT_EQ(magic.body_column, 20u);
    // "-n" without a number is C++.
    EXPECT_EQ(parse_magic("%timeit -n + 1").body, "-n + 1");
    EXPECT_FALSE(parse_magic("%timeit").error.empty());
    const Magic cell = parse_magic("%%timeit -n 5\nf();\ng();");
    EXPECT_EQ(cell.name, "%%timeit");
    EXPECT_EQ(cell.body, "f();\ng();");
    EXPECT_EQ(cell.body_line, 2u);
    EXPECT_EQ(cell.argument, "");
    const Magic with_set_up = parse_magic("%%timeit -n 5 int n = 3;  // once\nf(n);");
    EXPECT_EQ(with_set_up.argument, "int n = 3;");
    EXPECT_EQ(with_set_up.argument_column, 15u);
    EXPECT_EQ(with_set_up.body, "f(n);");
}

TEST(Magics, FileAndExecutable) {
    const Magic file = parse_magic("%%file -a 'my file.txt'\nline\n");
    EXPECT_EQ(file.name, "%%file");
    EXPECT_TRUE(file.append);
    EXPECT_EQ(file.argument, "my file.txt");
    EXPECT_EQ(file.body, "line\n");
    EXPECT_FALSE(parse_magic("%%file\nline").error.empty());
    const Magic program =
        parse_magic("// a program\n%%executable hello.x -- -O2 -lm\nint main() {}");
    EXPECT_EQ(program.name, "%%executable");
    EXPECT_EQ(program.argument, "hello.x");
    EXPECT_EQ(program.words, (std::vector<std::string>{"-O2", "-lm"}));
    EXPECT_EQ(program.body_line, 3u);
}

TEST(Magics, Run) {
    const Magic run = parse_magic("%%run --tag mpirun -n 4 -- one 'two words'\nf();");
    EXPECT_TRUE(run.tagged);
    EXPECT_EQ(run.words, (std::vector<std::string>{"mpirun", "-n", "4"}));
    EXPECT_EQ(run.program_arguments, (std::vector<std::string>{"one", "two words"}));
    EXPECT_EQ(run.body, "f();");
    EXPECT_TRUE(run.error.empty());
    EXPECT_TRUE(parse_magic("%%run\nf();").words.empty());
    EXPECT_FALSE(parse_magic("%%run mpirun -n 4").error.empty());
}

TEST(Magics, Questions) {
    for (const char* code : {"?v.push_back", "v.push_back?", " ? v.push_back"}) {
        const Magic magic = parse_magic(code);
        EXPECT_EQ(magic.name, "?") << code;
        EXPECT_EQ(magic.argument, "v.push_back") << code;
        EXPECT_EQ(magic.detail, 0) << code;
    }
    EXPECT_EQ(parse_magic("std::vector??").detail, 1);
    EXPECT_EQ(parse_magic("??std::vector").argument, "std::vector");
}

TEST(Magics, UnknownOnesNameTheNearest) {
    const Magic magic = parse_magic("%tiemit f()");
    EXPECT_EQ(magic.kind, nullptr);
    EXPECT_FALSE(magic.is_cpp());
    EXPECT_NE(magic.error.find("did you mean %timeit?"), std::string::npos) << magic.error;
    EXPECT_NE(parse_magic("%file x").error.find("%%file"), std::string::npos);
    EXPECT_EQ(parse_magic("%matplotlib inline").kind, nullptr);
}

TEST(Magics, OfALibrary) {
    EXPECT_EQ(parse_magic("%%greet Ada\nhello").kind, nullptr);
    const std::size_t before = magics().size();
    const auto greet = [](const char* arguments, const char* text, int* failed, void*) {
        static std::string result;
        *failed = *arguments ? 0 : 1;
        result = *failed ? "whom?" : std::string(text) + ", " + arguments;
        return result.c_str();
    };
    EXPECT_TRUE(add_library_magic("%%greet", "%%greet NAME", "says hello", greet, nullptr, {}));
    const Magic magic = parse_magic("// hello\n%%greet  Ada \nhello\n}");
    ASSERT_NE(magic.kind, nullptr);
    EXPECT_EQ(magic.argument, "Ada");
    EXPECT_EQ(magic.body_line, 3u);
    EXPECT_EQ(magic.kind->cpp(magic).text, "hello\n}, Ada");
    EXPECT_EQ(magic.kind->cpp(magic).line, 2u);
    try {
        magic.kind->cpp(parse_magic("%%greet\nhello"));
        FAIL() << "nobody was named";
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "%%greet: whom?");
    }
    EXPECT_NE(parse_magic("%greet Ada").error.find("did you mean %%greet?"), std::string::npos);
    EXPECT_NE(magics_help().find("%%greet NAME"), std::string::npos);
    // Replaced, and not listed twice.
    EXPECT_TRUE(add_library_magic("%%greet", "%%greet", "says hello", greet, nullptr, {}));
    EXPECT_EQ(magics().size(), before + 1);
    EXPECT_FALSE(add_library_magic("%%file", "", "", greet, nullptr, {}));
    EXPECT_FALSE(add_library_magic("%%null", "", "", nullptr, nullptr, {}));
}

TEST(Magics, CellsOfCppStayWhole) {
    for (const char* code : {"int x = 5;", "a\n% b", "f(a,\n!b)", "int y = x\n    % timeit;",
                             "x ? 1 : 2", "cond\n? a\n: b", "if (a\n!= b) { }", "a\n!= b",
                             "bool y = x &&\n!z;", "// only a comment", ""}) {
        const auto segments = split_magics(code);
        ASSERT_EQ(segments.size(), 1u) << code;
        EXPECT_TRUE(segments[0].magic.is_cpp()) << code;
        EXPECT_EQ(segments[0].source.code(), code);
    }
}

TEST(Magics, LinesBetweenCpp) {
    const auto segments =
        split_magics("int x = 1;\n!ls -l\nfor (;;) {\n  break;\n}\n%timeit f(x)\nx\n");
    ASSERT_EQ(segments.size(), 5u);
    EXPECT_EQ(segments[0].source.code(), "int x = 1;\n");
    EXPECT_EQ(segments[1].magic.name, "!");
    EXPECT_EQ(segments[1].magic.argument, "ls -l");
    EXPECT_EQ(segments[2].line, 3u);
    EXPECT_EQ(segments[3].magic.name, "%timeit");
    EXPECT_EQ(segments[3].magic.body_line, 6u);
    EXPECT_EQ(segments[4].source.code(), "x\n");
    EXPECT_EQ(segments[4].line, 7u);
    EXPECT_EQ(split_magics("x\n!ls").size(), 2u);
    EXPECT_EQ(split_magics("!a\n!b").size(), 2u);
    EXPECT_FALSE(split_magics("int x;\n%%file a").back().magic.error.empty());
}

TEST(Magics, TimeitCodeSurvivesComments) {
    EXPECT_EQ(timeit_code(parse_magic("%timeit -n 3 f() // slow")).text,
              "::xcpp::detail::timeit([&] {\n             f() // slow\n;}, 3, 7);");
    EXPECT_EQ(timeit_code(parse_magic("%%timeit int n = 3 // once\nf(n)")).text,
              "{        int n = 3; ::xcpp::detail::timeit([&] {\nf(n)\n;}, 0, 7);}");
}

TEST(Magics, EachRowOfTheTableCanBeRun) {
    ASSERT_GT(magics().size(), 10u);
    for (const MagicKind& kind : magics()) {
        EXPECT_EQ(kind.cpp == nullptr, kind.run != nullptr) << kind.name << ": one of the two";
        EXPECT_FALSE(kind.usage.empty() || kind.meaning.empty()) << kind.name;
        EXPECT_EQ(find_magic(kind.name), &kind) << kind.name << " is in the table twice";
    }
}

TEST(Magics, HelpNamesAll) {
    for (const std::string& name : magic_names())
        EXPECT_NE(magics_help().find(name), std::string::npos) << name;
}

}  // namespace
