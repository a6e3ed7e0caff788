#include "lanes/notebook/launch_picture.hpp"

#include "error_of.hpp"
#include "lanes/gpu.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace lanes {
namespace {

using lanes_test::error_of;

const char* const text = R"(__global__ void shift(const int* a, int* b, int by) {
    __shared__ int tile[4];
    tile[threadIdx.x] = a[threadIdx.x + by];
    __syncthreads();
    b[threadIdx.x] = tile[3 - threadIdx.x];
}
__global__ void race(const int* a, int* b) {
    b[0] = a[threadIdx.x];
}
__global__ void largest(const int* a, int* b) {
    atomicMax(b, a[threadIdx.x]);
}
__global__ void turn(const int* a, int* b) {
    __shared__ int tile[8][8], sums[8];
    const int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = a[8 * y + x];
    __syncthreads();
    if (y == 0) sums[x] = tile[x][7 - x];
    __syncthreads();
    tile[y][x] += sums[y];
    __syncthreads();
    b[8 * x + y] = tile[x][y];
}
)";

class LaunchPicture : public testing::Test {
protected:
    static Program& program() {
        static Program compiled(Device::simulator(), text);
        return compiled;
    }
    static bool has(const std::string& where, const std::string& what) {
        return where.find(what) != std::string::npos;
    }
    Buffer<int> a_{Device::simulator(), std::vector<int>{1, 2, 3, 4}};
    Buffer<int> b_{Device::simulator(), 4};
};

TEST_F(LaunchPicture, EachStepSaysWhoReadsAndWritesWhat) {
    const LaunchReport report = launch(program().kernel("shift"), {1, 4}, a_, b_, 0);
    const AccessPicture drawn = draw_accesses(report);
    EXPECT_EQ(drawn.text,
              "shift <<<1, 4>>>: who reads and writes what\n"
              "step 1\n"
              "  thread 0 reads a[0], writes tile[0]\n"
              "  thread 1 reads a[1], writes tile[1]\n"
              "  thread 2 reads a[2], writes tile[2]\n"
              "  thread 3 reads a[3], writes tile[3]\n"
              "step 2, after the barrier in line 4\n"
              "  thread 0 reads tile[3], writes b[0]\n"
              "  thread 1 reads tile[2], writes b[1]\n"
              "  thread 2 reads tile[1], writes b[2]\n"
              "  thread 3 reads tile[0], writes b[3]");
    EXPECT_TRUE(has(drawn.svg, "<title>thread 2 writes tile of block 0[2], line 3</title>"));
    EXPECT_TRUE(has(drawn.svg, "barrier, line 4"));
    EXPECT_TRUE(has(drawn.html, ":checked~svg .t3{display:inline}"));
    EXPECT_FALSE(has(drawn.html, "<script"));
    ASSERT_EQ(report.accesses(2).size(), 4u);
    EXPECT_EQ(report.accesses(2)[2].kind, AccessKind::read);
    EXPECT_EQ(report.accesses(2)[2].step, 1u);
    EXPECT_EQ(report.accesses(2)[2].first, 1);
    EXPECT_EQ(report.accesses(2)[2].line, 5);
}

TEST_F(LaunchPicture, ALaunchThatFailedHasOneToo) {
    try {
        launch(program().kernel("shift"), {1, 4}, a_, b_, 1);
        FAIL() << "a[4] is outside";
    } catch (const CudaKernelFault& fault) {
        const AccessPicture drawn = draw_accesses(fault.report());
        EXPECT_TRUE(has(drawn.text, "out of bounds: a[4], but a has 4 elements"));
        EXPECT_TRUE(has(drawn.text, "\noutside: a[4]"));
        EXPECT_TRUE(has(drawn.svg, "outside: the launch stops there"));
        EXPECT_EQ(drawn.text, draw_accesses(last_report()).text);
        EXPECT_FALSE(fault.report().counted) << "it did not run to its end";
    }
}

TEST_F(LaunchPicture, RacingThreadsShareABox) {
    EXPECT_THROW(launch(program().kernel("race"), {1, 2}, a_, b_), CudaKernelFault);
    const LaunchReport report = last_report();
    EXPECT_TRUE(report.counted) << "every thread ran";
    EXPECT_EQ(report.findings.front().kind, FindingKind::race);
    EXPECT_TRUE(has(draw_accesses(report).text, "race: b[0]"));
    for (const MemoryAccess& access : report.accesses())
        EXPECT_EQ(access.races, access.kind == AccessKind::write);
}

TEST_F(LaunchPicture, MatricesHaveRowsAndColumns) {
    const LaunchReport report = launch(program().kernel("shift"), {1, 4}, a_, b_, 0);
    EXPECT_TRUE(has(draw_accesses(report, {{"a", {2, 2}}}).svg, "reads a[1,0], line 3"));
    EXPECT_EQ(error_of([&] { draw_accesses(report, {{"a", {2, 3}}}); }),
              "show_accesses: a has 4 elements, and 2x3 are 6. Give rows and columns that fit.");
    EXPECT_TRUE(has(error_of([&] { draw_accesses(report, {{"c", {2, 2}}}); }), "no array 'c'"));
}

TEST_F(LaunchPicture, AnAtomicOperationUpdatesWhateverItsKind) {
    const Buffer<int> most = Buffer<int>::zeros(Device::simulator(), 1);
    const AccessPicture drawn =
        draw_accesses(launch(program().kernel("largest"), {1, 4}, a_, most));
    EXPECT_TRUE(has(drawn.text, "thread 3 reads a[3], updates b[0]")) << drawn.text;
    EXPECT_TRUE(has(drawn.svg, "<title>thread 3 updates b[0], line 11</title>")) << drawn.svg;
}

TEST_F(LaunchPicture, SixtyFourThreadsInTwoDimensionsMeetAtThreeBarriers) {
    const Device device = Device::simulator();
    const Buffer<int> a(device, std::vector<int>(64, 1));
    Buffer<int> b(device, 64);
    const LaunchReport report = launch(program().kernel("turn"), {1, {8, 8}}, a, b);
    const AccessPicture drawn = draw_accesses(report, {{"a", {8, 8}}, {"tile", {8, 8}}});
    std::vector<std::string> lines;
    std::istringstream in(drawn.text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    ASSERT_EQ(lines.size(), 1 + 4 + 64 + 8 + 64 + 64u) << drawn.text;
    EXPECT_EQ(lines[0], "turn <<<1, (8, 8)>>>: who reads and writes what");
    EXPECT_EQ(lines[1], "step 1");
    EXPECT_EQ(lines[65], "  thread 63 reads a[63], writes tile[63]");
    EXPECT_EQ(lines[66], "step 2, after the barrier in line 17");
    EXPECT_EQ(lines[70], "  thread 3 reads tile[28], writes sums[3]");
    EXPECT_EQ(lines[75], "step 3, after the barrier in line 19");
    EXPECT_EQ(lines[93], "  thread 17 reads tile[17], sums[2], writes tile[17]");
    EXPECT_EQ(lines[140], "step 4, after the barrier in line 21");
    EXPECT_EQ(lines[158], "  thread 17 reads tile[10], writes b[10]");
    for (const char* part :
         {"thread 17 reads a[2,1], line 16", "barrier, line 17", "barrier, line 19",
          "barrier, line 21", "thread 63 writes tile of block 0[7,7], line 20"})
        EXPECT_TRUE(has(drawn.svg, part)) << part;
    EXPECT_TRUE(has(drawn.html, ":checked~svg .t63{display:inline}"));
}

TEST_F(LaunchPicture, LargeLaunchesAreNotRecorded) {
    LaunchReport large;
    large.config = {8, 256};
    EXPECT_EQ(error_of([&] { draw_accesses(large); }),
              "show_accesses: the launch has 2048 threads; accesses are recorded of at most 1024. "
              "Launch fewer, on fewer elements.");
}

TEST_F(LaunchPicture, TheReportNamesTheLineThatCostsMost) {
    const LaunchReport report = launch(program().kernel("shift"), {1, 4}, a_, b_, 0);
    const std::vector<LineTraffic> lines = report.lines();
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0].line, 3);
    EXPECT_EQ(lines[0].text, "tile[threadIdx.x] = a[threadIdx.x + by];");
    EXPECT_EQ(lines[0].loads, 4u);
    EXPECT_EQ(lines[0].sectors, 1u);
    EXPECT_EQ(lines[0].shared_requests, 1u);
    EXPECT_EQ(lines[1].stores, 4u);
    testing::internal::CaptureStdout();
    report.show("T4");
    const std::string shown = testing::internal::GetCapturedStdout();
    EXPECT_TRUE(has(shown,
                    "most sectors: line 3, tile[threadIdx.x] = a[threadIdx.x + by];\n"
                    "  1 sector, 1 times as many as if its elements lay side by side\n"
                    "occupancy on T4: 50 %, 16 blocks of 4 threads per multiprocessor, "
                    "limited by blocks; registers are not known; the grid has 1 block for 40"))
        << shown;
}

}  // namespace
}  // namespace lanes
