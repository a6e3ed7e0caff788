#include "cpu_kernels.hpp"
#include "sums.hpp"

#include <cmath>

namespace lanes::tensor {

namespace {

// Calls body(first element) for each row of pixels of one channel.
template <class Body>
void for_each_row(const NormShape& shape, std::size_t channel, const Body& body) {
    for (std::size_t image = 0; image < shape.batch; ++image)
        body((image * shape.channels + channel) * shape.pixels);
}

std::size_t cost_of(const NormShape& shape) { return shape.batch * shape.pixels; }

}  // namespace

void CpuKernels::channel_statistics(const Tensor& x, const NormShape& shape, Tensor& mean,
                                    Tensor& variance) {
    const float* const from = floats(x);
    float* const means = floats(mean);
    float* const variances = floats(variance);
    const auto count = static_cast<double>(shape.batch * shape.pixels);
    parallel_for(shape.channels, cost_of(shape), [=](std::size_t first, std::size_t last) {
        for (std::size_t channel = first; channel < last; ++channel) {
            double sum = 0;
            for_each_row(shape, channel, [&](std::size_t row) {
                sum += sum_in_blocks(shape.pixels, [=](std::size_t i) { return from[row + i]; });
            });
            const double average = sum / count;
            double squares = 0;
            for_each_row(shape, channel, [&](std::size_t row) {
                squares += sum_in_blocks(shape.pixels, [=](std::size_t i) {
                    const float distance = from[row + i] - static_cast<float>(average);
                    return distance * distance;
                });
            });
            means[channel] = static_cast<float>(average);
            variances[channel] = static_cast<float>(squares / count);
        }
    });
}

void CpuKernels::normalize(const Tensor& x, const NormShape& shape, const Tensor& mean,
                           const Tensor& variance, float epsilon, const Tensor& weight,
                           const Tensor& bias, Tensor& y) {
    const float* const from = floats(x);
    const float* const means = floats(mean);
    const float* const variances = floats(variance);
    const float* const weights = floats(weight);
    const float* const biases = floats(bias);
    float* const to = floats(y);
    parallel_for(shape.channels, cost_of(shape), [=](std::size_t first, std::size_t last) {
        for (std::size_t channel = first; channel < last; ++channel) {
            const float scale = weights[channel] / std::sqrt(variances[channel] + epsilon);
            const float shift = biases[channel] - means[channel] * scale;
            for_each_row(shape, channel, [&](std::size_t row) {
                for (std::size_t i = 0; i < shape.pixels; ++i)
                    to[row + i] = from[row + i] * scale + shift;
            });
        }
    });
}

void CpuKernels::normalize_sums(const Tensor& gradient, const Tensor& x, const NormShape& shape,
                                const Tensor& mean, const Tensor& variance, float epsilon,
                                Tensor& dweight, Tensor& dbias) {
    const float* const g = floats(gradient);
    const float* const from = floats(x);
    const float* const means = floats(mean);
    const float* const variances = floats(variance);
    float* const dweights = floats(dweight);
    float* const dbiases = floats(dbias);
    parallel_for(shape.channels, cost_of(shape), [=](std::size_t first, std::size_t last) {
        for (std::size_t channel = first; channel < last; ++channel) {
            double products = 0;
            double sum = 0;
            for_each_row(shape, channel, [&](std::size_t row) {
                const float average = means[channel];
                products += sum_in_blocks(shape.pixels, [=](std::size_t i) {
                    return g[row + i] * (from[row + i] - average);
                });
                sum += sum_in_blocks(shape.pixels, [=](std::size_t i) { return g[row + i]; });
            });
            const double deviation = std::sqrt(static_cast<double>(variances[channel] + epsilon));
            dweights[channel] = static_cast<float>(products / deviation);
            dbiases[channel] = static_cast<float>(sum);
        }
    });
}

void CpuKernels::normalize_gradient(const Tensor& gradient, const Tensor& x, const NormShape& shape,
                                    const Tensor& mean, const Tensor& variance, float epsilon,
                                    const Tensor& weight, const Tensor& dweight,
                                    const Tensor& dbias, bool training, Tensor& dx) {
    const float* const g = floats(gradient);
    const float* const from = floats(x);
    const float* const means = floats(mean);
    const float* const variances = floats(variance);
    const float* const weights = floats(weight);
    const float* const dweights = floats(dweight);
    const float* const dbiases = floats(dbias);
    float* const to = floats(dx);
    const auto count = static_cast<float>(shape.batch * shape.pixels);
    parallel_for(shape.channels, cost_of(shape), [=](std::size_t first, std::size_t last) {
        for (std::size_t channel = first; channel < last; ++channel) {
            const float inverse = 1 / std::sqrt(variances[channel] + epsilon);
            const float scale = weights[channel] * inverse;
            if (!training) {  // without x: 0 times an infinite one would be NaN
                for_each_row(shape, channel, [&](std::size_t row) {
                    for (std::size_t i = 0; i < shape.pixels; ++i) to[row + i] = scale * g[row + i];
                });
                continue;
            }
            const float from_mean = dbiases[channel] / count;
            const float from_variance = dweights[channel] * inverse / count;
            for_each_row(shape, channel, [&](std::size_t row) {
                for (std::size_t i = 0; i < shape.pixels; ++i)
                    to[row + i] = scale * (g[row + i] - from_mean -
                                           (from[row + i] - means[channel]) * from_variance);
            });
        }
    });
}

}  // namespace lanes::tensor
