#include "gpu/simulator/object/loops.hpp"

#include <gtest/gtest.h>

namespace lanes::gpu::simulator {
namespace {

// "2:5" for line and column, "" if there is no loop.
std::string around(const std::string& text, int line) {
    const SourceLine loop = loop_around(text, line);
    return loop.line ? std::to_string(loop.line) + ":" + std::to_string(loop.column) : "";
}

TEST(Loops, TheInnermostOneThatReachesOverTheLine) {
    const std::string text =
        "void k() {\n"
        "    int before = 1;\n"
        "    while (a) {\n"
        "        for (int i = 0; i < 3; ++i)\n"
        "            if (i) {\n"
        "                f(\"}\");\n"
        "            } else\n"
        "                g();\n"
        "        after();  // for what is done\n"
        "    }\n"
        "    outside();\n"
        "}\n";
    for (const int line : {1, 2, 11, 12, 99, 0}) EXPECT_EQ(around(text, line), "") << line;
    for (const int line : {3, 9, 10}) EXPECT_EQ(around(text, line), "3:5") << line;
    for (const int line : {4, 5, 6, 7, 8}) EXPECT_EQ(around(text, line), "4:9") << line;
    EXPECT_TRUE(are_in_one_loop(text, 4, 9));
    EXPECT_FALSE(are_in_one_loop(text, 2, 4));
    EXPECT_FALSE(are_in_one_loop(text, 4, 11));
}

TEST(Loops, AClosingBraceBelongsToTheLoopRightBeforeIt) {
    EXPECT_EQ(around("void k() {\n    while (a)\n        ;\n}\n", 4), "2:5");
    EXPECT_EQ(around("void k() {\n    while (a)\n        ;\n    f();\n}\n", 5), "");
}

TEST(Loops, DoAndItsWhileAreOne) {
    const std::string text =
        "void k() {\n    do {\n        old = atomicCAS(p, a, b);\n    } while (old != a);\n    x = "
        "1;\n    while (x)\n        ;\n}\n";
    for (const int line : {2, 3, 4}) EXPECT_EQ(around(text, line), "2:5") << line;
    EXPECT_EQ(around(text, 5), "");
    for (const int line : {6, 7}) EXPECT_EQ(around(text, line), "6:5") << line;
}

TEST(Loops, PragmasAndHalfATextDoNoHarm) {
    EXPECT_EQ(around("void k() {\n    for (;;)\n#pragma unroll 2\n        for (int j = 0; j < 2; "
                     "++j)\n            f();\n",
                     5),
              "4:9");
    EXPECT_EQ(around("void k() { while (", 1), "1:12");
    EXPECT_EQ(around("int format; for (int awhile = 1; awhile; ) {}", 1), "1:13");
    EXPECT_EQ(around("do", 1), "1:1");
}

}  // namespace
}  // namespace lanes::gpu::simulator
