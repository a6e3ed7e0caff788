#include "lanes/lesson/filter_examples.hpp"

#include "lanes/array/compare.hpp"
#include "lanes/base/error.hpp"
#include "lanes/data/mnist.hpp"
#include "lanes/gpu/device.hpp"
#include "lanes/lesson/filter_pictures.hpp"
#include "lanes/nn/tensor_files.hpp"
#include "lanes/ops/correlation.hpp"
#include "lanes/ops/sobel.hpp"

#include <omp.h>

#include <cmath>
#include <iostream>

namespace lanes {

namespace {

std::string picture(const std::string& file) { return data_folder("pictures") + "/" + file; }

std::vector<Matrix> read_results(const std::string& file) {
    std::vector<Matrix> results;
    for (const auto& [name, tensor] : load_tensors(picture(file)))
        results.emplace_back(tensor.to_xtensor<2>());
    return results;
}

// Sums of floats depend on the order of their terms.
Tolerance tolerance_of(const Matrix& filter) {
    double sum = 0;
    for (const float f : filter) sum += std::fabs(f);  // the brightest pixel is 1
    return {1e-5 * sum, 1e-4};
}

}  // namespace

FilterExamples::FilterExamples()
    : image(to_grey(read_image(picture("cat.png")))),
      filters{sharpen_3x3(), blur_5x5(), edge_7x7(), sobel_5x3()},
      results(read_results("correlation.npz")) {}

void FilterExamples::show() const {
    show_scaled({image, results.at(0), results.at(1)},
                {"image, black 0 to white 1", "3x3 sharpen", "5x5 blur"}, 0, 1, 3);
    show_scaled({results.at(2)}, {"7x7 edge, black -2 to white 2"}, -2, 2);
}

void FilterExamples::compare(const std::string& who, const Correlation& correlation) const {
    const DeviceScope scope(Device::best().fast());
    for (std::size_t k = 0; k < filters.size(); ++k)
        require_close(correlation(filters[k], image), results.at(k), tolerance_of(filters[k]));
    std::cout << who << " agrees with SciPy for all four filters.\n";
}

EdgeExamples::EdgeExamples()
    : photograph(read_image(picture("coffee.png"))),
      image(to_grey(photograph)),
      cat(to_grey(read_image(picture("cat.png")))),
      results(read_results("sobel.npz")) {}

void EdgeExamples::compare(std::size_t filter, const Matrix& result) const {
    LANES_REQUIRE(filter < results.size(), "EdgeExamples::compare: filter ", filter, " of ",
                  results.size(), ". The first one is 0.");
    require_close(result, results[filter], {1e-4, 1e-4});
}

namespace spare {

Matrix correlation_split(const Matrix& filter, const Matrix& image) {
    const int threads = omp_get_max_threads();
    const std::size_t high = filter.shape(0), wide = filter.shape(1);
    std::size_t largest = 0;
    for (std::size_t k = 0; k < filter.size(); ++k)
        if (std::fabs(filter.data()[k]) > std::fabs(filter.data()[largest])) largest = k;
    const float pivot = filter.data()[largest];
    Matrix column = Matrix::from_shape({high, 1}), row = Matrix::from_shape({1, wide});
    for (std::size_t i = 0; i < high; ++i) column(i, 0) = filter(i, largest % wide);
    for (std::size_t j = 0; j < wide; ++j)
        row(0, j) = pivot == 0 ? 0 : filter(largest / wide, j) / pivot;
    for (std::size_t i = 0; i < high; ++i)
        for (std::size_t j = 0; j < wide; ++j)
            if (std::fabs(column(i, 0) * row(0, j) - filter(i, j)) > 1e-5F * std::fabs(pivot))
                return correlation_fast(filter, image, threads);
    return correlation_fast(column, correlation_fast(row, image, threads), threads);
}

}  // namespace spare

}  // namespace lanes
