#include "notebook/image.hpp"

#include "picture_file.hpp"

#include <gtest/gtest.h>

namespace {

using lanes::notebook::grid_file;
using lanes::notebook::image_file;
using lanes::notebook::ImageFile;
using lanes::notebook::Pixels;

Pixels chess(std::size_t width, std::size_t height) {
    Pixels pixels(width, height, 1);
    for (std::size_t y = 0; y < height; ++y)
        for (std::size_t x = 0; x < width; ++x) *pixels.at(x, y) = (x + y) % 2 ? 255 : 0;
    return pixels;
}

TEST(ImageFile, SmallImagesGrowByWholePixels) {
    const Picture picture(image_file(chess(28, 14), "").png);
    EXPECT_EQ(picture.width, 280U);
    EXPECT_EQ(picture.height, 140U);
    EXPECT_EQ(picture.at(9, 9), "#00");
    EXPECT_EQ(picture.at(10, 9), "#ff");
}

TEST(ImageFile, ATitleStandsAbove) {
    const ImageFile file = image_file(chess(28, 28), "seven");
    const Picture picture(file.png);
    EXPECT_EQ(picture.width, 2U * static_cast<unsigned>(file.width));
    EXPECT_EQ(file.width, 280);
    EXPECT_EQ(file.height, 280 + 24);
    EXPECT_EQ(picture.at(10, 48 + 10), "#000000");  // the first pixel of the image
    EXPECT_EQ(picture.at(10, 10), "#ffffff");
}

TEST(ImageFile, LargeImagesFitThePage) {
    const ImageFile file = image_file(chess(2000, 1000), "");
    EXPECT_EQ(file.width, 660);
    EXPECT_EQ(file.height, 330);
}

TEST(ImageFile, AWideTitleMakesRoom) {
    EXPECT_GT(image_file(chess(2, 2), std::string(60, 'w')).width, 280);
}

TEST(GridFile, StandsRowByRow) {
    std::vector<Pixels> pictures(3, Pixels(10, 10, 1));
    for (unsigned char& byte : pictures[2].bytes) byte = 200;
    const ImageFile file = grid_file(pictures, {}, 2);
    const Picture picture(file.png);
    EXPECT_EQ(file.width, 2 * (140 + 10));
    EXPECT_EQ(file.height, 2 * (140 + 10));
    EXPECT_EQ(picture.at(2 * 75, 2 * 70), "#000000");
    EXPECT_EQ(picture.at(2 * 75, 2 * (150 + 70)), "#c8c8c8");
    EXPECT_EQ(picture.at(2 * 225, 2 * (150 + 70)), "#ffffff");  // there is no fourth
}

TEST(GridFile, APhotographKeepsItsSizeWhereThereIsRoom) {
    const std::vector<Pixels> pictures(3, Pixels(240, 160, 3));
    const ImageFile two = grid_file(pictures, {}, 2), three = grid_file(pictures, {}, 3);
    EXPECT_EQ(two.width, 2 * (240 + 10));
    EXPECT_EQ(two.height, 2 * (160 + 10));
    EXPECT_EQ(three.width, 660);
}

TEST(GridFile, ManyColumnsStillFit) {
    const std::vector<Pixels> pictures(200, Pixels(28, 28, 1));
    const ImageFile file = grid_file(pictures, {}, 100);
    EXPECT_GT(file.width, 0);
    EXPECT_EQ(Picture(file.png).width, 2U * static_cast<unsigned>(file.width));
}

TEST(GridFile, TitlesMayNotPushThePageAside) {
    const std::vector<Pixels> pictures(10, Pixels(28, 28, 1));
    EXPECT_LE(grid_file(pictures, std::vector<std::string>(10, std::string(80, 'w')), 10).width,
              660);
}

}  // namespace
