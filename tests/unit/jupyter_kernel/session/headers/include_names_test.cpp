#include "session/headers/include_names.hpp"

#include <gtest/gtest.h>

#include <unistd.h>
#include <filesystem>
#include <fstream>

namespace {

namespace fs = std::filesystem;

class IncludeNames : public testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::canonical(fs::temp_directory_path()) /
                  ("include_names_" + std::to_string(getpid()));
        fs::create_directories(folder_ / "first" / "my");
        fs::create_directories(folder_ / "second" / "my");
    }
    void TearDown() override { fs::remove_all(folder_); }

    std::string write(const std::string& name) const {
        std::ofstream(folder_ / name) << "int x;\n";
        return (folder_ / name).string();
    }
    std::string named(const std::string& code) const {
        return xcpp_session::with_absolute_names(
                   xcpp_session::SourceText(code),
                   {(folder_ / "first").string(), (folder_ / "second").string()},
                   [](const std::string& name) { return name == "elsewhere.hpp"; })
            .code();
    }

    fs::path folder_;
};

TEST_F(IncludeNames, AFileOfTheFirstFolderThatHasIt) {
    const std::string second = write("second/my/a.hpp");
    EXPECT_EQ(named("int x;\n#include \"my/a.hpp\"  // mine\nint y;"),
              "int x;\n#include \"" + second + "\"  // mine\nint y;");
    const std::string first = write("first/my/a.hpp");
    EXPECT_EQ(named("  #  include \"my/a.hpp\"\n"), "  #  include \"" + first + "\"\n");
}

TEST_F(IncludeNames, OthersStayAsTheyAre) {
    write("first/my/a.hpp");
    for (const char* code :
         {"#include <my/a.hpp>\n", "#include \"my/b.hpp\"\n", "#include \"my\"\n",
          "#include \"\"\n", "#include NAME\n", "auto text = R\"(\n#include \"my/a.hpp\"\n)\";",
          "// #include \"my/a.hpp\"", "f(\"include my/a.hpp\");"})
        EXPECT_EQ(named(code), code);
}

TEST_F(IncludeNames, WhetherAFileIsThereIsAskedOfTheDisk) {
    const std::string code =
        "#if !__has_include(\"my/a.hpp\") && __has_include ( \"my/b.hpp\" )\n#endif";
    EXPECT_EQ(named(code), "#if !0 && 0\n#endif");
    const std::string a = write("second/my/a.hpp");
    EXPECT_EQ(named(code), "#if !__has_include(\"" + a + "\") && 0\n#endif");
    const std::string b = write("first/my/b.hpp");
    EXPECT_EQ(named("#if 0\n#elif __has_include(\"my/b.hpp\")\n#endif"),
              "#if 0\n#elif __has_include(\"" + b + "\")\n#endif");
    for (const char* other :
         {"#if __has_include(\"elsewhere.hpp\")\n#endif", "#if __has_include(<my/c.hpp>)\n#endif",
          "#ifdef __has_include\n#endif", "#if __has_include(NAME)\n#endif",
          "#if __has_include(\"my/c.hpp\n#endif"})
        EXPECT_EQ(named(other), other);
}

}  // namespace
