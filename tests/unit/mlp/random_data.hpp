// Random images for tests of networks, and a custom part that makes a network use the plain step.
#pragma once

#include "lanes/array.hpp"
#include "lanes/base/rng.hpp"
#include "lanes/mlp/parts.hpp"

#include <cstdint>

namespace lanes_test {

template <class T = float>
inline lanes::BasicDataset<T> random_data(std::size_t count, std::size_t pixels,
                                          std::size_t classes, double share_of_zeros,
                                          std::uint64_t seed = 3) {
    lanes::Rng rng(seed);
    lanes::BasicDataset<T> data{xt::zeros<T>({count, pixels}), xt::zeros<T>({count, classes})};
    for (T& value : data.x)
        value = rng.uniform() < share_of_zeros ? T{0} : static_cast<T>(rng.uniform());
    for (std::size_t i = 0; i < count; ++i)
        data.y(i, static_cast<std::size_t>(rng.integer(0, static_cast<int>(classes) - 1))) = 1;
    return data;
}

// A network with a custom part is trained by the plain step.
template <class T = float>
lanes::BasicNetworkParts<T> own_matmul() {
    lanes::BasicNetworkParts<T> parts;
    parts.matmul = [](const auto& a, const auto& b) { return lanes::matmul(a, b); };
    return parts;
}

}  // namespace lanes_test
