#include "convolution.hpp"

#include <array>

namespace lanes::exercises::convolution_check {

using notebook::Values;

namespace {

std::string times(int a, int b) { return std::to_string(a) + "x" + std::to_string(b); }

template <class Array>
Array random(const typename Array::shape_type& shape, Rng rng) {
    Array values = Array::from_shape(shape);
    rng.fill_uniform(values.data(), values.size(), -2, 2);
    return values;
}

auto size_of(int extent) { return static_cast<std::size_t>(extent); }

}  // namespace

std::string words(const Layer& layer) {
    return std::to_string(layer.channels) + (layer.channels == 1 ? " channel" : " channels") +
           " of " + times(layer.rows, layer.columns) + ", filters of " +
           times(layer.size, layer.size) + ", stride " + std::to_string(layer.stride) +
           ", padding " + std::to_string(layer.padding);
}

Tensor3 random_image(const Layer& layer, Rng rng) {
    return random<Tensor3>({size_of(layer.channels), size_of(layer.rows), size_of(layer.columns)},
                           rng);
}

Tensor4 random_filters(const Layer& layer, Rng rng) {
    return random<Tensor4>(
        {size_of(layer.outputs), size_of(layer.channels), size_of(layer.size), size_of(layer.size)},
        rng);
}

Values patches(const Tensor3& x, const Layer& given, Mistake mistake) {
    Layer layer = given;
    if (mistake == Mistake::stride) layer.stride = 1;
    if (mistake == Mistake::padding) layer.padding = 0;
    const int step = mistake == Mistake::pixel_stride ? 1 : layer.stride;
    const int size = layer.size, channels = layer.channels;
    const int high = layer.out(layer.rows), wide = layer.out(layer.columns);
    Values result{{size_of(channels * size * size), size_of(high * wide)}, {}};
    result.numbers.resize(result.shape[0] * result.shape[1]);
    for (int c = 0; c < channels; ++c)
        for (int i = 0; i < size; ++i)
            for (int j = 0; j < size; ++j)
                for (int place = 0; place < high * wide; ++place) {
                    const bool exchanged = mistake == Mistake::axes_exchanged;
                    const int y = place / wide * step + (exchanged ? j : i) - layer.padding;
                    const int z = place % wide * step + (exchanged ? i : j) - layer.padding;
                    if (y < 0 || y >= layer.rows || z < 0 || z >= layer.columns) continue;
                    const int row = mistake == Mistake::channels_last
                                        ? (i * size + j) * channels + c
                                        : (c * size + i) * size + j;
                    const int from = mistake == Mistake::first_channel ? 0 : c;
                    const int column =
                        mistake == Mistake::row_length ? place / wide * high + place % wide : place;
                    if (column >= high * wide) continue;
                    result.numbers[size_of(row) * result.shape[1] + size_of(column)] =
                        x(size_of(from), size_of(y), size_of(z));
                }
    return result;
}

}  // namespace lanes::exercises::convolution_check
