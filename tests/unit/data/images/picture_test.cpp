#include "lanes/data/picture.hpp"

#include "data/files.hpp"
#include "error_of.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace {

using lanes::ColorImage;
using lanes::CropBox;
using lanes::Picture;
using lanes_test::error_of;

// The same as image() of pillow_values.py.
ColorImage pattern(std::size_t rows, std::size_t columns) {
    ColorImage image(std::array<std::size_t, 3>{rows, columns, 3});
    for (std::size_t y = 0; y < rows; ++y)
        for (std::size_t x = 0; x < columns; ++x) {
            image(y, x, 0) = static_cast<unsigned char>((7 * y + 13 * x + y * x) % 256);
            image(y, x, 1) = static_cast<unsigned char>((31 * y * y + 5 * x) % 256);
            image(y, x, 2) = static_cast<unsigned char>(255 * ((y + x) % 2));
        }
    return image;
}

// Slow changes, as in a photograph: a JPEG keeps them well.
ColorImage waves(std::size_t rows, std::size_t columns) {
    ColorImage image(std::array<std::size_t, 3>{rows, columns, 3});
    for (std::size_t y = 0; y < rows; ++y)
        for (std::size_t x = 0; x < columns; ++x)
            for (std::size_t c = 0; c < 3; ++c) {
                const double phase =
                    0.01 * static_cast<double>(y * (c + 1)) + 0.013 * static_cast<double>(x);
                image(y, x, c) = static_cast<unsigned char>(127 + 120 * std::sin(phase));
            }
    return image;
}

struct PillowValues {
    std::size_t rows;
    std::size_t columns;
    CropBox box;
    std::size_t out_rows;
    std::size_t out_columns;
    std::vector<int> bytes;
};

const std::vector<PillowValues> pillow_values{
#include "pillow_values.inc"
};

struct Difference {
    int largest = 0;
    double mean = 0;
};

Difference difference(const ColorImage& a, const ColorImage& b) {
    Difference found;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const int one = std::abs(int{a.data()[i]} - int{b.data()[i]});
        found.largest = std::max(found.largest, one);
        found.mean += static_cast<double>(one) / static_cast<double>(a.size());
    }
    return found;
}

TEST(Picture, crop_and_resize_is_pillows_within_one) {
    for (const PillowValues& expected : pillow_values) {
        Picture picture(pattern(expected.rows, expected.columns));
        Picture small =
            picture.crop_and_resize(expected.box, expected.out_rows, expected.out_columns);
        const ColorImage& pixels = small.pixels();
        ASSERT_EQ(pixels.size(), expected.bytes.size());
        for (std::size_t i = 0; i < pixels.size(); ++i)
            ASSERT_NEAR(int{pixels.data()[i]}, expected.bytes[i], 1)
                << expected.rows << " x " << expected.columns << ", byte " << i;
    }
}

TEST(Picture, the_same_size_keeps_every_pixel) {
    Picture picture(pattern(20, 30));
    EXPECT_EQ(picture.crop_and_resize({0, 0, 20, 30}, 20, 30).pixels(), pattern(20, 30));
    EXPECT_EQ(picture.crop({3, 4, 5, 6}).pixels()(4, 5, 0), pattern(20, 30)(7, 9, 0));
}

TEST(Picture, a_large_jpeg_decoded_smaller_looks_the_same) {
    const files::Folder folder;
    lanes::write_image(folder.path("a.jpg"), waves(1001, 1205));
    for (const CropBox box : {CropBox{0, 0, 1001, 1205}, CropBox{101, 57, 700, 811}}) {
        Picture file = Picture::from_file(folder.path("a.jpg"));
        EXPECT_EQ(file.rows(), 1001u);
        EXPECT_EQ(file.columns(), 1205u);
        Picture pixels(lanes::read_image(folder.path("a.jpg")));
        const Difference found = difference(file.crop_and_resize(box, 40, 40).pixels(),
                                            pixels.crop_and_resize(box, 40, 40).pixels());
        EXPECT_LE(found.mean, 0.6);
        EXPECT_LE(found.largest, 6);
    }
}

TEST(Picture, what_is_no_picture_is_named_and_refused) {
    const files::Folder folder;
    lanes::write_image(folder.path("whole.jpg"), waves(64, 64));
    const files::Bytes whole = files::read(folder.path("whole.jpg"));
    const auto half = static_cast<std::ptrdiff_t>(whole.size() / 2);
    folder.write("cut.jpg", {whole.begin(), whole.begin() + half});
    folder.write("text.jpg", {'h', 'e', 'l', 'l', 'o'});
    folder.write("empty.png", {});
    ASSERT_EQ(mkfifo(folder.path("pipe.png").c_str(), 0600), 0);
    for (const char* name : {"text.jpg", "empty.png", "pipe.png", "missing.png"})
        EXPECT_NE(error_of([&] { Picture::from_file(folder.path(name)); }).find(name),
                  std::string::npos)
            << name;
    Picture cut = Picture::from_file(folder.path("cut.jpg"));
    EXPECT_NE(error_of([&] { cut.pixels(); }).find("cut.jpg is damaged"), std::string::npos);
    EXPECT_NE(error_of([&] { cut.crop_and_resize({0, 0, 64, 64}, 8, 8); }).find("cut.jpg"),
              std::string::npos);
}

TEST(Picture, a_header_that_claims_too_many_pixels_is_refused_before_they_are_allocated) {
    const files::Folder folder;
    lanes::write_image(folder.path("a.jpg"), waves(16, 16));
    files::Bytes bytes = files::read(folder.path("a.jpg"));
    for (std::size_t i = 0; i + 8 < bytes.size(); ++i)
        if (bytes[i] == 0xff && bytes[i + 1] == 0xc0)  // start of frame: rows and columns follow
            std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(i) + 5, 4, 0x7f);
    folder.write("huge.jpg", bytes);
    const std::string error = error_of([&] { Picture::from_file(folder.path("huge.jpg")); });
    EXPECT_NE(error.find("huge.jpg"), std::string::npos) << error;
    EXPECT_NE(error.find("32639 x 32639"), std::string::npos) << error;
}

TEST(Picture, mistakes_are_explained) {
    Picture picture(pattern(20, 30));
    EXPECT_EQ(error_of([&] { picture.crop({10, 0, 11, 5}); }),
              "crop: a box of 11 x 5 pixels at row 10, column 0 of a picture of 20 x 30 pixels. "
              "The box must be inside the picture.");
    const std::size_t row = 20;
    const std::size_t half = 22;  // row - half wraps around
    EXPECT_EQ(error_of([&] { picture.crop({row - half, 0, 10, 10}); }),
              "crop: a box of 10 x 10 pixels at row 18446744073709551614, column 0 of a picture of "
              "20 x 30 pixels. The box must be inside the picture.");
    for (const CropBox box : {CropBox{0, row - half, 10, 10}, CropBox{10, 0, row - half, 10},
                              CropBox{0, 5, 10, row - half}, CropBox{21, 0, 1, 1}})
        EXPECT_NE(error_of([&] { picture.crop_and_resize(box, 4, 4); }).find("must be inside"),
                  std::string::npos);
    EXPECT_EQ(error_of([&] { picture.tensor(); }),
              "Picture: it is no tensor yet. Add ToTensor to the transforms.");
    Picture tensor(lanes::Tensor::zeros({3, 4, 5}));
    EXPECT_EQ(error_of([&] { tensor.pixels(); }),
              "pixels: the picture is a tensor already. Use it before ToTensor.");
}

}  // namespace
