#include "notebook/display/image.hpp"

#include "lanes/data/image_file.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

namespace {

using lanes::notebook::Bundle;
using lanes::notebook::grid_bundle;
using lanes::notebook::image_bundle;
using lanes::notebook::Pixels;

Pixels chess_board(std::size_t width, std::size_t height) {
    Pixels pixels(width, height, 1);
    for (std::size_t y = 0; y < height; ++y)
        for (std::size_t x = 0; x < width; ++x) *pixels.at(x, y) = (x + y) % 2 ? 255 : 0;
    return pixels;
}

lanes::ColorImage decoded(const std::string& png) {
    const std::string path = testing::TempDir() + "image_test.png";
    std::ofstream(path, std::ios::binary) << png;
    lanes::ColorImage image = lanes::read_image(path);
    std::remove(path.c_str());
    return image;
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++found;
    return found;
}

// "width" and "height" of the SVG.
std::pair<int, int> size_of(const Bundle& bundle) {
    int width = 0;
    int height = 0;
    EXPECT_EQ(std::sscanf(bundle.svg.c_str(), "%*[^\"]\"%*[^\"]\" width=\"%d\" height=\"%d\"",
                          &width, &height),
              2)
        << bundle.svg.substr(0, 200);
    return {width, height};
}

TEST(ImageBundle, EnlargesSmallImagesByWholePixels) {
    const Bundle bundle = image_bundle(chess_board(28, 14), "");
    const lanes::ColorImage image = decoded(bundle.png);
    EXPECT_EQ(image.shape(0), 140U);
    EXPECT_EQ(image.shape(1), 280U);
    EXPECT_EQ(bundle.png_width, 280);
    EXPECT_EQ(image(9, 9, 0), 0);
    EXPECT_EQ(image(9, 10, 0), 255);
}

TEST(ImageBundle, PutsTheTitleAboveTheImage) {
    const Bundle bundle = image_bundle(chess_board(28, 28), "seven <7>");
    EXPECT_TRUE(bundle.png.empty());
    EXPECT_EQ(size_of(bundle), std::make_pair(280, 280 + 24));
    EXPECT_NE(bundle.svg.find("seven &lt;7&gt;"), std::string::npos);
    EXPECT_NE(bundle.svg.find("<image x=\"0\" y=\"24\" width=\"280\" height=\"280\" "
                              "style=\"image-rendering:pixelated\" href=\"data:image/png;base64,"),
              std::string::npos)
        << bundle.svg;
}

TEST(ImageBundle, ShowsLargeImagesAsWideAsThePageAndReducesThem) {
    const Bundle bundle = image_bundle(chess_board(4000, 2000), "");
    EXPECT_EQ(bundle.png_width, 660);
    EXPECT_EQ(bundle.png_height, 330);
    const lanes::ColorImage image = decoded(bundle.png);
    EXPECT_EQ(image.shape(1), 4000U / 3);
    EXPECT_NEAR(image(0, 0, 0), 255 * 4 / 9, 1);  // the mean of a block of 3 x 3
}

TEST(ImageBundle, MakesRoomForAWideTitle) {
    EXPECT_GT(size_of(image_bundle(chess_board(2, 2), std::string(60, 'w'))).first, 280);
}

TEST(GridBundle, PlacesImagesRowByRow) {
    const std::vector<Pixels> pictures(3, Pixels(10, 10, 1));
    const Bundle bundle = grid_bundle(pictures, {}, 2);
    EXPECT_EQ(size_of(bundle), std::make_pair(2 * (140 + 10), 2 * (140 + 10)));
    EXPECT_EQ(count(bundle.svg, "<image"), 3U);
    EXPECT_NE(bundle.svg.find("<image x=\"155\" y=\"0\""), std::string::npos);
    EXPECT_NE(bundle.svg.find("<image x=\"5\" y=\"150\""), std::string::npos);
}

TEST(GridBundle, KeepsTheSizeOfAPhotographIfItFits) {
    const std::vector<Pixels> pictures(3, Pixels(240, 160, 3));
    EXPECT_EQ(size_of(grid_bundle(pictures, {}, 2)),
              std::make_pair(2 * (240 + 10), 2 * (160 + 10)));
    EXPECT_EQ(size_of(grid_bundle(pictures, {}, 3)).first, 660);
}

TEST(GridBundle, HoldsAnyNumberOfColumns) {
    const std::vector<Pixels> pictures(200, Pixels(28, 28, 1));
    EXPECT_GT(size_of(grid_bundle(pictures, {}, 100)).first, 0);
}

TEST(GridBundle, IsNotWiderThanThePageBecauseOfItsTitles) {
    const std::vector<Pixels> pictures(10, Pixels(28, 28, 1));
    const std::vector<std::string> titles(10, std::string(80, 'w'));
    EXPECT_LE(size_of(grid_bundle(pictures, titles, 10)).first, 660);
}

}  // namespace
