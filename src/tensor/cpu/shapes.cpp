#include "base/math.hpp"
#include "cpu_kernels.hpp"

#include <algorithm>
#include <array>

namespace lanes::tensor {

namespace {

// y: (columns, rows) from x: (rows, columns), in tiles that fit the cache.
void transpose_matrix(const float* x, float* y, std::size_t rows, std::size_t columns) {
    constexpr std::size_t tile = 32;
    parallel_for(ceil_div(columns, tile), rows * tile, [=](std::size_t first, std::size_t last) {
        for (std::size_t j0 = first * tile; j0 < std::min(columns, last * tile); j0 += tile)
            for (std::size_t i0 = 0; i0 < rows; i0 += tile)
                for (std::size_t j = j0; j < std::min(columns, j0 + tile); ++j)
                    for (std::size_t i = i0; i < std::min(rows, i0 + tile); ++i)
                        y[j * rows + i] = x[i * columns + j];
    });
}

}  // namespace

void CpuKernels::permute(const Tensor& x, const std::vector<std::size_t>& axes, Tensor& y) {
    const std::size_t rank = x.rank();
    const float* const from = floats(x);
    float* const to = floats(y);
    if (rank == 2 && axes[0] == 1) return transpose_matrix(from, to, x.shape()[0], x.shape()[1]);
    // steps in x for each axis of y
    std::array<std::size_t, Shape::max_rank> x_step{};
    std::array<std::size_t, Shape::max_rank> step{};
    std::size_t count = 1;
    for (std::size_t axis = rank; axis-- > 0;) {
        x_step[axis] = count;
        count *= x.shape()[axis];
    }
    for (std::size_t axis = 0; axis < rank; ++axis) step[axis] = x_step[axes[axis]];
    const Shape shape = y.shape();
    const std::size_t length = rank == 0 ? 1 : shape[rank - 1];
    const std::size_t last_step = rank == 0 ? 1 : step[rank - 1];
    parallel_for(length == 0 ? 0 : y.size() / length, length,
                 [=](std::size_t first, std::size_t last) {
                     for (std::size_t row = first; row < last; ++row) {
                         std::size_t rest = row;
                         std::size_t start = 0;
                         for (std::size_t axis = rank == 0 ? 0 : rank - 1; axis-- > 0;) {
                             start += rest % shape[axis] * step[axis];
                             rest /= shape[axis];
                         }
                         for (std::size_t i = 0; i < length; ++i)
                             to[row * length + i] = from[start + i * last_step];
                     }
                 });
}

void CpuKernels::pad(const Tensor& x, long long top, long long left, float value, Tensor& y) {
    const auto height = static_cast<long long>(x.shape(-2));
    const auto width = static_cast<long long>(x.shape(-1));
    const std::size_t out_height = y.shape(-2);
    const std::size_t out_width = y.shape(-1);
    const float* const from = floats(x);
    float* const to = floats(y);
    const std::size_t rows = out_width == 0 ? 0 : y.size() / out_width;
    parallel_for(rows, out_width, [=](std::size_t first, std::size_t last) {
        for (std::size_t row = first; row < last; ++row) {
            float* const line = to + row * out_width;
            const long long i = static_cast<long long>(row % out_height) - top;
            std::fill(line, line + out_width, value);
            if (i < 0 || i >= height) continue;
            const auto image = static_cast<long long>(row / out_height);
            const float* const source = from + (image * height + i) * width;
            const long long begin = std::max(0LL, left);
            const long long end = std::min(static_cast<long long>(out_width), left + width);
            for (long long j = begin; j < end; ++j) line[j] = source[j - left];
        }
    });
}

void CpuKernels::index_select(const Tensor& x, const Tensor& rows, Tensor& y) {
    const std::size_t count = rows.size();
    const std::size_t length = count == 0 ? 0 : y.size() / count;
    const float* const from = floats(x);
    const int* const row = ints(rows);
    float* const to = floats(y);
    parallel_for(count, length, [=](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i)
            std::copy_n(from + static_cast<std::size_t>(row[i]) * length, length, to + i * length);
    });
}

void CpuKernels::index_select_gradient(const Tensor& gradient, const Tensor& rows, Tensor& dx) {
    const std::size_t count = rows.size();
    const std::size_t length = count == 0 ? 0 : gradient.size() / count;
    const float* const from = floats(gradient);
    const int* const row = ints(rows);
    float* const to = floats(dx);
    std::fill(to, to + dx.size(), 0.0f);
    // a thread has its own columns: rows may come several times
    parallel_for(length, count, [=](std::size_t first, std::size_t last) {
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t j = first; j < last; ++j)
                to[static_cast<std::size_t>(row[i]) * length + j] += from[i * length + j];
    });
}

}  // namespace lanes::tensor
