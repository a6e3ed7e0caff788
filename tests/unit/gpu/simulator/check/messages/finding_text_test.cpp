#include "gpu/simulator/check/messages/finding_text.hpp"

#include "gpu/simulator/check/messages/advice.hpp"

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
    context.program_text += "    if (t + 3 < n) y[t] = 0;\n";
    EXPECT_NE(message(raw).find("In a guard that is there, n must be at most 100"),
              std::string::npos)
        << message(raw);
}

TEST_F(Text, OfAGuardWithTheWrongOperator) {
    RawFinding raw;
    raw.kind = FindingKind::out_of_bounds;
    raw.first = side(1, 36, 2, false);
    raw.region = region(Region::Kind::global, "x", 100);
    raw.offset = 420;
    const auto said = [&](const std::string& guard) {
        context.program_text = guard + "\n    y[i] = x[i];\n";
        return message(raw);
    };
    EXPECT_NE(said("if (row >= rows && column >= columns) return;").find("write || in place of &&"),
              std::string::npos);
    EXPECT_NE(said("if (row < rows || column < columns)").find("write && in place of ||"),
              std::string::npos);
    for (const char* right : {"if (row >= rows || column >= columns) return;",
                              "if (row < rows && column < columns)", "if (x < 0 || y < 0) i = 0;"})
        EXPECT_EQ(said(right).find("in place of"), std::string::npos) << said(right);
}

TEST_F(Text, OfBytesInsteadOfElements) {
    RawFinding raw;
    raw.kind = FindingKind::out_of_bounds;
    raw.first = side(0, 0, 4, false);
    raw.region = region(Region::Kind::global, "x", 1024);
    raw.offset = 4096;
    context.arguments.scalars = {{"n", 4096}};
    EXPECT_NE(message(raw).find("n is 4096 = 4 x 1024: bytes instead of elements?"),
              std::string::npos)
        << message(raw);
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
    EXPECT_NE(message(raw).find("__syncthreads() does not order blocks"), std::string::npos)
        << message(raw);
}

TEST_F(Text, OfAMissingSecondBarrier) {
    context.program_text =
        "for (;;) {\n  tile[t] = x[t];\n  __syncthreads();\n  sum += tile[63 - t];\n}\n";
    RawFinding raw;
    raw.kind = FindingKind::race;
    raw.first = side(0, 32, 2, true);
    raw.second = side(0, 31, 4, false);
    raw.has_second = true;
    raw.region = region(Region::Kind::shared, "tile", 64);
    EXPECT_NE(message(raw).find(
                  "Add __syncthreads() after line 4, before the loop comes back to line 2."),
              std::string::npos)
        << message(raw);
}

TEST_F(Text, OfTwoLinesThatWriteTheSameElement) {
    context.program_text = "c[row * n + column] = sum;\nc[column * n + row] = sum;\n";
    RawFinding raw;
    raw.kind = FindingKind::race;
    raw.first = side(0, 32, 1, true);
    raw.second = side(0, 1, 2, true);
    raw.has_second = true;
    raw.region = region(Region::Kind::global, "c", 64);
    EXPECT_NE(message(raw).find("let one of them leave it out, by an if"), std::string::npos)
        << message(raw);
}

TEST_F(Text, TheCaretIsUnderWhatIsWrittenOrRead) {
    context.program_text = "  y[i] = y[i + 1] + y[i - 1];\n";
    const auto shown = [&](int line, const std::string& object, bool write, int column) {
        RawSide at = side(0, 0, line, write);
        at.column = column;
        return source_line(context, at, object);
    };
    const std::string text = "    1 |   y[i] = y[i + 1] + y[i - 1];\n";
    EXPECT_EQ(shown(1, "y", true, 0), text + "      |   ^\n");
    EXPECT_EQ(shown(1, "y", true, 8), text + "      |   ^\n");
    EXPECT_EQ(shown(1, "y", false, 0), text + "      |                     ^\n")
        << "any guess will do";
    EXPECT_EQ(shown(1, "y", false, 10), text + "      |          ^\n");
    EXPECT_EQ(shown(1, "y", false, 21), text + "      |                     ^\n");
    EXPECT_EQ(shown(1, "values", false, 21), text + "      |                     ^\n")
        << "another name leads there";
    EXPECT_EQ(shown(1, "values", false, 0), text);
    EXPECT_EQ(shown(2, "y", false, 0), "");
}

TEST_F(Text, OfASumWithoutAtomics) {
    context.program_text = "total[0] += x[i];\n";
    RawFinding raw;
    raw.kind = FindingKind::race;
    raw.first = side(0, 1, 1, true);
    raw.second = side(0, 0, 1, true);
    raw.has_second = true;
    raw.region = region(Region::Kind::global, "total", 1);
    EXPECT_NE(message(raw).find("use atomicAdd(&total[...], ...) in line 1"), std::string::npos)
        << message(raw);
}

TEST_F(Text, OfWhatAnotherThreadAddsToItsOwnElement) {
    context.program_text = "x[i] += x[i + 1];\n";
    RawFinding raw;
    raw.kind = FindingKind::race;
    raw.first = side(0, 1, 1, true);
    raw.first.column = 6;
    raw.second = side(0, 0, 1, false);
    raw.second.column = 9;
    raw.has_second = true;
    raw.region = region(Region::Kind::global, "x", 64);
    EXPECT_EQ(message(raw),
              "reverse.cu:1: race in global memory on x[0]\n"
              "  thread (1,0,0) of block (0,0,0) writes it in line 1\n"
              "    1 | x[i] += x[i + 1];\n"
              "      | ^\n"
              "  thread (0,0,0) of block (0,0,0) reads it in line 1\n"
              "    1 | x[i] += x[i + 1];\n"
              "      |         ^\n"
              "  Nothing between the two says which of them comes first.\n"
              "  Line 1 reads x and writes it: keep what is read in a variable, then "
              "__syncthreads(), or __syncwarp() where all of them are in one warp, and only "
              "then write. Another array for the results will do as well.");
    raw.blocks_race_too = true;
    EXPECT_NE(message(raw).find(
                  "write the results to another buffer than x, or make two launches of it."),
              std::string::npos)
        << message(raw);
    raw.second.column = 1;
    EXPECT_NE(message(raw).find("use atomicAdd(&x[...], ...) in line 1"), std::string::npos)
        << message(raw);
    context.program_text =
        "for (int step = 32; step > 0; step /= 2)\n    if (t < step) x[t] += x[t + step];\n";
    raw.blocks_race_too = false;
    raw.first.line = raw.second.line = 2;
    raw.second.column = 27;
    EXPECT_NE(message(raw).find("at the end of each turn of the loop"), std::string::npos)
        << message(raw);
}

TEST_F(Text, OfAtomicAndOtherAccesses) {
    RawFinding raw;
    raw.kind = FindingKind::race;
    raw.first = side(1, 0, 5, false);
    raw.second = side(0, 31, 4, true);
    raw.second.atomic = true;
    raw.has_second = true;
    raw.region = region(Region::Kind::global, "y", 64);
    EXPECT_NE(
        message(raw).find(
            "other blocks may still change y when it is read. Read it in a launch of its own"),
        std::string::npos)
        << message(raw);
    raw.first.write = true;
    EXPECT_NE(message(raw).find("give y its first value before the launch (Buffer::zeros)"),
              std::string::npos)
        << message(raw);
    raw.first = side(0, 0, 5, false);
    EXPECT_NE(message(raw).find("put __syncthreads() between line 4 and line 5, or use what the "
                                "atomic operation itself gives back."),
              std::string::npos)
        << message(raw);
}

TEST_F(Text, OfMasks) {
    RawFinding raw;
    raw.kind = FindingKind::warp_mask;
    raw.what = "__shfl_sync()";
    raw.first = side(0, 3, 4, false);
    raw.mask = raw.present = 0xffff;
    raw.lane_asked = 20;
    EXPECT_EQ(
        message(raw),
        "reverse.cu:4: the mask of __shfl_sync() names lanes 0-15, and a lane is asked that is "
        "none of them\n"
        "  thread (3,0,0) of block (0,0,0), lane 3, asks lane 20 for its value\n"
        "    4 |     tile[t] = x[t];\n"
        "  Name that lane in the mask, and let it come to the operation, or ask another one.");
    raw.mask = 0xffffffff;
    EXPECT_NE(message(raw).find("__shfl_sync() asks a lane that has returned"), std::string::npos)
        << message(raw);
    raw.lane_asked = -1;
    EXPECT_NE(message(raw).find("names lanes 0-31, but only lanes 0-15 come here"),
              std::string::npos)
        << message(raw);
    raw.mask = 0xf0;
    raw.present = 0xffffffff;
    EXPECT_NE(message(raw).find("names lanes 4-7, and another one calls it\n  thread (3,0,0) of "
                                "block (0,0,0), lane 3, is not in the mask"),
              std::string::npos)
        << message(raw);
}

TEST_F(Text, OfABarrierThatNotAllReach) {
    RawFinding raw;
    raw.kind = FindingKind::barrier_divergence;
    raw.first = side(0, 0, 4, false);
    raw.second = side(0, 48, 0, false);
    raw.has_second = true;
    raw.standing = {
        {Waiting::barrier, nullptr, "__syncthreads()",
         std::vector<ThreadPlace>(48, raw.first.place), 4},
        {Waiting::finished, nullptr, "", std::vector<ThreadPlace>(16, raw.second.place), 0}};
    const std::string text = message(raw);
    EXPECT_NE(text.find("48 threads wait at __syncthreads() in line 4, the first of them (0,0,0)"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("16 threads returned, the first of them (48,0,0)"), std::string::npos)
        << text;
    EXPECT_EQ(describe(raw, context, config).second.access, "returned");
}

TEST_F(Text, OfLanes) {
    EXPECT_EQ(lanes_text(0xffffffff), "lanes 0-31");
    EXPECT_EQ(lanes_text(0x10001), "lanes 0 and 16");
    EXPECT_EQ(lanes_text(0x8000ff0f), "lanes 0-3, 8-15 and 31");
    EXPECT_EQ(lanes_text(4), "lane 2");
    EXPECT_EQ(lanes_text(0), "no lane");
}

TEST_F(Text, OfAnIndexBeyondALocalArray) {
    RawFinding raw;
    raw.kind = FindingKind::out_of_bounds;
    raw.region.kind = Region::Kind::local;
    raw.region.name = "window";
    raw.region.bytes = 4;
    raw.offset = 4;
    EXPECT_EQ(message(raw),
              "reverse.cu: out of bounds: window[4], but window has 4 elements\n"
              "  thread (0,0,0) of block (0,0,0) comes to it\n"
              "  The last index is 3: look at the bound of the loop, or make the array larger.");
}

TEST(NameAt, WhereItBeginsOrItsSubscriptEnds) {
    const std::string text = "int a[4];\n  b = tile[k[1]][2] + a[3];\n";
    EXPECT_EQ(name_at(text, 2, 7), "tile");
    EXPECT_EQ(name_at(text, 2, 19), "tile") << "the second subscript";
    EXPECT_EQ(name_at(text, 2, 15), "k");
    EXPECT_EQ(name_at(text, 2, 26), "a");
    EXPECT_EQ(name_at(text, 2, 5), "");
    EXPECT_EQ(name_at(text, 9, 1), "");
    EXPECT_EQ(name_at("]", 1, 1), "");
}

TEST_F(Text, OfALocalVariableThatNothingHasSet) {
    RawFinding raw;
    raw.kind = FindingKind::uninitialised_read;
    raw.unset = true;
    raw.what = "sum";
    EXPECT_EQ(message(raw),
              "reverse.cu: the local variable sum is read, but nothing has set it\n"
              "  thread (0,0,0) of block (0,0,0) reads it\n"
              "  A local variable holds anything at first: give sum a value where it is declared.");
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
              "  The grid is too small: 2 blocks of 64 are 128 threads for 130 elements. Round up, "
              "(n + block - 1) / block: here 3 blocks, and guard the last "
              "ones in the CUDA kernel.");
    raw.region = region(Region::Kind::global, "y", 300);
    EXPECT_NE(message(raw).find("let each thread take several elements: a loop"), std::string::npos)
        << message(raw);
}

}  // namespace
}  // namespace lanes::gpu::simulator
