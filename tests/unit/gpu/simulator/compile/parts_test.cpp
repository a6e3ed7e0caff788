// Steps of the compilation, each tested alone.
#include "gpu/simulator/compile/assembly.hpp"
#include "gpu/simulator/compile/prelude.hpp"
#include "gpu/simulator/compile/shared_names.hpp"
#include "gpu/simulator/compile/unset_uses.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lanes::gpu::simulator {
namespace {

std::string replaced(const std::string& text) {
    const std::string result = with_dynamic_shared(text);
    EXPECT_EQ(result.size(), text.size());  // columns in error messages stay the same
    return result;
}

TEST(DynamicShared, OnlyWhatIsExternIsReplaced) {
    EXPECT_EQ(replaced("extern __shared__ float s[];"), "extern __dshared_ float s[];");
    EXPECT_EQ(replaced("extern __align__(16)\n__shared__ char s[];"),
              "extern __align__(16)\n__dshared_ char s[];");
    EXPECT_EQ(replaced("extern int n; __shared__ float s[4];"),
              "extern int n; __shared__ float s[4];");
    EXPECT_EQ(replaced("extern \"C\" __global__ void k() { __shared__ int s; }"),
              "extern \"C\" __global__ void k() { __shared__ int s; }");
    EXPECT_EQ(replaced("// extern __shared__\n/* extern */ __shared__ int s;"),
              "// extern __shared__\n/* extern */ __shared__ int s;");
    EXPECT_EQ(
        replaced(
            "const char* t = \"extern __shared__\"; char c = '\"'; extern __shared__ int s[];"),
        "const char* t = \"extern __shared__\"; char c = '\"'; extern __dshared_ int s[];");
}

TEST(Assembly, GapsFollowSharedArraysAndVariables) {
    const std::string text =
        "\t.section\tlanes_shared,\"aw\",@progbits\n\t.p2align\t2\na:\n\t.zero\t16\n\t.size\ta, "
        "16\n\n\t.type\tb,@object\n\t.p2align\t2\nb:\n\t.zero\t8\n\t.data\nc:\n\t.zero\t4\n"
        "\t.section\t.rodata\nd:\n\t.zero\t4\n\t.text\n\t.local\t_ZL1e\n\t.comm\t_ZL1e,40,4\n";
    const std::string checked = with_gaps_and_names(text, true, {});
    const auto count = [&](const std::string& part) {
        int times = 0;
        for (std::size_t at = checked.find(part); at != std::string::npos;
             at = checked.find(part, at + 1))
            ++times;
        return times;
    };
    EXPECT_EQ(count("\t.zero 64\n"), 4) << checked;  // not after constants
    EXPECT_LT(checked.find("\t.zero 64\n"), checked.find("b:\n"));
    EXPECT_EQ(with_gaps_and_names(text, false, {}).find(".zero 64"), std::string::npos);
}

TEST(Assembly, NamesOfDynamicSharedMemoryMeanItInEveryNamespace) {
    const std::string text = with_gaps_and_names(
        "\tadrp\tx8, :got:s\n\tldr\tx8, [x8, :got_lo12:_ZN4deep1sE]\n\tb\t_ZN5other2tsE\n"
        "\tadrp\tx8, t\nt:\n\t.zero\t4\n",
        false, {"s", "t"});
    EXPECT_NE(text.find("\t.set s, lanes_dynamic_shared\n"), std::string::npos) << text;
    EXPECT_NE(text.find("\t.set _ZN4deep1sE, lanes_dynamic_shared\n"), std::string::npos) << text;
    EXPECT_EQ(text.find(".set _ZN5other"), std::string::npos) << text;
    EXPECT_EQ(text.find(".set t"), std::string::npos) << text;
}

TEST(SharedNames, OtherArraysAreThoseThatNobodyWatches) {
    const auto has = [](const std::string& body) {
        return has_other_arrays(
            {"__global__ void k(float* y, int n) {\n" + body + "\n}\n", "cell.cu", {}});
    };
    EXPECT_TRUE(has("float a[4];"));
    EXPECT_TRUE(has("int i = 0, a[4] = {};"));
    EXPECT_TRUE(has("if (n > 1) { const int a[2] = {1, 2}; y[0] = a[1]; }"));
    EXPECT_FALSE(
        has("__shared__ float a[4][4]; a[n][0] = 1; if (n) y[0] = 1; else y[1] = a[0][n];"));
    EXPECT_TRUE(has("Pair<float> a[4];"));
    EXPECT_FALSE(has("if (n > 1) y[n] = y[0] > y[1] ? y[0] : y[1];"));
    EXPECT_FALSE(has("for (int k = 0; k < n; ++k) y[k] = f(y, y[k]);"));
    EXPECT_TRUE(has_other_arrays({"struct P { float v[3]; };\n", "cell.cu", {}}));
    EXPECT_FALSE(
        has_other_arrays({"__constant__ float v[3];\n__device__ int w[3];\n", "cell.cu", {}}));
}

TEST(UnsetUses, AreWatchedWhereTheCompilerWarned) {
    const std::string text = "int sum, summit;\n    a = sum + sum;\nint b = value;\n";
    const std::string log =
        "cell.cu:2:9: warning: variable 'sum' is uninitialized when used here [-Wuninitialized]\n"
        "cell.cu:1:5: note: initialize the variable 'sum' to silence this warning\n"
        "cell.cu:2:15: warning: variable 'sum' may be uninitialized when used here "
        "[-Wconditional-uninitialized]\n"
        "cell.cu:1:7: warning: variable 'value' is used uninitialized whenever 'if' condition is "
        "false [-Wsometimes-uninitialized]\n"
        "cell.cu:3:9: note: uninitialized use occurs here\n"
        "cell.cu:1:10: warning: variable 'sum' is uninitialized when used here [-Wuninitialized]\n"
        "other.cu:2:9: warning: variable 'a' is uninitialized when used here [-Wuninitialized]\n";
    EXPECT_EQ(
        with_watched_uses(text, "cell.cu", log),
        "int sum, summit;\n    a = LANES_USE(sum) + LANES_USE(sum);\nint b = LANES_USE(value);\n");
    EXPECT_EQ(with_watched_uses(text, "cell.cu", ""), text);
}

TEST(SharedNames, TypesAreReadFromTheText) {
    const ProgramText program{
        "__global__ void k() {\n    __shared__ __align__(16) double a[4][8], b;\n    __shared__ "
        "unsigned char c[12];\n    extern __shared__ short d[];\n}",
        "cell.cu",
        {}};
    std::vector<Region> regions(4);
    regions[0].name = "a";
    regions[1].name = "b";
    regions[2].name = "c";
    for (auto& region : regions) region.bytes = 12;
    describe_shared(program, "k", regions);
    EXPECT_EQ(regions[0].element_bytes, 8U);
    EXPECT_TRUE(regions[0].is_float && regions[1].is_float);
    EXPECT_EQ(regions[2].element_bytes, 1U);
    EXPECT_EQ(regions[3].name, "d");
    EXPECT_EQ(regions[3].element_bytes, 2U);
    EXPECT_EQ(dynamic_shared_names(program), std::vector<std::string>{"d"});
}

TEST(SharedNames, OfSeveralDynamicArraysTheLaunchedOneIsDescribed) {
    const ProgramText program{
        "template <int n> __global__ void first() { extern __shared__ short d[]; }\n"
        "__global__ void second() { extern __shared__ double d[]; }\n"
        "__global__ void third() { extern __shared__ float a[]; extern __shared__ int b[]; }\n",
        "cell.cu",
        {}};
    const auto described = [&](const char* entry) {
        std::vector<Region> regions(1);
        regions[0].bytes = 64;
        describe_shared(program, entry, regions);
        return regions[0];
    };
    EXPECT_EQ(described("first<3>").name, "d");
    EXPECT_EQ(described("first<3>").element_bytes, 2U);
    EXPECT_EQ(described("second").element_bytes, 8U);
    EXPECT_TRUE(described("second").is_float);
    EXPECT_EQ(described("third").name, "dynamic shared memory");
    EXPECT_EQ(described("third").element_bytes, 4U);
    EXPECT_FALSE(described("third").is_float);
}

}  // namespace
}  // namespace lanes::gpu::simulator
