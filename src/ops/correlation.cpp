#include "lanes/ops/correlation.hpp"

#include "correlation_blocks.hpp"
#include "gpu_run.hpp"

#include "base/math.hpp"
#include "lanes/base/error.hpp"

namespace lanes {

namespace ops {

void require_filter(const char* operation, const Matrix& filter) {
    const std::size_t rows = filter.shape(0), columns = filter.shape(1);
    LANES_REQUIRE(rows % 2 == 1 && columns % 2 == 1 && rows <= 15 && columns <= 15, operation,
                  ": a filter of ", filter.shape(),
                  ". Rows and columns must be odd, so that it has a middle, and at most 15.");
}

}  // namespace ops

Matrix correlation_plain(const Matrix& filter, const Matrix& image) {
    ops::require_filter("correlation_plain", filter);
    const auto rows = static_cast<std::ptrdiff_t>(image.shape(0)),
               columns = static_cast<std::ptrdiff_t>(image.shape(1));
    const auto filter_rows = static_cast<std::ptrdiff_t>(filter.shape(0)),
               filter_columns = static_cast<std::ptrdiff_t>(filter.shape(1));
    auto result = Matrix::from_shape(image.shape());
    for (std::ptrdiff_t y = 0; y < rows; ++y) {
        for (std::ptrdiff_t x = 0; x < columns; ++x) {
            float sum = 0;
            for (std::ptrdiff_t i = 0; i < filter_rows; ++i) {
                for (std::ptrdiff_t j = 0; j < filter_columns; ++j) {
                    const std::ptrdiff_t from_y = y + i - filter_rows / 2,
                                         from_x = x + j - filter_columns / 2;
                    // 0 outside the image.
                    if (from_y < 0 || from_y >= rows || from_x < 0 || from_x >= columns) continue;
                    sum += filter.data()[i * filter_columns + j] *
                           image.data()[from_y * columns + from_x];
                }
            }
            result.data()[y * columns + x] = sum;
        }
    }
    return result;
}

namespace {

// Launch shapes as in the comments of kernels_src/correlation.cu.
LaunchConfig shape_of(std::optional<int> rung, std::size_t rows, std::size_t columns) {
    if (rung == 1) return {rows, columns};
    if (rung == 2) return {{ceil_div(columns, 32), ceil_div(rows, 16)}, {32, 16}};
    if (rung == 3) return {{ceil_div(columns, 32), ceil_div(rows, 64)}, {32, 8}};
    const bool large = rows * columns >= (std::size_t{1} << 24);
    const std::size_t block = large ? 128 : 32, height = large ? 32 : 8;
    return {{ceil_div(columns, 4 * block), ceil_div(rows, height)}, block};
}

std::string name_of(std::optional<int> rung, const Matrix& filter) {
    if (rung) return "correlation_v" + std::to_string(*rung);
    return "correlation_v3_sized<" + std::to_string(filter.shape(0)) + ", " +
           std::to_string(filter.shape(1)) + ">";
}

void require_sizes(const Matrix& image, std::optional<int> rung) {
    LANES_REQUIRE(rung != 1 || image.shape(1) <= 1024,
                  "correlation_gpu: rung 1 has one thread per column of a row, at most 1024, "
                  "and the image is ",
                  image.shape(), ". Use another rung.");
    LANES_REQUIRE(image.shape(0) <= 500000 && image.shape(1) < (std::size_t{1} << 31),
                  "correlation_gpu: an image of ", image.shape(),
                  " has more rows than a grid. Cut it into parts.");
}

}  // namespace

GpuResult<Matrix> run_correlation_gpu(const Matrix& filter, const Matrix& image,
                                      const Device& device, std::optional<int> rung) {
    ops::require_filter("correlation_gpu", filter);
    ops::require_rung("correlation_gpu", rung, 3, "correlation.cu");
    require_sizes(image, rung);
    GpuResult<Matrix> run{Matrix::from_shape(image.shape()), {}};
    if (image.size() == 0) return run;

    const LaunchConfig config = shape_of(rung, image.shape(0), image.shape(1));
    const int rows = static_cast<int>(image.shape(0)), columns = static_cast<int>(image.shape(1));
    const int filter_rows = static_cast<int>(filter.shape(0)),
              filter_columns = static_cast<int>(filter.shape(1));
    ops::CachedProgram& program = ops::timed_program(device, "correlation.cu", run.report);
    if (rung == 1 || rung == 2) {
        const auto start = [&](const CudaKernel& cuda_kernel, auto& coefficients, auto& from,
                               auto& to) {
            return launch(cuda_kernel, config, coefficients, from, to, rows, columns, filter_rows,
                          filter_columns);
        };
        ops::run_on(program, name_of(rung, filter), device, run.report, start, run.result, filter,
                    image);
        return run;
    }
    const std::lock_guard lock(program.constants());
    const auto start = [&](const CudaKernel& cuda_kernel, auto& from, auto& to) {
        program.variable("correlation_filter").upload(filter);
        return rung == 3 ? launch(cuda_kernel, config, from, to, rows, columns, filter_rows,
                                  filter_columns)
                         : launch(cuda_kernel, config, from, to, rows, columns);
    };
    ops::run_on(program, name_of(rung, filter), device, run.report, start, run.result, image);
    return run;
}

Matrix correlation_gpu(const Matrix& filter, const Matrix& image, const Device& device) {
    return run_correlation_gpu(filter, image, device).result;
}

}  // namespace lanes
