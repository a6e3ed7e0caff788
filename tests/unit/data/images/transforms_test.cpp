#include "lanes/data/transforms.hpp"

#include "error_of.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using lanes::ColorImage;
using lanes::CropBox;
using lanes::Picture;
using lanes::Rng;
using lanes_test::error_of;
namespace transforms = lanes::transforms;

ColorImage numbered(std::size_t rows, std::size_t columns) {
    ColorImage image(std::array<std::size_t, 3>{rows, columns, 3});
    for (std::size_t i = 0; i < image.size(); ++i)
        image.data()[i] = static_cast<unsigned char>(i * 7 % 256);
    return image;
}

TEST(RandomResizedCrop, boxes_have_the_areas_and_ratios_that_were_asked_for) {
    const transforms::RandomResizedCrop crop(224);
    Rng rng(1);
    double smallest = 1;
    double largest = 0;
    double mean = 0;
    const int draws = 20000;
    for (int i = 0; i < draws; ++i) {
        const CropBox box = crop.draw(300, 400, rng);
        ASSERT_LE(box.top + box.rows, 300u);
        ASSERT_LE(box.left + box.columns, 400u);
        const double area = static_cast<double>(box.rows * box.columns) / (300 * 400);
        const double ratio = static_cast<double>(box.columns) / static_cast<double>(box.rows);
        ASSERT_GT(ratio, 3.0 / 4 - 0.02);
        ASSERT_LT(ratio, 4.0 / 3 + 0.02);
        smallest = std::min(smallest, area);
        largest = std::max(largest, area);
        mean += area / draws;
    }
    EXPECT_NEAR(smallest, 0.08, 0.003);
    EXPECT_GT(largest, 0.97);
    // Boxes that do not fit are drawn again, so large ones are rarer. The mean was found by 200,000
    // draws of the same rule written in Python.
    EXPECT_NEAR(mean, 0.4326, 0.006);
}

TEST(RandomResizedCrop, a_very_long_picture_gives_its_centre) {
    const transforms::RandomResizedCrop crop(8, {0.9, 1});
    Rng rng(1);
    const CropBox box = crop.draw(10, 1000, rng);
    EXPECT_EQ(box.rows, 10u);
    EXPECT_EQ(box.columns, 13u);  // 10 * 4/3
    EXPECT_EQ(box.left, 493u);
    EXPECT_EQ(crop.draw(1000, 10, rng).rows, 13u);
}

TEST(RandomResizedCrop, the_seed_repeats_it) {
    const transforms::Compose all = transforms::training(16);
    Rng first(3);
    Rng again(3);
    Rng other(4);
    const auto x = all(numbered(40, 50), first).tensor().to_vector();
    EXPECT_EQ(x, all(numbered(40, 50), again).tensor().to_vector());
    EXPECT_NE(x, all(numbered(40, 50), other).tensor().to_vector());
    EXPECT_EQ(x.size(), 3u * 16 * 16);
}

TEST(RandomHorizontalFlip, mirrors_about_half_of_the_pictures) {
    const ColorImage image = numbered(3, 5);
    Rng rng(1);
    int flipped = 0;
    for (int i = 0; i < 1000; ++i) {
        Picture picture = transforms::RandomHorizontalFlip()(image, rng);
        if (picture.pixels() == image) continue;
        ++flipped;
        for (std::size_t x = 0; x < 5; ++x)
            for (std::size_t c = 0; c < 3; ++c)
                ASSERT_EQ(picture.pixels()(1, x, c), image(1, 4 - x, c));
    }
    EXPECT_NEAR(flipped, 500, 60);
}

TEST(Resize, one_number_is_the_length_of_the_shorter_side) {
    Rng rng(1);
    const Picture wide = transforms::Resize(10)(numbered(20, 41), rng);
    EXPECT_EQ(wide.rows(), 10u);
    EXPECT_EQ(wide.columns(), 20u);
    const Picture high = transforms::Resize(10)(numbered(41, 20), rng);
    EXPECT_EQ(high.rows(), 20u);
    EXPECT_EQ(high.columns(), 10u);
    EXPECT_EQ(transforms::Resize(7, 9)(numbered(41, 20), rng).columns(), 9u);
}

TEST(CenterCrop, takes_the_middle) {
    Rng rng(1);
    Picture picture = transforms::CenterCrop(4)(numbered(10, 9), rng);
    EXPECT_EQ(picture.rows(), 4u);
    EXPECT_EQ(picture.pixels()(0, 0, 0), numbered(10, 9)(3, 2, 0));
    EXPECT_EQ(error_of([&] { transforms::CenterCrop(11)(numbered(10, 9), rng); }),
              "CenterCrop: 11 x 11 pixels of a picture of 10 x 9 pixels. Resize it first.");
}

TEST(ToTensor, puts_channels_first_and_divides_by_255) {
    Rng rng(1);
    const ColorImage image = numbered(4, 5);
    const lanes::Tensor x = transforms::ToTensor()(image, rng).tensor();
    EXPECT_EQ(x.shape(), (lanes::Shape{3, 4, 5}));
    EXPECT_FLOAT_EQ(x.at({2, 3, 1}), static_cast<float>(image(3, 1, 2)) / 255);
}

// A dataset may keep the tensor, and give it again in the next epoch.
TEST(Normalize, leaves_the_given_tensor_as_it_is) {
    const lanes::Tensor x = lanes::Tensor::ones({1, 2, 2});
    lanes::Rng rng(1);
    const lanes::Tensor y = transforms::Normalize({0.5f}, {0.25f})(Picture(x), rng).tensor();
    EXPECT_EQ(x.to_vector(), std::vector<float>(4, 1));
    EXPECT_EQ(y.to_vector(), std::vector<float>(4, 2));
}

TEST(Normalize, subtracts_the_mean_and_divides_by_the_deviation) {
    Rng rng(1);
    const ColorImage image = numbered(4, 5);
    const transforms::Compose both{transforms::ToTensor(), transforms::normalize_imagenet()};
    const lanes::Tensor x = both(image, rng).tensor();
    EXPECT_NEAR(x.at({1, 2, 3}), (static_cast<float>(image(2, 3, 1)) / 255 - 0.456f) / 0.224f,
                1e-6);
    EXPECT_EQ(transforms::to_image(x), image);  // the inverse
    EXPECT_EQ(error_of([&] { transforms::Normalize({0.5f}, {1})(Picture(x), rng); }),
              "Normalize: 1 means for a picture of 3 channels. Give one per channel.");
    EXPECT_EQ(error_of([&] { transforms::normalize_imagenet()(image, rng); }),
              "Picture: it is no tensor yet. Add ToTensor to the transforms.");
}

TEST(Compose, takes_functions_of_ones_own) {
    Rng rng(1);
    const transforms::Compose inverted{
        [](Picture picture, Rng&) {
            ColorImage image = picture.take_pixels();
            for (unsigned char& value : image) value = static_cast<unsigned char>(255 - value);
            return Picture(image);
        },
        transforms::ToTensor(),
    };
    EXPECT_FLOAT_EQ(inverted(numbered(2, 2), rng).tensor().at({0, 0, 0}), 1);
}

}  // namespace
