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

TEST(Lines, ColumnsComeFromTheLineTable) {
    // version 4: address 0x1000 line 3 column 5, 0x1010 line 4 column 9, then the end at 0x1020
    const unsigned char program[] = {/* length */ 60,
                                     0,
                                     0,
                                     0,
                                     4,
                                     0,
                                     /* header */ 20,
                                     0,
                                     0,
                                     0,
                                     1,
                                     1,
                                     1,
                                     0xfb,
                                     14,
                                     13,
                                     0,
                                     1,
                                     1,
                                     1,
                                     1,
                                     0,
                                     0,
                                     0,
                                     1,
                                     0,
                                     0,
                                     1,
                                     0,
                                     0,
                                     /* address */ 0,
                                     9,
                                     2,
                                     0,
                                     0x10,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     /* line */ 3,
                                     2,
                                     /* column */ 5,
                                     5,
                                     /* row */ 1,
                                     /* special: 16 bytes, 1 line */ 5,
                                     9,
                                     2,
                                     16,
                                     19 - 5 - 1 + 6,
                                     /* end */ 2,
                                     16,
                                     0,
                                     1,
                                     1,
                                     0,
                                     0,
                                     0,
                                     0};
    const LineProgram rows =
        read_line_program({reinterpret_cast<const char*>(program), sizeof program});
    ASSERT_GE(rows.size(), 2u);
    EXPECT_EQ(rows.begin()->first, 0x1000u);
    EXPECT_EQ(rows.begin()->second.line, 3);
    EXPECT_EQ(rows.begin()->second.column, 5);
    EXPECT_EQ(std::next(rows.begin())->first, 0x1010u);
    EXPECT_EQ(std::next(rows.begin())->second.line, 4);
    EXPECT_EQ(std::next(rows.begin())->second.column, 9);
    EXPECT_TRUE(read_line_program("\x07\x00\x00\x00 broken").empty());
    EXPECT_TRUE(read_line_program("").empty());
}

}  // namespace
}  // namespace lanes::gpu::simulator
