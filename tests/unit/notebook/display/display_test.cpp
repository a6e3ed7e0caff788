#include "lanes/notebook/display.hpp"

#include "error_of.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace {

using lanes::Matrix;
using lanes_test::error_of;

// Without a front end the text goes to stdout.
template <class Show>
std::string text_of(Show show) {
    testing::internal::CaptureStdout();
    show();
    return testing::internal::GetCapturedStdout();
}

TEST(ShowImage, PrintsTitleShapeAndRange) {
    const Matrix image{{0, 0.5F, 1}, {-2, 0.25F, 1.0F / 3}};
    EXPECT_EQ(text_of([&] { lanes::show_image(image, "a seven"); }),
              "a seven: image of 2 x 3 pixels, black -2 to white 1\n");
    EXPECT_EQ(text_of([&] { lanes::show_image(image); }),
              "image of 2 x 3 pixels, black -2 to white 1\n");
}

TEST(ShowImage, RoundsTheRange) {
    EXPECT_EQ(text_of([&] { lanes::show_image(Matrix{{0.123456F, 1234.5678F}}); }),
              "image of 1 x 2 pixels, black 0.1235 to white 1235\n");
}

TEST(ShowImage, TakesColours) {
    lanes::ColorImage image({4, 5, 3}, 7);
    EXPECT_EQ(text_of([&] { lanes::show_image(image, "sky"); }),
              "sky: colour image of 4 x 5 pixels\n");
    lanes::ColorImage wrong({4, 5, 4}, 7);
    EXPECT_NE(error_of([&] { lanes::show_image(wrong); }).find("(4, 5, 4)"), std::string::npos);
}

TEST(ShowImage, ThrowsForEmptyImagesAndNan) {
    EXPECT_NE(error_of([] {
                  lanes::show_image(Matrix({0, 5}));
              }).find("show_image: the image is empty, its shape is (0, 5)"),
              std::string::npos);
    const Matrix nan{{0, 1}, {std::numeric_limits<float>::quiet_NaN(), 1}};
    EXPECT_NE(
        error_of([&] { lanes::show_image(nan); }).find("show_image: the value at (1, 0) is nan"),
        std::string::npos);
}

TEST(ShowImages, PrintsTheirNumberAndTitles) {
    const std::vector<Matrix> images(7, Matrix{{0, 1}});
    EXPECT_EQ(text_of([&] { lanes::show_images(images); }), "grid of 7 images, 5 in a row\n");
    EXPECT_EQ(text_of([&] { lanes::show_images({images[0], images[1]}, {"4, not 9", "2"}, 9); }),
              "grid of 2 images, 2 in a row: 4, not 9; 2\n");
}

TEST(ShowImages, TakesColours) {
    std::vector<lanes::ColorImage> images(3, lanes::ColorImage({4, 5, 3}, 7));
    EXPECT_EQ(text_of([&] { lanes::show_images(images, {"a", "b", "c"}, 2); }),
              "grid of 3 images, 2 in a row: a; b; c\n");
    images[2] = lanes::ColorImage({4, 5, 4}, 7);
    EXPECT_NE(error_of([&] {
                  lanes::show_images(images);
              }).find("show_images: image 2: a colour image has the shape (rows, columns, 3)"),
              std::string::npos);
}

TEST(ShowImages, ThrowsForTooManyImagesOrAWrongNumberOfTitles) {
    EXPECT_NE(error_of([] { lanes::show_images({}); }).find("there are no images"),
              std::string::npos);
    EXPECT_NE(error_of([] {
                  lanes::show_images(std::vector<Matrix>(401, Matrix{{1}}));
              }).find("Give at most 400"),
              std::string::npos);
    EXPECT_NE(error_of([] {
                  lanes::show_images({Matrix{{1}}}, {"a", "b"});
              }).find("1 images but 2 titles"),
              std::string::npos);
    EXPECT_NE(error_of([] {
                  lanes::show_images({Matrix{{1}}, Matrix({3, 0})});
              }).find("show_images: image 1: the image is empty"),
              std::string::npos);
}

}  // namespace
