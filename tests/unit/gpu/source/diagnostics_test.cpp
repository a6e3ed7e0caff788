#include "gpu/source/diagnostics.hpp"

#include <gtest/gtest.h>

namespace lanes::gpu {
namespace {

const char* const program = "a\nbb\n\tint x = y;\ndd";

TEST(Diagnostics, LinesBeforeAndACaretBelow) {
    EXPECT_EQ(show_errors("p.cu", program, {{"p.cu", 3, 10, "y is undefined"}}),
              "p.cu:3: error: y is undefined\n    1 | a\n    2 | bb\n    3 | \tint x = y;\n      | "
              "\t        ^");
    EXPECT_EQ(show_errors("p.cu", program, {{"p.cu", 1, 0, "wrong"}}),
              "p.cu:1: error: wrong\n    1 | a");
}

TEST(Diagnostics, OtherFilesAndUnknownPlacesComeWithoutLines) {
    EXPECT_EQ(show_errors("p.cu", program, {{"h.cuh", 2, 1, "wrong"}}), "h.cuh:2: error: wrong");
    EXPECT_EQ(show_errors("p.cu", program, {{"p.cu", 99, 1, "wrong"}}), "p.cu:99: error: wrong");
    EXPECT_EQ(show_errors("p.cu", program, {{"", 0, 0, "wrong"}}), "p.cu: error: wrong");
}

TEST(Diagnostics, SaysWhichHeaderIsMissing) {
    const std::string hint = "\nhint: INFINITY comes with #include <cmath> in the program's text.";
    EXPECT_EQ(show_errors("p.cu", "", {{"", 0, 0, "use of undeclared identifier 'INFINITY'"}}),
              "p.cu: error: use of undeclared identifier 'INFINITY'" + hint);
    EXPECT_EQ(show_errors("p.cu", "", {{"", 0, 0, "identifier \"INFINITY\" is undefined"}}),
              "p.cu: error: identifier \"INFINITY\" is undefined" + hint);
    EXPECT_EQ(
        show_errors("p.cu", "", {{"", 0, 0, "identifier \"mine\" is undefined"}}).find("hint"),
        std::string::npos);
    const std::string twice = show_errors("p.cu", "",
                                          {{"", 0, 0, "identifier \"FLT_MAX\" is undefined"},
                                           {"", 0, 0, "identifier \"FLT_MAX\" is undefined"}});
    EXPECT_NE(twice.find("<cfloat>"), std::string::npos);
    EXPECT_EQ(twice.find("<cfloat>"), twice.rfind("<cfloat>"));
}

TEST(Diagnostics, ByLineAndNotTooMany) {
    std::vector<CompileMessage> errors(9, {"p.cu", 4, 1, "later"});
    errors.push_back({"p.cu", 1, 1, "first"});
    const std::string shown = show_errors("p.cu", program, errors);
    EXPECT_EQ(shown.find("p.cu:1: error: first"), 0U);
    EXPECT_NE(shown.find("\nand 5 more"), std::string::npos);
}

}  // namespace
}  // namespace lanes::gpu
