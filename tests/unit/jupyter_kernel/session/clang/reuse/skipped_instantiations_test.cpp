// What is known of a cell before it is compiled. The rest of skipped_instantiations.hpp needs a
// compiler: tests/jupyter_kernel/stories/skipped.txt.
#include "session/clang/reuse/skipped_instantiations.hpp"

#include "session/text/tokens.hpp"

#include <gtest/gtest.h>

namespace {

using xcpp_session::runs_once;
using xcpp_session::tokenize;

TEST(RunsOnce, StatementsAndVariables) {
    for (const char* cell : {"", "a + 1", "xt::xarray<float> b = {{1, 2}, {3, 4}};",
                             "std::cout << v[3] << m[i][0] << f()[1];", "if (x) y = 2;",
                             "std::vector<int> v{1, 2}; v.push_back(3);", "#include <vector>\nv",
                             "// for all\n6 * 7", "\"while\"", "int forty = 40;"})
        EXPECT_TRUE(runs_once(tokenize(cell))) << cell;
}

TEST(RunsOnce, NothingThatCanRunTwice) {
    for (const char* cell :
         {"for (int i = 0; i < 3; ++i) v[i] = i;", "while (more()) ;", "do x(); while (y);",
          "again: goto again;", "int f(int x) { return x; }",
          "struct P { int x() const { return 1; } };", "template <class T> T g(T t);",
          "std::sort(v.begin(), v.end(), [](int a, int b) { return a > b; });",
          "auto f = [] { return 1; };", "return [] { return 1; };", "auto f() -> int;",
          "#define EACH for (;;)", "namespace n { int x; }"})
        EXPECT_FALSE(runs_once(tokenize(cell))) << cell;
}

}  // namespace
