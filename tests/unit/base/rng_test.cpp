#include "lanes/base/rng.hpp"

#include "lanes/base/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

namespace {

using lanes::Rng;

std::uint64_t bit_pattern(double value) {
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

// Known answers of philox4x32-10 from its authors' test vectors (Random123, kat_vectors): key and
// counter all zero.
TEST(Rng, IsPhilox) {
    Rng rng(0);
    EXPECT_EQ(rng.bits(), 0xe169c58d'6627e8d5u);
    EXPECT_EQ(rng.bits(), 0x9b00dbd8'bc57ac4cu);
}

TEST(Rng, TheSameSeedGivesTheSameNumbers) {
    Rng a(42), b(42), c(43);
    bool differs = false;
    for (int i = 0; i < 1000; ++i) {
        const auto bits = a.bits();
        EXPECT_EQ(bits, b.bits());
        differs |= bits != c.bits();
    }
    EXPECT_TRUE(differs);
}

TEST(Rng, ASplitDependsOnSeedAndIndexAlone) {
    Rng fresh(1), used(1);
    for (int i = 0; i < 7; ++i) used.bits();
    EXPECT_EQ(fresh.split(3).bits(), used.split(3).bits());

    // A stream is not what seeding with a number drawn from its parent would give.
    EXPECT_NE(Rng(fresh.bits()).bits(), fresh.split(0).bits());

    std::set<std::uint64_t> firsts{fresh.bits()};
    for (std::uint64_t i = 0; i < 1000; ++i) {
        firsts.insert(fresh.split(i).bits());
        firsts.insert(fresh.split(i).split(0).bits());
    }
    EXPECT_EQ(firsts.size(), 2001u);
}

TEST(Rng, ManyWordsAreTheHalvesOfItsBits) {
    for (const std::size_t count : {1, 3, 4, 63, 64, 65, 784, 1000}) {
        Rng one(9), many(9);
        one.bits(), one.bits(), many.bits();  // the second half of the first block is dropped
        std::vector<std::uint32_t> words(count + 1, 77);
        many.fill_bits(words.data(), count);
        for (std::size_t i = 0; i < count; i += 2) {
            const std::uint64_t bits = one.bits();
            ASSERT_EQ(words[i], static_cast<std::uint32_t>(bits)) << count << ' ' << i;
            if (i + 1 < count)
                ASSERT_EQ(words[i + 1], static_cast<std::uint32_t>(bits >> 32))
                    << count << ' ' << i;
        }
        EXPECT_EQ(words[count], 77u);
        if ((count + 1) / 2 % 2 == 1) one.bits();
        EXPECT_EQ(one.bits(), many.bits()) << count;
    }
    Rng rng(1);
    std::vector<std::uint32_t> words(4 * 70);
    for (int i = 0; i < 3; ++i) rng.fill_bits(words.data(), words.size());
    Rng again(1);
    for (int i = 0; i < 2 * 140; ++i) again.bits();
    EXPECT_EQ(words[0], static_cast<std::uint32_t>(again.bits()));
}

TEST(Rng, UniformFillsItsRangeEvenly) {
    Rng rng(5);
    constexpr int count = 100'000;
    double sum = 0, lowest = 1, highest = 0;
    for (int i = 0; i < count; ++i) {
        const double x = rng.uniform();
        ASSERT_GE(x, 0);
        ASSERT_LT(x, 1);
        sum += x;
        lowest = std::min(lowest, x);
        highest = std::max(highest, x);
    }
    EXPECT_NEAR(sum / count, 0.5, 0.005);
    EXPECT_LT(lowest, 1e-3);
    EXPECT_GT(highest, 1 - 1e-3);
}

TEST(Rng, UniformNeverReachesTheUpperEnd) {
    Rng rng(6);
    const double above_one = std::nextafter(1.0, 2.0);
    for (int i = 0; i < 1000; ++i) EXPECT_EQ(rng.uniform(1.0, above_one), 1.0);
    EXPECT_EQ(rng.uniform(2, 2), 2);
    EXPECT_THROW(rng.uniform(1, 0), lanes::Error);
    EXPECT_THROW(rng.uniform(0, INFINITY), lanes::Error);
    EXPECT_THROW(rng.uniform(0, NAN), lanes::Error);
}

TEST(Rng, NormalHasMeanDeviationAndTails) {
    Rng rng(7);
    constexpr int count = 200'000;
    double sum = 0, squares = 0;
    int beyond_two = 0, beyond_three = 0;
    for (int i = 0; i < count; ++i) {
        const double x = rng.normal();
        ASSERT_TRUE(std::isfinite(x));
        sum += x;
        squares += x * x;
        beyond_two += std::fabs(x) > 2;
        beyond_three += std::fabs(x) > 3;
    }
    EXPECT_NEAR(sum / count, 0, 0.01);
    EXPECT_NEAR(squares / count, 1, 0.02);
    EXPECT_NEAR(beyond_two / double(count), 0.0455, 0.003);
    EXPECT_NEAR(beyond_three / double(count), 0.0027, 0.0006);
    EXPECT_EQ(Rng(8).normal(3, 0), 3);
    EXPECT_THROW(rng.normal(0, -1), lanes::Error);
}

TEST(Rng, IntegersIncludeBothEndsAndAreEquallyLikely) {
    Rng rng(9);
    std::array<int, 6> seen{};
    for (int i = 0; i < 60'000; ++i) ++seen.at(static_cast<std::size_t>(rng.integer(-2, 3) + 2));
    for (const int count : seen) EXPECT_NEAR(count, 10'000, 400);
    EXPECT_EQ(rng.integer(4, 4), 4);
    EXPECT_THROW(rng.integer(1, 0), lanes::Error);
    constexpr auto lowest = std::numeric_limits<std::int64_t>::min(),
                   highest = std::numeric_limits<std::int64_t>::max();
    bool negative = false, positive = false;
    for (int i = 0; i < 100; ++i) (rng.integer(lowest, highest) < 0 ? negative : positive) = true;
    EXPECT_TRUE(negative && positive);
}

TEST(Rng, ShuffleAndPermutationKeepEveryElement) {
    Rng rng(10);
    const auto order = rng.permutation(1000);
    EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
    EXPECT_EQ(std::set<std::size_t>(order.begin(), order.end()).size(), 1000u);
    EXPECT_EQ(*std::max_element(order.begin(), order.end()), 999u);

    // Every position is equally likely for the first element.
    std::array<int, 4> places{};
    for (int i = 0; i < 40'000; ++i) {
        std::vector<char> letters{'a', 'b', 'c', 'd'};
        rng.shuffle(letters.begin(), letters.end());
        ++places.at(static_cast<std::size_t>(std::find(letters.begin(), letters.end(), 'a') -
                                             letters.begin()));
    }
    for (const int count : places) EXPECT_NEAR(count, 10'000, 400);
}

TEST(Rng, FillsArraysOfFloat) {
    Rng rng(11);
    std::vector<float> values(10'000);
    rng.fill_uniform(values.data(), values.size(), -0.5f, 0.25f);
    EXPECT_GE(*std::min_element(values.begin(), values.end()), -0.5f);
    EXPECT_LT(*std::max_element(values.begin(), values.end()), 0.25f);
    rng.fill_normal(values.data(), values.size(), 1, 0.01f);
    EXPECT_NEAR(*std::max_element(values.begin(), values.end()), 1, 0.06);
    EXPECT_THROW(rng.fill_uniform(values.data(), 1, 1, 0), lanes::Error);
}

TEST(Rng, GoesOnFromASavedState) {
    for (const int drawn : {0, 1, 2, 7}) {
        Rng rng(5);
        for (int i = 0; i < drawn; ++i) rng.bits();
        Rng other = Rng::from_state(rng.state());
        for (int i = 0; i < 5; ++i) EXPECT_EQ(other.bits(), rng.bits()) << drawn;
    }
    EXPECT_THROW(Rng::from_state({1, 1, 1, 1, 3}), lanes::Error);
}

// Other machines must give the same bits: neither libm nor fused multiply-add is involved.
TEST(Rng, GivesTheSameBitsOnEveryMachine) {
    Rng rng(2024);
    std::uint64_t digest = 0;
    for (int i = 0; i < 10'000; ++i) {
        for (const double value :
             {rng.uniform(-1, 1), rng.normal(), rng.normal(0.1, 3), double(rng.integer(0, 999))})
            digest = digest * 31 + bit_pattern(value);
    }
    std::vector<float> values(1000);
    rng.fill_uniform(values.data(), values.size(), -0.1f, 0.3f);
    for (const float value : values) digest = digest * 31 + bit_pattern(value);
    EXPECT_EQ(digest, 4958896039671903571u);
}

}  // namespace
