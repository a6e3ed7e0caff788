// Random bits as a function of a seed and a counter (Philox4x32-10, Salmon et al. 2011), as in
// kernels_src/tensor_elementwise.cu: a dropout mask is the same on every back-end and for any
// number of threads.
#pragma once

#include <array>
#include <cstdint>

namespace lanes::tensor {

inline std::array<std::uint32_t, 4> philox(std::uint64_t seed, std::uint32_t counter) {
    auto key0 = static_cast<std::uint32_t>(seed);
    auto key1 = static_cast<std::uint32_t>(seed >> 32);
    std::array<std::uint32_t, 4> x{counter, 0, 0, 0};
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t p0 = std::uint64_t{0xD2511F53} * x[0];
        const std::uint64_t p1 = std::uint64_t{0xCD9E8D57} * x[2];
        x = {static_cast<std::uint32_t>(p1 >> 32) ^ x[1] ^ key0, static_cast<std::uint32_t>(p1),
             static_cast<std::uint32_t>(p0 >> 32) ^ x[3] ^ key1, static_cast<std::uint32_t>(p0)};
        key0 += 0x9E3779B9;
        key1 += 0xBB67AE85;
    }
    return x;
}

}  // namespace lanes::tensor
