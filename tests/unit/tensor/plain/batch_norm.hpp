#pragma once

#include "array.hpp"

#include <cmath>

namespace lanes::plain {

// x: (batch, channels, …) -> mean and variance (divided by the number of elements) per channel
template <class T>
void statistics(const Array<T>& x, Array<T>& mean, Array<T>& variance) {
    const std::size_t channels = x.shape[1];
    const std::size_t pixels = x.size() / (x.shape[0] * channels);
    const auto count = static_cast<T>(x.size() / channels);
    for (std::size_t i = 0; i < x.size(); ++i) mean[i / pixels % channels] += x[i] / count;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t channel = i / pixels % channels;
        variance[channel] += (x[i] - mean[channel]) * (x[i] - mean[channel]) / count;
    }
}

template <class T>
Array<T> normalize(const Array<T>& x, const Array<T>& mean, const Array<T>& variance,
                   const Array<T>& weight, const Array<T>& bias, T epsilon) {
    const std::size_t channels = x.shape[1];
    const std::size_t pixels = x.size() / (x.shape[0] * channels);
    Array<T> y(x.shape);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t c = i / pixels % channels;
        y[i] = (x[i] - mean[c]) / std::sqrt(variance[c] + epsilon) * weight[c] + bias[c];
    }
    return y;
}

}  // namespace lanes::plain
