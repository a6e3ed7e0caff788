// Reproducible random numbers that can be divided among workers: the same seed gives the same
// numbers on every machine, and split(i) gives worker i its own stream, independent of the order of
// calls. The generator is Philox4x32-10 (Salmon et al. 2011): a block of random bits is a function
// of a key and a counter.
//
//   lanes::Rng rng(42);
//   const double x = rng.uniform(-1, 1);
//   const auto die = rng.integer(1, 6);
//   lanes::Rng worker_3 = rng.split(3);
//
// Not thread-safe: use one Rng per thread or process, made by split.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

namespace lanes {

class Rng {
public:
    explicit Rng(std::uint64_t seed) : key_(seed) {}

    // The stream number `index` of this generator. It depends only on the seed and the indices, not
    // on the numbers that were drawn before.
    Rng split(std::uint64_t index) const;

    std::uint64_t bits() {  // 64 random bits
        if (used_ == block_.size()) refill();
        return block_[used_++];
    }

    double uniform();                         // [0, 1), a multiple of 2^-53
    double uniform(double low, double high);  // [low, high)
    double normal();                          // mean 0, standard deviation 1
    double normal(double mean, double deviation);
    std::int64_t integer(std::int64_t low,
                         std::int64_t high);  // low..high, both included, all equally likely

    // 32 random bits per word: about ten times as fast as bits(). Starts with a new block of the
    // generator; unused bits of the last block are dropped.
    void fill_bits(std::uint32_t* words, std::size_t count);

    void fill_uniform(float* data, std::size_t count, float low, float high);  // [low, high)
    void fill_normal(float* data, std::size_t count, float mean, float deviation);

    std::vector<std::size_t> permutation(std::size_t count);  // 0..count-1 in random order

    template <class Iterator>
    void shuffle(Iterator first, Iterator last) {
        for (auto left = std::distance(first, last); left > 1; --left) {
            using std::swap;
            swap(first[left - 1], first[integer(0, left - 1)]);
        }
    }

    // The complete state; a generator made from it continues the sequence.
    using State = std::array<std::uint64_t, 5>;
    State state() const { return {key_, counter_, block_[0], block_[1], used_}; }
    static Rng from_state(const State& state);

    // The interface that <algorithm> and <random> need. Their results differ between standard
    // libraries; those of the functions above do not.
    using result_type = std::uint64_t;
    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
    result_type operator()() { return bits(); }

private:
    void refill();

    std::uint64_t key_;
    std::uint64_t counter_ = 0;
    std::array<std::uint64_t, 2> block_{};
    std::size_t used_ = 2;
};

}  // namespace lanes
