#include "gpu/simulator/object/lines.hpp"

#include <gtest/gtest.h>

namespace lanes::gpu::simulator {
namespace {

TEST(Lines, TheStudentsLineIsTakenNotTheOneInlinedFromElsewhere) {
    const auto lines = read_frames(
        "0x0000000000001150\nprelude:12\n/somewhere/k.cu:7 (discriminator "
        "2)\n/somewhere/k.cu:30\n0x1200\nk.cu:9\n0x1300\n??:?\n",
        "k.cu");
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines.at(0x1150).line, 7);
    EXPECT_EQ(lines.at(0x1200).line, 9);
}

TEST(Lines, ColumnsAreReadIfTheToolPrintsThem) {
    const auto lines = read_frames(
        "0x1150\nprelude:12:3\n/some:where/k.cu:7:15\n\n0x1200\nk.cu:9:0\n\n0x1300\n??:0:0\n\n",
        "k.cu");
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines.at(0x1150).line, 7);
    EXPECT_EQ(lines.at(0x1150).column, 15);
    EXPECT_EQ(lines.at(0x1200).line, 9);
    EXPECT_EQ(lines.at(0x1200).column, 0);
}

}  // namespace
}  // namespace lanes::gpu::simulator
