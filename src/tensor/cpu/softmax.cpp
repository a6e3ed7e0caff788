#include "cpu_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lanes::tensor {

namespace {

constexpr std::size_t exp_cost = 10;

// One line of a tensor, with `step` elements between two of its numbers.
template <class T>
struct Line {
    T* first;
    std::size_t step;
    T& operator[](std::size_t i) const { return first[i * step]; }
};

template <class T>
Line<T> line_of(T* data, const ReductionShape& lines, std::size_t line) {
    return {data + line / lines.inner * lines.length * lines.inner + line % lines.inner,
            lines.inner};
}

// The largest number, and the log of the sum of exp(x - largest), which cannot overflow. They are
// kept apart, because their sum would lose the digits of the smaller one.
struct Scale {
    float largest;
    float log_sum;
};

Scale scale_of(const Line<const float>& x, std::size_t length) {
    float largest = -std::numeric_limits<float>::infinity();
    for (std::size_t i = 0; i < length; ++i) largest = std::max(largest, x[i]);
    float sum = 0;
    for (std::size_t i = 0; i < length; ++i) sum += std::exp(x[i] - largest);
    return {largest, std::log(sum)};
}

}  // namespace

void CpuKernels::softmax(const Tensor& x, const ReductionShape& lines, bool log, Tensor& y) {
    const float* const from = floats(x);
    float* const to = floats(y);
    parallel_for(lines.outer * lines.inner, lines.length * exp_cost,
                 [=](std::size_t first, std::size_t last) {
                     for (std::size_t line = first; line < last; ++line) {
                         const auto in = line_of(from, lines, line);
                         const auto out = line_of(to, lines, line);
                         const Scale scale = scale_of(in, lines.length);
                         for (std::size_t i = 0; i < lines.length; ++i) {
                             const float log_softmax = in[i] - scale.largest - scale.log_sum;
                             out[i] = log ? log_softmax : std::exp(log_softmax);
                         }
                     }
                 });
}

void CpuKernels::softmax_gradient(const Tensor& gradient, const Tensor& y,
                                  const ReductionShape& lines, bool log, Tensor& dx) {
    const float* const gradients = floats(gradient);
    const float* const results = floats(y);
    float* const to = floats(dx);
    parallel_for(lines.outer * lines.inner, lines.length * exp_cost,
                 [=](std::size_t first, std::size_t last) {
                     for (std::size_t line = first; line < last; ++line) {
                         const auto g = line_of(gradients, lines, line);
                         const auto result = line_of(results, lines, line);
                         const auto out = line_of(to, lines, line);
                         float sum = 0;
                         for (std::size_t i = 0; i < lines.length; ++i)
                             sum += log ? g[i] : g[i] * result[i];
                         for (std::size_t i = 0; i < lines.length; ++i)
                             out[i] =
                                 log ? g[i] - std::exp(result[i]) * sum : result[i] * (g[i] - sum);
                     }
                 });
}

void CpuKernels::cross_entropy(const Tensor& logits, const Tensor& labels, Tensor& losses,
                               Tensor& scales) {
    const std::size_t batch = logits.shape()[0];
    const std::size_t classes = logits.shape()[1];
    const float* const from = floats(logits);
    const int* const label = ints(labels);
    float* const loss = floats(losses);
    float* const scale = floats(scales);
    parallel_for(batch, classes * exp_cost, [=](std::size_t first, std::size_t last) {
        for (std::size_t row = first; row < last; ++row) {
            const Line<const float> x{from + row * classes, 1};
            const auto [largest, log_sum] = scale_of(x, classes);
            scale[2 * row] = largest;
            scale[2 * row + 1] = log_sum;
            const bool known = label[row] >= 0 && static_cast<std::size_t>(label[row]) < classes;
            loss[row] = known ? log_sum - (x[static_cast<std::size_t>(label[row])] - largest)
                              : std::numeric_limits<float>::quiet_NaN();
        }
    });
}

void CpuKernels::cross_entropy_gradient(const Tensor& logits, const Tensor& labels,
                                        const Tensor& scales, const Tensor& gradient, float share,
                                        Tensor& dx) {
    const std::size_t batch = logits.shape()[0];
    const std::size_t classes = logits.shape()[1];
    const float* const from = floats(logits);
    const int* const label = ints(labels);
    const float* const scale = floats(scales);
    const float factor = share * *floats(gradient);
    float* const to = floats(dx);
    parallel_for(batch, classes * exp_cost, [=](std::size_t first, std::size_t last) {
        for (std::size_t row = first; row < last; ++row)
            for (std::size_t i = 0; i < classes; ++i) {
                const float softmax =
                    std::exp(from[row * classes + i] - scale[2 * row] - scale[2 * row + 1]);
                const float one_hot = static_cast<int>(i) == label[row] ? 1 : 0;
                to[row * classes + i] = factor * (softmax - one_hot);
            }
    });
}

}  // namespace lanes::tensor
