#include "lanes/mlp/augment.hpp"

#include "lanes/base/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace {

using lanes::Matrix;
using lanes::Rng;
using lanes::Tensor3;

Matrix pattern(std::size_t rows, std::size_t columns) {
    Matrix image(std::array<std::size_t, 2>{rows, columns});
    for (std::size_t y = 0; y < rows; ++y)
        for (std::size_t x = 0; x < columns; ++x)
            image(y, x) = static_cast<float>((7 * y + 13 * x + y * x) % 17) / 16;
    return image;
}

Tensor3 stack(const std::vector<Matrix>& images) {
    Tensor3 all(std::array<std::size_t, 3>{images.size(), images[0].shape(0), images[0].shape(1)});
    for (std::size_t i = 0; i < images.size(); ++i)
        std::copy(images[i].begin(), images[i].end(), all.data() + i * images[0].size());
    return all;
}

struct Rotated {
    std::size_t rows, columns;
    double degrees;
    std::vector<float> values;
};

const std::vector<Rotated>& scipy() {
    static const std::vector<Rotated> all{
#include "scipy_rotate.inc"
    };
    return all;
}

TEST(Augment, RotatesAsScipyDoes) {
    for (const Rotated& expected : scipy()) {
        const Matrix rotated =
            lanes::rotate(pattern(expected.rows, expected.columns), expected.degrees);
        ASSERT_EQ(rotated.size(), expected.values.size());
        for (std::size_t i = 0; i < rotated.size(); ++i)
            ASSERT_NEAR(rotated.data()[i], expected.values[i], 1e-4f)
                << expected.rows << 'x' << expected.columns << " by " << expected.degrees
                << ", pixel " << i;
    }
}

// Black rows and columns are skipped. A rotation is linear, so the expected result follows from an
// image without black borders.
TEST(Augment, RotatesImagesWithBlackBorders) {
    for (const std::size_t size : {28, 80})
        for (const auto& [first, last] :
             {std::pair<std::size_t, std::size_t>{0, 0}, {5, 6}, {4, 23}, {27, 28}, {20, 20}})
            for (const bool beside : {false, true})
                for (const double degrees : {-170.0, -15.0, -3.0, 0.0, 0.5, 14.0, 45.0, 90.0}) {
                    Matrix image = pattern(size, size), ones(image.shape(), 1.0F);
                    for (std::size_t y = 0; y < size; ++y)
                        for (std::size_t x = 0; x < size; ++x)
                            if (y < first || y >= last ||
                                (beside && (x < first + 2 || x >= last + 2)))
                                image(y, x) = 0;
                    Matrix lit = image;
                    for (float& pixel : lit) pixel += 1;
                    const Matrix rotated = lanes::rotate(image, degrees),
                                 of_lit = lanes::rotate(lit, degrees),
                                 of_ones = lanes::rotate(ones, degrees);
                    for (std::size_t i = 0; i < image.size(); ++i)
                        ASSERT_NEAR(rotated.data()[i], of_lit.data()[i] - of_ones.data()[i], 1e-5F)
                            << size << "x" << size << ", " << first << " to " << last << ", by "
                            << degrees << ", pixel " << i;
                }
}

// The same with single pixels: black parts of each row are skipped.
TEST(Augment, RotatesImagesOfAFewPixels) {
    lanes::Rng rng(1);
    for (const std::size_t size : {16, 28, 32, 33, 64})
        for (int turn = 0; turn < 200; ++turn) {
            Matrix image(std::array<std::size_t, 2>{size, size}, 0.0F), lit(image.shape(), 1.0F),
                ones(image.shape(), 1.0F);
            for (int count = 0; count <= turn % 4; ++count) {
                const auto place = static_cast<std::size_t>(
                    rng.integer(0, static_cast<std::int64_t>(image.size()) - 1));
                image.data()[place] = 1;
                lit.data()[place] = 2;
            }
            const double degrees = turn % 2 == 0 ? rng.uniform(-15, 15) : rng.uniform(-180, 180);
            const Matrix rotated = lanes::rotate(image, degrees),
                         of_lit = lanes::rotate(lit, degrees),
                         of_ones = lanes::rotate(ones, degrees);
            for (std::size_t i = 0; i < image.size(); ++i)
                ASSERT_NEAR(rotated.data()[i], of_lit.data()[i] - of_ones.data()[i], 1e-5F)
                    << size << "x" << size << ", by " << degrees << ", pixel " << i;
        }
}

TEST(Augment, AQuarterTurnMovesPixelsToPixels) {
    const Matrix image = pattern(28, 28);
    for (const double turns : {0.0, 360.0, -720.0}) {
        const Matrix quarter = lanes::rotate(image, 90 + turns),
                     half = lanes::rotate(image, 180 + turns);
        for (std::size_t y = 0; y < 28; ++y)
            for (std::size_t x = 0; x < 28; ++x) {
                ASSERT_EQ(quarter(y, x), image(x, 27 - y));
                ASSERT_EQ(half(y, x), image(27 - y, 27 - x));
            }
        EXPECT_EQ(lanes::rotate(image, turns), image);
    }
}

TEST(Augment, ShiftsLeftAndUp) {
    const Matrix image{{1, 2, 3}, {4, 5, 6}};
    EXPECT_EQ(lanes::shift(image, 0, 0), image);
    EXPECT_EQ(lanes::shift(image, 1, 0), (Matrix{{2, 3, 0}, {5, 6, 0}}));
    EXPECT_EQ(lanes::shift(image, -1, 0), (Matrix{{0, 1, 2}, {0, 4, 5}}));
    EXPECT_EQ(lanes::shift(image, 0, 1), (Matrix{{4, 5, 6}, {0, 0, 0}}));
    EXPECT_EQ(lanes::shift(image, 2, -1), (Matrix{{0, 0, 0}, {3, 0, 0}}));
    for (const int far : {3, -3, 100, -100, 2'000'000'000, -2'000'000'000}) {
        EXPECT_EQ(lanes::shift(image, far, 0), (Matrix{{0, 0, 0}, {0, 0, 0}})) << far;
        EXPECT_EQ(lanes::shift(image, 0, far), (Matrix{{0, 0, 0}, {0, 0, 0}})) << far;
    }
}

TEST(Augment, ShiftsByPartsOfACell) {
    const Matrix image{{0, 2, 4}, {8, 6, 2}};
    EXPECT_EQ(lanes::shift_subpixel(image, 0.5, 0), (Matrix{{1, 3, 0}, {7, 4, 0}}));
    EXPECT_EQ(lanes::shift_subpixel(image, 0, 0.25), (Matrix{{2, 3, 3.5f}, {0, 0, 0}}));
    EXPECT_EQ(lanes::shift_subpixel(image, -1, 1), lanes::shift(image, -1, 1));
}

TEST(Augment, NoiseIsUniformAndLegal) {
    Rng rng(1);
    const Matrix grey = xt::ones<float>({301, 301}) * 0.5f,
                 noisy = lanes::add_noise(grey, 0.1, rng);
    double sum = 0, squares = 0;
    float lowest = 1, highest = -1;
    for (const float value : noisy) {
        const float difference = value - 0.5f;
        sum += difference;
        squares += difference * difference;
        lowest = std::min(lowest, difference);
        highest = std::max(highest, difference);
    }
    const auto count = static_cast<double>(noisy.size());
    EXPECT_NEAR(sum / count, 0, 1e-3);
    EXPECT_NEAR(squares / count, 0.1 * 0.1 / 3, 1e-4);
    EXPECT_GE(lowest, -0.1f);
    EXPECT_LE(highest, 0.1f);
    EXPECT_LT(lowest, -0.099f);
    EXPECT_GT(highest, 0.099f);

    const Matrix black = xt::zeros<float>({28, 28}), white = xt::ones<float>({28, 28});
    const Matrix on_black = lanes::add_noise(black, 0.3, rng),
                 on_white = lanes::add_noise(white, 0.3, rng);
    EXPECT_EQ(*std::min_element(on_black.begin(), on_black.end()), 0.0f);
    EXPECT_GT(*std::max_element(on_black.begin(), on_black.end()), 0.2f);
    EXPECT_EQ(*std::max_element(on_white.begin(), on_white.end()), 1.0f);
    EXPECT_EQ(lanes::add_noise(pattern(5, 5), 0, rng), pattern(5, 5));
}

TEST(Augment, NoiseComesFromTheRngAlone) {
    Rng a(7), b(7), c(8);
    const Matrix image = pattern(28, 28), noisy = lanes::add_noise(image, 0.1, a);
    EXPECT_EQ(noisy, lanes::add_noise(image, 0.1, b));
    EXPECT_NE(noisy, lanes::add_noise(image, 0.1, c));
    EXPECT_NE(noisy, lanes::add_noise(image, 0.1, a));  // uses the next random numbers
    // Each pixel has its own number.
    const Matrix grey = xt::ones<float>({20, 20}) * 0.5f, speckled = lanes::add_noise(grey, 0.1, a);
    EXPECT_GT(std::set<float>(speckled.begin(), speckled.end()).size(), 380u);
}

TEST(Augment, SkewsByTheFormulaOfTheAssignment) {
    const Matrix image = pattern(28, 28);
    for (const double tilt :
         {0.0, 0.1, -0.1, 0.2, -0.2, 0.05, 1.0, -1.0, 1 / 3.0, 5.0, -40.0, 0.9999999999999999}) {
        const Matrix skewed = lanes::skew(image, tilt);
        for (std::size_t y = 0; y < 28; ++y)
            for (std::size_t x = 0; x < 28; ++x) {
                // In a separate statement: a fused multiply-add would round differently.
                const double moved = static_cast<double>(y) * tilt;
                const double column = std::floor(static_cast<double>(x) + moved);
                const float expected =
                    column >= 0 && column <= 27 ? image(y, static_cast<std::size_t>(column)) : 0;
                ASSERT_EQ(skewed(y, x), expected) << tilt << ": " << y << ", " << x;
            }
    }
}

TEST(Augment, ImagesOfABatchHaveArgumentsOfTheirOwn) {
    const Matrix a = pattern(6, 7), b = xt::ones<float>({6, 7}) * 0.25f;
    const Tensor3 both = stack({a, b});
    EXPECT_EQ(lanes::rotate(both, {10, -20}), stack({lanes::rotate(a, 10), lanes::rotate(b, -20)}));
    EXPECT_EQ(lanes::shift(both, {1, 0}, {0, -2}),
              stack({lanes::shift(a, 1, 0), lanes::shift(b, 0, -2)}));
    EXPECT_EQ(lanes::skew(both, {0.5, -0.5}), stack({lanes::skew(a, 0.5), lanes::skew(b, -0.5)}));
    EXPECT_EQ(lanes::rotate(both, std::vector<double>{10}),
              stack({lanes::rotate(a, 10), lanes::rotate(b, 10)}));
    Rng one(3), two(3);
    const Tensor3 noisy = lanes::add_noise(both, {0.1, 0.2}, one);
    const Matrix first = lanes::add_noise(a, 0.1, two), second = lanes::add_noise(b, 0.2, two);
    EXPECT_EQ(noisy, stack({first, second}));
    EXPECT_THROW(lanes::rotate(both, {1, 2, 3}), lanes::Error);
    EXPECT_THROW(lanes::shift(both, {1, 2}, {}), lanes::Error);
}

TEST(Augment, LeavesItsArgumentAlone) {
    const Matrix image = pattern(28, 28);
    Matrix copy = image;
    Rng rng(1);
    lanes::rotate(copy, 10);
    lanes::shift(copy, 1, 1);
    lanes::skew(copy, 0.1);
    lanes::add_noise(copy, 0.1, rng);
    lanes::process_image(copy, {}, rng);
    EXPECT_EQ(copy, image);
}

TEST(Augment, ProcessingStaysWithinItsBounds) {
    const Matrix image = pattern(28, 28);
    Rng rng(5);
    lanes::AugmentationBounds none;
    none.degrees = none.cells = none.noise = none.tilt = 0;
    EXPECT_EQ(lanes::process_image(image, none, rng), image);

    lanes::AugmentationBounds shifts = none;
    shifts.cells = 2;
    std::set<std::pair<int, int>> seen;
    for (int i = 0; i < 500; ++i) {
        const Matrix processed = lanes::process_image(image, shifts, rng);
        bool found = false;
        for (int dx = -2; dx <= 2; ++dx)
            for (int dy = -2; dy <= 2; ++dy)
                if (processed == lanes::shift(image, dx, dy)) {
                    seen.insert({dx, dy});
                    found = true;
                }
        ASSERT_TRUE(found);
    }
    EXPECT_EQ(seen.size(), 25u);

    shifts.subpixel = true;
    const Matrix between = lanes::process_image(image, shifts, rng);
    EXPECT_NE(between, image);
}

TEST(Augment, ProcessingIsTheSameOnPlainMemory) {
    const Matrix image = pattern(28, 28);
    Rng one(9), two(9);
    const lanes::AugmentationBounds bounds;
    const Matrix processed = lanes::process_image(image, bounds, one);
    Matrix out = xt::zeros<float>({28, 28});
    lanes::process_image(image.data(), out.data(), 28, 28, bounds, two);
    EXPECT_EQ(out, processed);
    EXPECT_NE(processed, image);
    for (const float value : processed) {
        EXPECT_GE(value, 0.0f);
        EXPECT_LE(value, 1.0f);
    }
}

TEST(Augment, ProcessingIsTheFourOperatorsOneAfterAnother) {
    const lanes::AugmentationBounds all_bounds[] = {
        {}, {30, 5, 0.1, 0.5}, {15, 40, 0.02, 3}, {180, 3, 0.02, 0.1}};
    const std::array<std::size_t, 2> shapes[] = {{28, 28}, {1, 20},  {9, 11},
                                                 {5, 16},  {40, 33}, {21, 70}};
    for (const auto& shape : shapes)
        for (const auto& bounds : all_bounds)
            for (std::uint64_t seed = 0; seed < 40; ++seed) {
                lanes::Rng one(seed), two(seed);
                Matrix image(shape);
                lanes::Rng(seed + 1000).fill_uniform(image.data(), image.size(), 0, 1);
                if (seed % 2 == 1)  // with a black border
                    for (std::size_t i = 0; i < image.size(); ++i)
                        if (i < image.size() / 5 || i % shape[1] < 3 || i % shape[1] > 13)
                            image.data()[i] = 0;
                Matrix expected =
                    lanes::rotate(image, one.uniform(-bounds.degrees, bounds.degrees));
                const auto most = static_cast<std::int64_t>(bounds.cells);
                const auto dx = static_cast<int>(one.integer(-most, most)),
                           dy = static_cast<int>(one.integer(-most, most));
                expected = lanes::shift(expected, dx, dy);
                expected = lanes::skew(expected, one.uniform(-bounds.tilt, bounds.tilt));
                expected = lanes::add_noise(expected, bounds.noise, one);
                ASSERT_EQ(lanes::process_image(image, bounds, two), expected)
                    << shape[0] << 'x' << shape[1] << ", seed " << seed << ", up to "
                    << bounds.cells << " cells";
            }
}

// Keys' cubic convolution with slope -0.75: the weight of a neighbour at a given distance.
double cubic_share(double distance) {
    constexpr double a = -0.75;
    const double d = std::abs(distance);
    return d <= 1  ? (a + 2) * d * d * d - (a + 3) * d * d + 1
           : d < 2 ? a * (d * d * d - 5 * d * d + 8 * d - 4)
                   : 0;
}

// Pixel by pixel: its position before the skew, then before the shift, then before the rotation;
// its value there is a weighted sum of all pixels of the image.
Matrix by_parts(const Matrix& image, double degrees, double dx, double dy, double tilt) {
    const double rows = static_cast<double>(image.shape(0)),
                 columns = static_cast<double>(image.shape(1)),
                 angle = degrees * std::acos(-1.0) / 180;
    Matrix out = xt::zeros<float>(image.shape());
    for (std::size_t i = 0; i < out.shape(0); ++i)
        for (std::size_t j = 0; j < out.shape(1); ++j) {
            const double down = static_cast<double>(i) + dy - (rows - 1) / 2,
                         right = static_cast<double>(j) + static_cast<double>(i) * tilt + dx -
                                 (columns - 1) / 2;
            const double y = std::cos(angle) * down + std::sin(angle) * right + (rows - 1) / 2,
                         x = std::cos(angle) * right - std::sin(angle) * down + (columns - 1) / 2;
            double sum = 0;
            for (std::size_t r = 0; r < image.shape(0); ++r)
                for (std::size_t c = 0; c < image.shape(1); ++c)
                    sum += cubic_share(y - static_cast<double>(r)) *
                           cubic_share(x - static_cast<double>(c)) *
                           static_cast<double>(image(r, c));
            out(i, j) = static_cast<float>(std::clamp(sum, 0.0, 1.0));
        }
    return out;
}

TEST(Augment, ByPartsOfACellEachPixelIsMixedOnce) {
    const lanes::AugmentationBounds all_bounds[] = {
        {25, 2.5, 0, 0.2, true}, {180, 9, 0, 1, true}, {0, 30, 0, 0, true}};
    const std::array<std::size_t, 2> shapes[] = {{28, 28}, {1, 1}, {2, 17}, {9, 11}, {21, 40}};
    for (const auto& bounds : all_bounds)
        for (const auto& shape : shapes)
            for (std::uint64_t seed = 0; seed < 10; ++seed) {
                lanes::Rng one(seed), two(seed);
                Matrix image(shape);
                lanes::Rng(seed + 1000).fill_uniform(image.data(), image.size(), -1, 1);
                // Some black pixels, and one image with a black frame.
                for (float& pixel : image) pixel = std::max(0.0f, pixel);
                if (seed == 1)
                    for (std::size_t y = 0; y < shape[0]; ++y)
                        for (std::size_t x = 0; x < shape[1]; ++x)
                            image(y, x) *= y > 2 && y + 4 < shape[0] && x > 3 && x + 2 < shape[1]
                                               ? 1.0f
                                               : 0.0f;
                const auto either_way = [&](double most) { return one.uniform(-most, most); };
                const double degrees = either_way(bounds.degrees), dx = either_way(bounds.cells),
                             dy = either_way(bounds.cells), tilt = either_way(bounds.tilt);
                const Matrix expected = by_parts(image, degrees, dx, dy, tilt),
                             found = lanes::process_image(image, bounds, two);
                for (std::size_t i = 0; i < found.size(); ++i)
                    ASSERT_NEAR(found.data()[i], expected.data()[i], 1e-5)
                        << shape[0] << 'x' << shape[1] << ", seed " << seed << ", pixel " << i;
            }
}

TEST(Augment, ByPartsOfACellAnImageThatStaysIsKeptAsItIs) {
    const Matrix image = pattern(28, 28);
    Rng rng(1);
    EXPECT_EQ(lanes::process_image(image, {0, 0, 0, 0, true}, rng), image);
}

TEST(Augment, ByPartsOfACellWhateverLeavesTheImageIsBlack) {
    const Matrix image = pattern(28, 28), black = xt::zeros<float>({28, 28});
    for (const lanes::AugmentationBounds& bounds : {lanes::AugmentationBounds{0, 1e6, 0, 0, true},
                                                    {1e6, 1e6, 0, 1e300, true},
                                                    {45, 1e6, 0, 8e307, true}})
        for (std::uint64_t seed = 0; seed < 50; ++seed) {
            Rng rng(seed);
            EXPECT_EQ(lanes::process_image(image, bounds, rng), black);
            EXPECT_EQ(lanes::process_image(black, bounds, rng), black);
        }
}

TEST(Augment, RefusesArgumentsThatMeanNothing) {
    const Matrix image = pattern(3, 3);
    Rng rng(1);
    EXPECT_THROW(lanes::rotate(image, std::nan("")), lanes::Error);
    EXPECT_THROW(lanes::rotate(image, 1e9), lanes::Error);
    EXPECT_THROW(lanes::add_noise(image, -0.1, rng), lanes::Error);
    EXPECT_THROW(lanes::add_noise(image, std::nan(""), rng), lanes::Error);
    EXPECT_THROW(lanes::skew(image, std::nan("")), lanes::Error);
    EXPECT_THROW(lanes::shift_subpixel(image, INFINITY, 0), lanes::Error);
    lanes::AugmentationBounds wrong;
    wrong.cells = -1;
    EXPECT_THROW(lanes::process_image(image, wrong, rng), lanes::Error);
    EXPECT_EQ(lanes::rotate(Matrix(), 10).size(), 0u);
}

// What a student writes in a cell, with the names of the assignment.
Matrix add_noise(const Matrix& image, double, lanes::Rng&) { return image + 1; }
Matrix process_image(const Matrix& image, const lanes::AugmentationBounds&, lanes::Rng&) {
    return image + 2;
}

TEST(Augment, OnesOwnOperatorsGoBeforeTheLibraryS) {
    lanes::Rng rng(1);
    const Matrix image{{0}};
    EXPECT_EQ(add_noise(image, 0.1, rng)(0, 0), 1);
    EXPECT_EQ(process_image(image, lanes::AugmentationBounds(), rng)(0, 0), 2);
}

}  // namespace
