#include "base/math.hpp"
#include "cpu_kernels.hpp"
#include "sums.hpp"

#include <algorithm>

namespace lanes::tensor {

namespace {

float sum_of(const float* x, std::size_t count) {
    return static_cast<float>(sum_in_blocks(count, [=](std::size_t i) { return x[i]; }));
}

}  // namespace

void CpuKernels::sum(const Tensor& x, const ReductionShape& lines, Tensor& y) {
    const float* const from = floats(x);
    float* const to = floats(y);
    const auto [outer, length, inner] = lines;
    if (inner == 1) {
        parallel_for(outer, length, [=, length = length](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) to[i] = sum_of(from + i * length, length);
        });
        return;
    }
    // rows are added to each other, in blocks as sum_of; a thread has its own columns
    constexpr std::size_t block = 256;
    constexpr std::size_t width = 256;
    const std::size_t pieces = ceil_div(inner, width);
    parallel_for(outer * pieces, width * length,
                 [=, length = length, inner = inner](std::size_t first, std::size_t last) {
                     for (std::size_t piece = first; piece < last; ++piece) {
                         const std::size_t begin = piece % pieces * width;
                         const std::size_t columns = std::min(width, inner - begin);
                         const float* const rows = from + piece / pieces * length * inner + begin;
                         float* const result = to + piece / pieces * inner + begin;
                         double totals[width] = {};
                         for (std::size_t start = 0; start < length; start += block) {
                             const std::size_t end = std::min(length, start + block);
                             float sums[width] = {};
                             for (std::size_t row = start; row < end; ++row)
                                 for (std::size_t i = 0; i < columns; ++i)
                                     sums[i] += rows[row * inner + i];
                             for (std::size_t i = 0; i < columns; ++i)
                                 totals[i] += static_cast<double>(sums[i]);
                         }
                         for (std::size_t i = 0; i < columns; ++i)
                             result[i] = static_cast<float>(totals[i]);
                     }
                 });
}

void CpuKernels::max(const Tensor& x, const ReductionShape& lines, Tensor& y, Tensor& index) {
    const float* const from = floats(x);
    float* const to = floats(y);
    int* const where = ints(index);
    const ReductionShape shape = lines;
    parallel_for(shape.outer * shape.inner, shape.length, [=](std::size_t first, std::size_t last) {
        for (std::size_t line = first; line < last; ++line) {
            const float* const start =
                from + line / shape.inner * shape.length * shape.inner + line % shape.inner;
            std::size_t best = 0;
            for (std::size_t i = 1; i < shape.length; ++i) {
                const float value = start[i * shape.inner];
                const float largest = start[best * shape.inner];
                if (value > largest || (value != value && largest == largest)) best = i;
            }
            to[line] = start[best * shape.inner];
            where[line] = static_cast<int>(best);
        }
    });
}

void CpuKernels::max_gradient(const Tensor& gradient, const Tensor& index,
                              const ReductionShape& lines, Tensor& dx) {
    const float* const from = floats(gradient);
    const int* const where = ints(index);
    float* const to = floats(dx);
    const ReductionShape shape = lines;
    parallel_for(shape.outer * shape.inner, shape.length, [=](std::size_t first, std::size_t last) {
        for (std::size_t line = first; line < last; ++line) {
            float* const start =
                to + line / shape.inner * shape.length * shape.inner + line % shape.inner;
            for (std::size_t i = 0; i < shape.length; ++i)
                start[i * shape.inner] = static_cast<int>(i) == where[line] ? from[line] : 0;
        }
    });
}

}  // namespace lanes::tensor
