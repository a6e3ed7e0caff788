#include "ops/stream_store.hpp"

#include <gtest/gtest.h>

#include <array>

namespace {

TEST(StreamStore, BypassesNoCacheThatHoldsEverything) {
    EXPECT_FALSE(lanes::ops::should_bypass_caches(0));
    EXPECT_FALSE(lanes::ops::should_bypass_caches(lanes::cache_sizes().last));
#if defined(__x86_64__)
    EXPECT_TRUE(lanes::ops::should_bypass_caches(lanes::cache_sizes().last + 1));
#endif
}

TEST(StreamStore, WritesTheSameEitherWay) {
    constexpr std::size_t lanes_per_line = 16;
    std::array<int, lanes_per_line> from{};
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<int>(3 * i);
    alignas(64) std::array<int, lanes_per_line> through{};
    alignas(64) std::array<int, lanes_per_line> around{};
    lanes::ops::store_line<false>(through.data(), lanes::ops::load_line(from.data()));
    lanes::ops::store_line<true>(around.data(), lanes::ops::load_line(from.data()));
    lanes::ops::finish_stores();
    EXPECT_EQ(through, from);
    EXPECT_EQ(around, from);
}

}  // namespace
