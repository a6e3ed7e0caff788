#include "gpu/simulator/check/text.hpp"

#include "gpu/simulator/check/advice.hpp"

#include <gtest/gtest.h>

namespace lanes::gpu::simulator {
namespace {

constexpr const char* program = R"(__global__ void reverse(const float* x, float* y, int n) {
    __shared__ float tile[64];
    int t = threadIdx.x;
    tile[t] = x[t];
    y[t] = tile[63 - t];
})";

class Text : public testing::Test {
protected:
    Text() {
        context.program_name = "reverse.cu";
        context.program_text = program;
        context.entry_name = "reverse";
        config.grid = {2};
        config.block = {64};
    }
    static Region region(Region::Kind kind, const char* name, std::size_t elements) {
        Region region;
        region.kind = kind;
        region.name = name;
        region.element_bytes = 4;
        region.bytes = 4 * elements;
        return region;
    }
    static RawSide side(std::uint32_t block, std::uint32_t thread, int line, bool write) {
        RawSide side;
        side.place = {{block, 0, 0}, {thread, 0, 0}, block, thread};
        side.line = line;
        side.write = write;
        side.bytes = 4;
        return side;
    }
    std::string message(const RawFinding& raw) { return describe(raw, context, config).message; }

    CheckerContext context;
    LaunchConfig config;
};

TEST_F(Text, OfAnIndexThatIsTooLarge) {
    RawFinding raw;
    raw.kind = FindingKind::out_of_bounds;
    raw.first = side(1, 36, 4, false);
    raw.region = region(Region::Kind::global, "x", 100);
    raw.offset = 420;
    EXPECT_EQ(message(raw),
              "reverse.cu:4: out of bounds: x[105], but x has 100 elements\n"
              "  thread (36,0,0) of block (1,0,0) reads it\n"
              "    4 |     tile[t] = x[t];\n"
              "      |               ^\n"
              "  128 threads were launched for 100 elements: guard the access, if (i < n) ...");
    const Finding finding = describe(raw, context, config);
    EXPECT_EQ(finding.object, "x");
    EXPECT_EQ(finding.index, 105);
    EXPECT_EQ(finding.extent, 100u);
    EXPECT_EQ(finding.first.access, "read of 4 bytes");
}

TEST_F(Text, OfBytesInsteadOfElements) {
    RawFinding raw;
    raw.kind = FindingKind::out_of_bounds;
    raw.first = side(0, 0, 4, false);
    raw.region = region(Region::Kind::global, "x", 1024);
    raw.offset = 4096;
    context.scalars = {{"n", 4096}};
    EXPECT_NE(message(raw).find("n is 4096 = 4 x 1024: bytes instead of elements?"), std::string::npos) << message(raw);
}

TEST_F(Text, OfANegativeIndex) {
    RawFinding raw;
    raw.kind = FindingKind::out_of_bounds;
    raw.first = side(0, 0, 4, false);
    raw.region = region(Region::Kind::global, "x", 10);
    raw.offset = -1;
    EXPECT_NE(message(raw).find("x[-1], but x has 10 elements"), std::string::npos) << message(raw);
    raw.offset = -4;
    EXPECT_NE(message(raw).find("x[-1]"), std::string::npos) << message(raw);
    raw.offset = -(4ll << 30);
    EXPECT_NE(message(raw).find("an int that has overflowed"), std::string::npos) << message(raw);
}

TEST_F(Text, OfARaceSaysWhereTheBarrierGoes) {
    RawFinding raw;
    raw.kind = FindingKind::race;
    raw.first = side(0, 32, 5, false);
    raw.second = side(0, 31, 4, true);
    raw.has_second = true;
    raw.region = region(Region::Kind::shared, "tile", 64);
    raw.offset = 124;
    EXPECT_EQ(message(raw),
              "reverse.cu:5: race in shared memory on tile[31]\n"
              "  thread (32,0,0) of block (0,0,0) reads it in line 5\n"
              "    5 |     y[t] = tile[63 - t];\n"
              "      |            ^\n"
              "  thread (31,0,0) of block (0,0,0) writes it in line 4\n"
              "    4 |     tile[t] = x[t];\n"
              "      |     ^\n"
              "  Nothing between the two says which of them comes first.\n"
              "  Add __syncthreads() between line 4 and line 5.");
}

TEST_F(Text, OfARaceBetweenBlocksSaysThatABarrierDoesNotHelp) {
    RawFinding raw;
    raw.kind = FindingKind::race;
    raw.first = side(1, 0, 5, true);
    raw.second = side(0, 31, 4, true);
    raw.has_second = true;
    raw.region = region(Region::Kind::global, "y", 64);
    EXPECT_NE(message(raw).find("__syncthreads() does not order blocks"), std::string::npos) << message(raw);
}

TEST_F(Text, OfAMissingSecondBarrier) {
    context.program_text = "for (;;) {\n  tile[t] = x[t];\n  __syncthreads();\n  sum += tile[63 - t];\n}\n";
    RawFinding raw;
    raw.kind = FindingKind::race;
    raw.first = side(0, 32, 2, true);
    raw.second = side(0, 31, 4, false);
    raw.has_second = true;
    raw.region = region(Region::Kind::shared, "tile", 64);
    EXPECT_NE(message(raw).find("Add __syncthreads() after line 4, before the loop comes back to line 2."), std::string::npos) << message(raw);
}

TEST_F(Text, TheCaretIsUnderWhatIsWrittenOrRead) {
    context.program_text = "  y[i] = y[i + 1];\n";
    EXPECT_EQ(source_line(context, 1, "y", true), "    1 |   y[i] = y[i + 1];\n      |   ^\n");
    EXPECT_EQ(source_line(context, 1, "y", false), "    1 |   y[i] = y[i + 1];\n      |          ^\n");
    EXPECT_EQ(source_line(context, 1, "i", false), "    1 |   y[i] = y[i + 1];\n      |            ^\n");
    EXPECT_EQ(source_line(context, 2, "y", false), "");
}

TEST_F(Text, OfASumWithoutAtomics) {
    context.program_text = "total[0] += x[i];\n";
    RawFinding raw;
    raw.kind = FindingKind::race;
    raw.first = side(0, 1, 1, true);
    raw.second = side(0, 0, 1, true);
    raw.has_second = true;
    raw.region = region(Region::Kind::global, "total", 1);
    EXPECT_NE(message(raw).find("use atomicAdd(&total[...], ...) in line 1"), std::string::npos) << message(raw);
}

TEST_F(Text, OfABarrierThatNotAllReach) {
    RawFinding raw;
    raw.kind = FindingKind::barrier_divergence;
    raw.first = side(0, 0, 4, false);
    raw.second = side(0, 48, 0, false);
    raw.has_second = true;
    raw.standing = {{Waiting::barrier, nullptr, "__syncthreads()", std::vector<ThreadPlace>(48, raw.first.place), 4},
                    {Waiting::finished, nullptr, "", std::vector<ThreadPlace>(16, raw.second.place), 0}};
    const std::string text = message(raw);
    EXPECT_NE(text.find("48 threads wait at __syncthreads() in line 4, the first of them (0,0,0)"), std::string::npos) << text;
    EXPECT_NE(text.find("16 threads returned, the first of them (48,0,0)"), std::string::npos) << text;
    EXPECT_EQ(describe(raw, context, config).second.access, "returned");
}

TEST_F(Text, OfLanes) {
    EXPECT_EQ(lanes_text(0xffffffff), "lanes 0-31");
    EXPECT_EQ(lanes_text(0x10001), "lanes 0 and 16");
    EXPECT_EQ(lanes_text(0x8000ff0f), "lanes 0-3, 8-15 and 31");
    EXPECT_EQ(lanes_text(4), "lane 2");
    EXPECT_EQ(lanes_text(0), "no lane");
}

TEST_F(Text, OfAGridRoundedDown) {
    RawFinding raw;
    raw.kind = FindingKind::untouched_elements;
    raw.region = region(Region::Kind::global, "y", 130);
    raw.offset = 512;
    raw.untouched = 2;
    raw.suggested = 3;
    EXPECT_EQ(message(raw),
              "reverse.cu: reverse leaves 2 of the 130 elements of y alone, from y[128] on\n"
              "  The grid was rounded down: 2 blocks of 64 threads. Use (n + block - 1) / block, here 3 blocks, and a guard in the CUDA kernel.");
}

}  // namespace
}  // namespace lanes::gpu::simulator
