#include "lanes/ops/correlation.hpp"

#include "lanes/array/compare.hpp"
#include "lanes/base.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace {

using lanes::Device, lanes::Matrix;
using Shape = std::array<std::size_t, 2>;

const Shape images[] = {{0, 0},   {0, 7},  {7, 0},   {1, 1},   {1, 100},
                        {100, 1}, {3, 33}, {20, 41}, {9, 128}, {37, 301}};
const Shape filters[] = {{1, 1}, {3, 3},  {5, 3},  {3, 5},  {5, 5},
                         {7, 7}, {15, 1}, {1, 15}, {15, 15}};

Matrix random_matrix(lanes::Rng& rng, const Shape& shape) {
    auto m = Matrix::from_shape(shape);
    rng.fill_uniform(m.data(), m.size(), -1, 1);
    return m;
}

std::string text(const Shape& shape) {
    return std::to_string(shape[0]) + "x" + std::to_string(shape[1]);
}

void expect_correlation(const Matrix& actual, const Matrix& filter, const Matrix& image,
                        const std::string& what) {
    const auto same = lanes::all_close(actual, lanes::correlation_plain(filter, image),
                                       {1e-6 * static_cast<double>(filter.size() + 1), 1e-5});
    EXPECT_TRUE(same) << what << ", filter " << text(filter.shape()) << ", image "
                      << text(image.shape()) << ": " << same.message;
}

void expect_refused(const std::string& words, const std::function<void()>& call) {
    try {
        call();
        FAIL() << "accepted, instead of: " << words;
    } catch (const lanes::Error& error) {
        EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
}

// Values of scipy.signal.convolve2d(image, filter rotated by 180 degrees, mode='same'), computed by
// hand for one corner, one edge and the middle.
TEST(CorrelationPlain, PadsWithZerosAndKeepsTheSize) {
    const Matrix image{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    lanes::require_close(lanes::correlation_plain(Matrix(Shape{3, 3}, 1.0F), image),
                         Matrix{{12, 21, 16}, {27, 45, 33}, {24, 39, 28}}, {0, 0});
}

TEST(CorrelationPlain, DoesNotTurnTheFilter) {
    const Matrix image{{1, 2, 3}, {4, 5, 6}};
    lanes::require_close(lanes::correlation_plain({{0, 0, 1}}, image), Matrix{{2, 3, 0}, {5, 6, 0}},
                         {0, 0});
    lanes::require_close(lanes::correlation_plain({{1}, {0}, {0}}, image),
                         Matrix{{0, 0, 0}, {1, 2, 3}}, {0, 0});
}

TEST(CorrelationFast, AgreesWithPlainForEverySizeAndNumberOfThreads) {
    lanes::Rng rng(1);
    for (const Shape& of_filter : filters)
        for (const Shape& of_image : images)
            for (const int threads : {1, 3}) {
                const Matrix filter = random_matrix(rng, of_filter),
                             image = random_matrix(rng, of_image);
                expect_correlation(lanes::correlation_fast(filter, image, threads), filter, image,
                                   "fast");
            }
    const Matrix filter = random_matrix(rng, {7, 7}), image = random_matrix(rng, {215, 215});
    expect_correlation(lanes::correlation_fast(filter, image), filter, image, "fast on all cores");
}

TEST(CorrelationFast, AgreesWithPlainWhereStoresGoAroundTheCaches) {
    lanes::Rng rng(3);
    // More than 2 MB, and rows that are whole cache lines.
    const Matrix image = random_matrix(rng, {520, 1040});
    for (const Shape& of_filter : {Shape{3, 3}, Shape{7, 7}, Shape{15, 3}}) {
        const Matrix filter = random_matrix(rng, of_filter);
        Matrix result(Shape{520, 1040}, 7.0F);
        lanes::correlation_fast(filter, image, result);
        expect_correlation(result, filter, image, "fast, large");
        expect_correlation(lanes::correlation_fast(filter, image), filter, image,
                           "fast, large, in fresh memory");
    }
}

TEST(CorrelationFast, AgreesWithPlainAtEveryEndOfRowsAndColumns) {
    lanes::Rng rng(6);
    // None, corners, middle row, middle column.
    for (const std::size_t rows : {1, 7, 8, 9, 15, 16, 18})
        for (std::size_t columns = 60; columns <= 132; columns += columns < 100 ? 1 : 3)
            for (const Shape& zeros : {Shape{4, 4}, Shape{0, 2}, Shape{1, 4}, Shape{4, 1}}) {
                Matrix filter = random_matrix(rng, {3, 3});
                for (std::size_t i = 0; i < 3; ++i)
                    for (std::size_t j = 0; j < 3; ++j)
                        if (zeros[1] == 2 ? i != 1 && j != 1 : i == zeros[0] || j == zeros[1])
                            filter(i, j) = 0;
                const Matrix image = random_matrix(rng, {rows, columns});
                expect_correlation(lanes::correlation_fast(filter, image, 1), filter, image,
                                   "zeros " + text(zeros));
            }
}

TEST(CorrelationFast, GivesTheSameBitsWithEveryNumberOfThreads) {
    lanes::Rng rng(7);
    // Enough for several threads, with rows left over; with stores through and around the caches.
    for (const Shape& of_image : {Shape{403, 500}, Shape{515, 1024}})
        for (const Shape& of_filter : {Shape{3, 3}, Shape{5, 5}, Shape{7, 7}}) {
            const Matrix filter = random_matrix(rng, of_filter),
                         image = random_matrix(rng, of_image),
                         one = lanes::correlation_fast(filter, image, 1);
            for (const int threads : {1, 2, 3, 8}) {
                EXPECT_TRUE(lanes::correlation_fast(filter, image, threads) == one)
                    << text(of_filter) << ", " << threads << " threads";
                Matrix result(of_image, 7.0F);
                lanes::correlation_fast(filter, image, result, threads);
                EXPECT_TRUE(result == one)
                    << text(of_filter) << ", " << threads << " threads, into a given matrix";
            }
        }
}

TEST(CorrelationFast, PassesOverZerosOfTheFilter) {
    lanes::Rng rng(4);
    const Matrix image = random_matrix(rng, {40, 97});
    for (const Shape& of_filter : {Shape{3, 3}, Shape{7, 7}, Shape{15, 9}}) {
        Matrix filter(of_filter, 0.0F);
        expect_correlation(lanes::correlation_fast(filter, image), filter, image, "zeros");
        filter(0, 1) = 2;
        filter(of_filter[0] / 2, of_filter[1] - 1) = 3;
        filter(of_filter[0] - 1, of_filter[1] - 1) = -1;
        expect_correlation(lanes::correlation_fast(filter, image), filter, image,
                           "almost all zeros");
    }
}

TEST(CorrelationFast, WritesIntoAMatrixOfTheCaller) {
    lanes::Rng rng(5);
    const Matrix filter = random_matrix(rng, {5, 3});
    Matrix image = random_matrix(rng, {30, 90}), result(Shape{30, 90}, 7.0F);
    const float* const place = result.data();
    lanes::correlation_fast(filter, image, result);
    EXPECT_EQ(result.data(), place);
    expect_correlation(result, filter, image, "given");
    result.resize(Shape{2, 2});
    lanes::correlation_fast(filter, image, result, 1);
    expect_correlation(result, filter, image, "given, of another shape");
    expect_refused("correlation_fast: the result is one of the arguments",
                   [&] { lanes::correlation_fast(filter, image, image); });
}

TEST(CorrelationGpu, AgreesWithPlainOnEveryRung) {
    lanes::Rng rng(2);
    const Device device = Device::simulator().with(lanes::Checks::one_schedule());
    for (const Shape& of_filter : {filters[1], filters[2], filters[7]})
        for (const Shape& of_image : images)
            for (const auto rung : std::vector<std::optional<int>>{std::nullopt, 1, 2, 3}) {
                const Matrix filter = random_matrix(rng, of_filter),
                             image = random_matrix(rng, of_image);
                expect_correlation(lanes::run_correlation_gpu(filter, image, device, rung).result,
                                   filter, image, "rung " + std::to_string(rung.value_or(0)));
            }
}

TEST(CorrelationGpu, ReportsItsLaunch) {
    const Matrix image(Shape{20, 30}, 1.0F), filter(Shape{5, 3}, 1.0F);
    const auto first = lanes::run_correlation_gpu(filter, image, Device::simulator(), 1).report;
    EXPECT_EQ(first.launch.cuda_kernel, "correlation_v1");
    EXPECT_EQ(first.launch.config.grid.x, 20U);
    EXPECT_EQ(first.launch.config.block.x, 30U);
    const auto fastest = lanes::run_correlation_gpu(filter, image, Device::simulator()).report;
    EXPECT_EQ(fastest.launch.cuda_kernel, "correlation_v3_sized<5, 3>");
}

TEST(Correlation, WantsAFilterWithAMiddle) {
    const Matrix image(Shape{4, 4}, 1.0F);
    for (const Shape& shape : {Shape{2, 3}, Shape{3, 4}, Shape{17, 1}, Shape{0, 0}}) {
        const Matrix filter(shape, 1.0F);
        const std::string said = ": a filter of (" + std::to_string(shape[0]) + ", " +
                                 std::to_string(shape[1]) + "). Rows and columns must be odd";
        expect_refused("correlation_plain" + said,
                       [&] { lanes::correlation_plain(filter, image); });
        expect_refused("correlation_fast" + said, [&] { lanes::correlation_fast(filter, image); });
        expect_refused("correlation_gpu" + said,
                       [&] { lanes::correlation_gpu(filter, image, Device::simulator()); });
    }
}

TEST(CorrelationGpu, SaysWhatItsRungsCannotDo) {
    const Matrix filter(Shape{1, 1}, 1.0F), image(Shape{1, 1025}, 1.0F);
    expect_refused("at most 1024, and the image is (1, 1025)",
                   [&] { lanes::run_correlation_gpu(filter, image, Device::simulator(), 1); });
    expect_refused("correlation_gpu: rung 4",
                   [&] { lanes::run_correlation_gpu(filter, image, Device::simulator(), 4); });
}

}  // namespace
