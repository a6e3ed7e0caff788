// Correlation and Sobel on real pictures, compared with SciPy's results, which
// data/pictures/scipy_values.py computed.
#include "lanes/array/compare.hpp"
#include "lanes/data/image_file.hpp"
#include "lanes/data/mnist.hpp"
#include "lanes/nn/tensor_files.hpp"
#include "lanes/ops.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace {

using lanes::Matrix;

std::string picture(const std::string& name) { return lanes::data_folder("pictures") + "/" + name; }

std::vector<Matrix> read_results(const std::string& file) {
    std::vector<Matrix> results;
    for (const auto& [name, tensor] : lanes::load_tensors(picture(file)))
        results.emplace_back(tensor.to_xtensor<2>());
    return results;
}

// 1e-4 |b| + 1e-5 (sum of |filter|) (largest |pixel|)
lanes::Tolerance tolerance(const Matrix& filter, const Matrix& image) {
    double sum = 0, largest = 0;
    for (const float x : filter) sum += std::fabs(x);
    for (const float x : image) largest = std::max<double>(largest, std::fabs(x));
    return {1e-5 * sum * largest, 1e-4};
}

TEST(ScipyValues, CorrelationAgreesInEveryVersion) {
    const std::vector<Matrix> stored = read_results("correlation.npz");
    ASSERT_EQ(stored.size(), 4U);
    const Matrix image = lanes::to_grey(lanes::read_image(picture("cat.png")));
    const Matrix* filters[] = {&lanes::sharpen_3x3(), &lanes::blur_5x5(), &lanes::edge_7x7(),
                               &lanes::sobel_5x3()};
    // Fast, because only the values matter; correlation_test has the checks.
    const lanes::Device device = lanes::Device::simulator().fast();
    for (std::size_t k = 0; k < 4; ++k) {
        const Matrix &filter = *filters[k], &expected = stored[k];
        const lanes::Tolerance allowed = tolerance(filter, image);
        EXPECT_NO_THROW(
            lanes::require_close(lanes::correlation_plain(filter, image), expected, allowed))
            << "plain, filter " << k;
        for (const int threads : {1, 2})
            EXPECT_NO_THROW(lanes::require_close(lanes::correlation_fast(filter, image, threads),
                                                 expected, allowed))
                << k;
        for (const auto rung : std::vector<std::optional<int>>{std::nullopt, 1, 2, 3})
            EXPECT_NO_THROW(lanes::require_close(
                lanes::run_correlation_gpu(filter, image, device, rung).result, expected, allowed))
                << "rung " << rung.value_or(0) << ", " << k;
    }
}

TEST(ScipyValues, SobelAgreesForEveryFilter) {
    const Matrix image = lanes::to_grey(lanes::read_image(picture("coffee.png")));
    const std::vector<Matrix> stored = read_results("sobel.npz");
    ASSERT_EQ(stored.size(), 5U);
    const Matrix* filters[] = {&lanes::sobel_3x3(), &lanes::scharr_3x3(), &lanes::sobel_5x3(),
                               &lanes::sobel_5x5()};
    for (std::size_t k = 0; k < 4; ++k)
        EXPECT_NO_THROW(lanes::require_close(lanes::sobel_operator(*filters[k], image), stored[k],
                                             tolerance(*filters[k], image)))
            << "filter " << k;
    const Matrix& ring = lanes::ring_3x3();
    EXPECT_NO_THROW(lanes::require_close(lanes::correlation_fast(ring, image), stored[4],
                                         tolerance(ring, image)));
    EXPECT_THROW(
        lanes::require_close(lanes::sobel_operator(ring, image), stored[4], tolerance(ring, image)),
        lanes::Error);  // is sqrt(2) times that
}

}  // namespace
