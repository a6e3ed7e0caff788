// No fused multiply-add in this file: it rounds once instead of twice, so the numbers would differ
// between machines that have it and machines that do not.
#include "lanes/base/rng.hpp"

#include "lanes/base/error.hpp"
#include "normal_quantile.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#pragma clang fp contract(off)
#pragma GCC diagnostic ignored \
    "-Wpsabi"  // long vectors are passed only between functions of this file

namespace lanes {

namespace {

using Block = std::array<std::uint32_t, 4>;

Block philox(std::uint64_t key, Block x) {
    auto k0 = static_cast<std::uint32_t>(key), k1 = static_cast<std::uint32_t>(key >> 32);
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t p0 = std::uint64_t{0xD2511F53} * x[0],
                            p1 = std::uint64_t{0xCD9E8D57} * x[2];
        x = {static_cast<std::uint32_t>(p1 >> 32) ^ x[1] ^ k0, static_cast<std::uint32_t>(p1),
             static_cast<std::uint32_t>(p0 >> 32) ^ x[3] ^ k1, static_cast<std::uint32_t>(p0)};
        k0 += 0x9E3779B9;
        k1 += 0xBB67AE85;
    }
    return x;
}

// Part of the counter: numbers that are drawn and keys of split streams never share a block.
enum class Purpose : std::uint64_t { draw = 0, split = 1 };

std::array<std::uint64_t, 2> block_of(std::uint64_t key, std::uint64_t counter, Purpose purpose) {
    const Block x =
        philox(key, {static_cast<std::uint32_t>(counter), static_cast<std::uint32_t>(counter >> 32),
                     static_cast<std::uint32_t>(purpose), 0});
    return {x[0] | std::uint64_t{x[1]} << 32, x[2] | std::uint64_t{x[3]} << 32};
}

// Computes the blocks counter, counter + 1, … at once, one per vector lane. A number is in the
// lower half of a lane of 64 bits, as multiplication needs it; the upper half is ignored. Each
// round depends on the one before, so many independent lanes keep the processor busy.
constexpr std::size_t few_lanes = 8, many_lanes = 32;
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the lower half of a lane comes first");

using Lanes __attribute__((vector_size(64))) = std::uint64_t;
using Halves __attribute__((vector_size(64))) = std::uint32_t;

// Moves the upper halves down. A shuffle and not a shift, because on x86 shifts use the same
// execution port as multiplications.
Lanes upper(Lanes x) {
    const auto halves = reinterpret_cast<Halves>(x);
    return reinterpret_cast<Lanes>(__builtin_shufflevector(halves, halves, 1, 1, 3, 3, 5, 5, 7, 7,
                                                           9, 9, 11, 11, 13, 13, 15, 15));
}

// The lower halves of a and b, interleaved.
Lanes pairs(Lanes a, Lanes b) {
    return reinterpret_cast<Lanes>(
        __builtin_shufflevector(reinterpret_cast<Halves>(a), reinterpret_cast<Halves>(b), 0, 16, 2,
                                18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30));
}

template <std::size_t lanes_at_once>
void philox_blocks(std::uint64_t key, std::uint64_t counter, std::uint32_t* words) {
    constexpr std::uint64_t lower = 0xFFFFFFFF;
    constexpr std::size_t count = lanes_at_once / few_lanes;
    std::array<Lanes, count> x0, x1, x2{}, x3{};
    for (std::size_t i = 0; i < count; ++i) {
        x0[i] = Lanes{0, 1, 2, 3, 4, 5, 6, 7} + (counter + i * few_lanes);
        x1[i] = x0[i] >> 32;
    }
    std::uint64_t k0 = key & lower, k1 = key >> 32;
    for (int round = 0; round < 10; ++round) {
        for (std::size_t i = 0; i < count; ++i) {
            const Lanes p0 = std::uint64_t{0xD2511F53} * (x0[i] & lower),
                        p1 = std::uint64_t{0xCD9E8D57} * (x2[i] & lower);
            x0[i] = upper(p1) ^ x1[i] ^ k0;
            x1[i] = p1;
            x2[i] = upper(p0) ^ x3[i] ^ k1;
            x3[i] = p0;
        }
        k0 = (k0 + 0x9E3779B9) & lower;
        k1 = (k1 + 0xBB67AE85) & lower;
    }
    for (std::size_t i = 0; i < count; ++i, words += 4 * few_lanes) {
        const Lanes first = pairs(x0[i], x1[i]), second = pairs(x2[i], x3[i]);
        const std::array<Lanes, 2> blocks{
            __builtin_shufflevector(first, second, 0, 8, 1, 9, 2, 10, 3, 11),
            __builtin_shufflevector(first, second, 4, 12, 5, 13, 6, 14, 7, 15)};
        std::memcpy(words, blocks.data(), sizeof blocks);
    }
}

// n * scale + low can round up to high; the largest number below it is as good.
template <class T>
T into_range(T unit, T low, T high) {
    const T value = low + (high - low) * unit;
    return value < high || low == high ? value : std::nextafter(high, low);
}

}  // namespace

void Rng::refill() {
    block_ = block_of(key_, counter_++, Purpose::draw);
    used_ = 0;
}

Rng Rng::from_state(const State& state) {
    Rng rng(state[0]);
    rng.counter_ = state[1];
    rng.block_ = {state[2], state[3]};
    LANES_REQUIRE(state[4] <= rng.block_.size(), "Rng::from_state: ", state[4], " of ",
                  rng.block_.size(), " numbers are used. Give what state() returned.");
    rng.used_ = static_cast<std::size_t>(state[4]);
    return rng;
}

Rng Rng::split(std::uint64_t index) const { return Rng(block_of(key_, index, Purpose::split)[0]); }

double Rng::uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

double Rng::uniform(double low, double high) {
    LANES_REQUIRE(low <= high && std::isfinite(high - low), "Rng::uniform: from ", low, " to ",
                  high, ". The first must not be above the second, both finite.");
    return into_range(uniform(), low, high);
}

double Rng::normal() {
    // The middle of one of 2^52 equal steps: never 0 and never 1, whose quantiles are infinite.
    return normal_quantile((static_cast<double>(bits() >> 12) + 0.5) * 0x1p-52);
}

double Rng::normal(double mean, double deviation) {
    LANES_REQUIRE(deviation >= 0 && std::isfinite(deviation), "Rng::normal: standard deviation ",
                  deviation, ". It must be 0 or above, and finite.");
    return mean + deviation * normal();
}

std::int64_t Rng::integer(std::int64_t low, std::int64_t high) {
    LANES_REQUIRE(low <= high, "Rng::integer: from ", low, " to ", high,
                  ". The first must not be above the second.");
    const std::uint64_t count =
        static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
    if (count == 0) return static_cast<std::int64_t>(bits());  // all 2^64 of them
    // Lemire 2019: the upper half of bits * count, drawn again if the lower half would make some
    // results more likely than others.
    const std::uint64_t surplus = -count % count;
    unsigned __int128 product;
    do {
        product = static_cast<unsigned __int128>(bits()) * count;
    } while (static_cast<std::uint64_t>(product) < surplus);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) +
                                     static_cast<std::uint64_t>(product >> 64));
}

void Rng::fill_bits(std::uint32_t* words, std::size_t count) {
    constexpr std::size_t few = 4 * few_lanes, many = 4 * many_lanes;  // words
    const std::uint64_t first = counter_;
    const std::size_t whole = count / few * few;
    // The remainder comes first: the processor overlaps it with the blocks below.
    if (count - whole <= 8) {  // two single blocks are faster than eight at once
        for (std::size_t done = whole; done < count; done += 4) {
            const auto block = block_of(key_, first + done / 4, Purpose::draw);
            if (count - done >= 4)
                std::memcpy(words + done, block.data(), sizeof block);
            else
                std::memcpy(words + done, block.data(), (count - done) * sizeof *words);
        }
    } else {
        std::array<std::uint32_t, few> some;
        philox_blocks<few_lanes>(key_, first + whole / 4, some.data());
        std::copy_n(some.data(), count - whole, words + whole);
    }
    std::size_t done = 0;
    for (; done + many <= whole; done += many)
        philox_blocks<many_lanes>(key_, first + done / 4, words + done);
    for (; done < whole; done += few)
        philox_blocks<few_lanes>(key_, first + done / 4, words + done);
    counter_ = first + (count + 3) / 4;
    used_ = block_.size();
}

void Rng::fill_uniform(float* data, std::size_t count, float low, float high) {
    LANES_REQUIRE(low <= high && std::isfinite(high - low), "Rng::fill_uniform: from ", low, " to ",
                  high, ". The first must not be above the second, both finite.");
    for (std::size_t i = 0; i < count; ++i)
        data[i] = into_range(static_cast<float>(bits() >> 40) * 0x1p-24f, low, high);
}

void Rng::fill_normal(float* data, std::size_t count, float mean, float deviation) {
    for (std::size_t i = 0; i < count; ++i) data[i] = static_cast<float>(normal(mean, deviation));
}

std::vector<std::size_t> Rng::permutation(std::size_t count) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    shuffle(order.begin(), order.end());
    return order;
}

}  // namespace lanes
