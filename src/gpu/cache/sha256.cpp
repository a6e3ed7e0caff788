#include "sha256.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace lanes::gpu {

namespace {

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> round_constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t rotated(std::uint32_t x, int n) { return x >> n | x << (32 - n); }

class Sha256 {
public:
    void add_block(const unsigned char* block) {
        std::array<std::uint32_t, 64> w{};
        for (std::size_t i = 0; i < 16; ++i)
            w[i] = std::uint32_t(block[4 * i]) << 24 | std::uint32_t(block[4 * i + 1]) << 16 |
                   std::uint32_t(block[4 * i + 2]) << 8 | block[4 * i + 3];
        for (std::size_t i = 16; i < 64; ++i) {
            const std::uint32_t s0 =
                rotated(w[i - 15], 7) ^ rotated(w[i - 15], 18) ^ w[i - 15] >> 3;
            const std::uint32_t s1 = rotated(w[i - 2], 17) ^ rotated(w[i - 2], 19) ^ w[i - 2] >> 10;
            w[i] = w[i - 16] + s0 + w[i - 7] + s1;
        }
        auto [a, b, c, d, e, f, g, h] = state_;
        for (std::size_t i = 0; i < 64; ++i) {
            const std::uint32_t s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25),
                                choice = (e & f) ^ (~e & g);
            const std::uint32_t t1 = h + s1 + choice + round_constants[i] + w[i];
            const std::uint32_t s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22),
                                majority = (a & b) ^ (a & c) ^ (b & c);
            h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + s0 + majority;
        }
        const std::array<std::uint32_t, 8> added{a, b, c, d, e, f, g, h};
        for (std::size_t i = 0; i < 8; ++i) state_[i] += added[i];
    }

    std::string hex() const {
        std::string text;
        for (std::uint32_t word : state_)
            for (int shift = 28; shift >= 0; shift -= 4)
                text += "0123456789abcdef"[word >> shift & 15];
        return text;
    }

private:
    std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
};

}  // namespace

std::string sha256_hex(std::string_view bytes) {
    Sha256 sum;
    const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
    std::size_t done = 0;
    for (; done + 64 <= bytes.size(); done += 64) sum.add_block(data + done);

    // the rest, a one bit, zeros, and the length in bits: one block or two
    std::array<unsigned char, 128> tail{};
    const std::size_t rest = bytes.size() - done, length = rest < 56 ? 64 : 128;
    for (std::size_t i = 0; i < rest; ++i) tail[i] = data[done + i];
    tail[rest] = 0x80;
    for (std::size_t i = 0; i < 8; ++i)
        tail[length - 1 - i] = static_cast<unsigned char>(std::uint64_t(bytes.size()) * 8 >> 8 * i);
    for (std::size_t i = 0; i < length; i += 64) sum.add_block(tail.data() + i);
    return sum.hex();
}

}  // namespace lanes::gpu
