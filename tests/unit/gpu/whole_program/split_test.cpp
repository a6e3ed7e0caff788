#include "gpu/whole_program/split.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

namespace {

using lanes::gpu::whole_program::device_text;
using lanes::gpu::whole_program::host_text;
using lanes::gpu::whole_program::SourcePlace;
using lanes::gpu::whole_program::with_source_places;

const std::string main_file = "# 1 \"a.cu\"\n";

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(DeviceText, KeepsDeviceFunctionsAndDropsTheHosts) {
    const auto device = device_text(main_file +
                                        "__device__ int twice(int x) { return 2 * x; }\n"
                                        "template <int n> __global__ void k(int* y) {\n"
                                        "    y[0] = twice(n);\n"
                                        "}\n"
                                        "int main() { k<3><<<1, 1>>>(nullptr); }\n",
                                    "a.cu");
    EXPECT_TRUE(device.has_cuda_kernels);
    EXPECT_EQ(device.text,
              "__device__ int twice(int x) { return 2 * x; }\n"
              "template <int n> __global__ void k(int* y) {\n"
              "    y[0] = twice(n);\n"
              "}\n");
}

TEST(DeviceText, KeepsTypesAndConstantsThatTheDeviceMentions) {
    const auto device =
        device_text(main_file +
                        "const int width = 16, unused = 3;\n"
                        "int counter = 0;\n"
                        "struct Point { float x; std::string name() { return {}; }\n"
                        "    __host__ __device__ Point(float x) : x{x} {} };\n"
                        "struct Other { std::vector<int> v; };\n"
                        "using Real = float;\n"
                        "enum Mode { fast, slow };\n"
                        "namespace n { typedef Point Place; }\n"
                        "__global__ void k(n::Place p, Real* y) {\n"
                        "    if (fast) y[0] = width;\n"
                        "}\n",
                    "a.cu");
    for (const char* kept : {"width = 16", "struct Point { float x;", ": x{x} {} };", "using Real",
                             "enum Mode", "namespace n { typedef Point Place; }"})
        EXPECT_TRUE(holds(device.text, kept)) << kept << "\n" << device.text;
    for (const char* dropped : {"counter", "name()", "Other"})
        EXPECT_FALSE(holds(device.text, dropped)) << dropped << "\n" << device.text;
}

TEST(DeviceText, KeepsTypesThatOnlyTheLaunchOfATemplateNames) {
    const std::string text = main_file +
                             "typedef struct { int a; } Pixel;\n"
                             "using namespace std::chrono;\n"
                             "template <class T> __global__ void k(T* y) {}\n"
                             "int main() { k<Pixel><<<1, 1>>>(nullptr); }\n";
    EXPECT_FALSE(holds(device_text(text, "a.cu").text, "Pixel"));
    const auto device = device_text(text, "a.cu", {"k", "Pixel"});
    EXPECT_TRUE(holds(device.text, "typedef struct { int a; } Pixel;")) << device.text;
    EXPECT_FALSE(holds(device.text, "chrono")) << device.text;
}

TEST(DeviceText, LinesOfTheMainFileKeepTheirNumbers) {
    const auto device = device_text(
        main_file +
            "# 1 \"h.cuh\" 1\n__device__ int f();\n# 2 \"a.cu\" 2\n\n\n__device__ int g();\n"
            "# 1 \"/usr/include/x.h\" 1 3\n__device__ int system();\n",
        "a.cu");
    EXPECT_EQ(device.text, "__device__ int f();\n\n\n__device__ int g();\n");
    EXPECT_EQ(device.lines[0].file, "h.cuh");
    EXPECT_EQ(device.lines[0].line, 1);
    EXPECT_EQ(device.lines[3].file, "a.cu");
    EXPECT_EQ(device.lines[3].line, 4);
}

TEST(DeviceText, KeepsPragmasInsideOfFunctionsAlone) {
    const auto device = device_text(main_file +
                                        "__global__ void k() {\n"
                                        "#pragma unroll\n"
                                        "    for (;;) {}\n"
                                        "}\n"
                                        "int main() {\n"
                                        "#pragma omp parallel\n"
                                        "    {}\n"
                                        "}\n",
                                    "a.cu");
    EXPECT_TRUE(holds(device.text, "#pragma unroll"));
    EXPECT_FALSE(holds(device.text, "omp"));
}

TEST(DeviceText, KeepsOperatorsConversionsAndVariables) {
    const auto device = device_text(main_file +
                                        "__constant__ float table[2] = {1, 2};\n"
                                        "inline __device__ bool operator<(int2 a, int2 b) { return "
                                        "a.x < b.x; }\n"
                                        "float* host = new float[3];\n"
                                        "extern \"C\" {\n__device__ int last;\nvoid f() {}\n}\n",
                                    "a.cu");
    EXPECT_TRUE(holds(device.text, "table[2] = {1, 2};"));
    EXPECT_TRUE(holds(device.text, "return a.x < b.x; }"));
    EXPECT_TRUE(holds(device.text, "extern \"C\" {\n__device__ int last;"));
    EXPECT_FALSE(holds(device.text, "host"));
    EXPECT_FALSE(holds(device.text, "void f"));
}

TEST(HostText, EmptiesWhatOnlyTheDeviceRuns) {
    const std::string host = host_text(main_file +
                                       "__global__ void k(int* y) {\n"
                                       "#pragma unroll\n"
                                       "    y[threadIdx.x] = 1;\n"
                                       "}\n"
                                       "__host__ __device__ int both() { return 1; }\n"
                                       "struct S { __device__ int f() { return clock(); } };\n"
                                       "int main() { return R\"(__global__ void {)\"[0]; }\n");
    EXPECT_FALSE(holds(host, "threadIdx"));
    EXPECT_FALSE(holds(host, "unroll"));
    EXPECT_FALSE(holds(host, "clock"));
    EXPECT_TRUE(holds(host, "__global__ void k(int* y) {"));
    EXPECT_TRUE(holds(host, "both() { return 1; }"));
    EXPECT_TRUE(holds(host, "R\"(__global__ void {)\"[0]"));
    EXPECT_EQ(std::count(host.begin(), host.end(), '\n'), 8);
}

TEST(SourcePlaces, ReplaceTheLinesOfADeviceText) {
    const std::string file = testing::TempDir() + "places_h.cuh";
    std::ofstream(file) << "first\nthe line itself\n";
    const std::string message = with_source_places(
        "a.cu:2: out of bounds\n   2 | expanded\n     | ^\n  writes it in line 1, see a.cu:9",
        "a.cu", {{"a.cu", 7}, {file, 2}});
    EXPECT_EQ(message, file +
                           ":2: out of bounds\n   2 | the line itself\n"
                           "  writes it in line 7, see a.cu:9");
    std::remove(file.c_str());
}

}  // namespace
