#include "notebook/png.hpp"
#include "notebook/base64.hpp"
#include "picture_file.hpp"

#include <gtest/gtest.h>

namespace {

using lanes::notebook::base64;
using lanes::notebook::Pixels;
using lanes::notebook::png;
using lanes::notebook::png_with_palette;

TEST(Png, HoldsGreyPixels) {
    Pixels pixels(3, 2, 1);
    *pixels.at(2, 1) = 0xab;
    const Picture picture(png(pixels));
    EXPECT_EQ(picture.width, 3U);
    EXPECT_EQ(picture.height, 2U);
    EXPECT_EQ(picture.at(2, 1), "#ab");
    EXPECT_EQ(picture.at(1, 1), "#00");
}

TEST(Png, HoldsColours) {
    Pixels pixels(2, 2, 3);
    pixels.at(1, 0)[0] = 0x12, pixels.at(1, 0)[1] = 0x34, pixels.at(1, 0)[2] = 0x56;
    EXPECT_EQ(Picture(png(pixels)).at(1, 0), "#123456");
    const Picture packed(png_with_palette(pixels));
    EXPECT_TRUE(packed.has_palette());
    EXPECT_EQ(packed.at(1, 0), "#123456");
    EXPECT_EQ(packed.at(0, 0), "#000000");
}

TEST(Png, RareColoursBecomeTheirNeighbours) {
    Pixels pixels(1024, 1, 3);
    for (std::size_t x = 0; x < 1024; ++x)
        pixels.at(x, 0)[0] = static_cast<unsigned char>(x / 4),
                     pixels.at(x, 0)[1] = x % 4 == 3 ? 1 : 0;  // 512 colours
    const Picture picture(png_with_palette(pixels));
    EXPECT_TRUE(picture.has_palette());
    EXPECT_EQ(picture.at(4 * 0x7f, 0), "#7f0000");
    EXPECT_EQ(picture.at(4 * 0x7f + 3, 0), "#7f0000");  // was #7f0100, which came less often
}

TEST(Png, PhotographsKeepTheirColours) {
    Pixels pixels(128, 64, 3);
    for (std::size_t i = 0; i < 128 * 64; ++i)
        pixels.bytes[3 * i] = static_cast<unsigned char>(i % 256),
                         pixels.bytes[3 * i + 1] = static_cast<unsigned char>(i / 256);
    const Picture picture(png_with_palette(pixels));
    EXPECT_FALSE(picture.has_palette());
    EXPECT_EQ(picture.at(127, 63), "#ff1f00");
}

TEST(Base64, IsThatOfTheStandard) {
    EXPECT_EQ(base64(""), "");
    EXPECT_EQ(base64("f"), "Zg==");
    EXPECT_EQ(base64("fo"), "Zm8=");
    EXPECT_EQ(base64("foo"), "Zm9v");
    EXPECT_EQ(base64("\xff\xfe\xfd"), "//79");
}

}  // namespace
