#include "gpu/simulator/memory/arena.hpp"

#include "lanes/base/error.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <vector>

namespace lanes::gpu::simulator {
namespace {

struct Buffers {
    std::vector<void*> all;
    ~Buffers() {
        for (void* buffer : all) arena_free(buffer);
    }
};

// As a notebook's global tensors that are moved to the simulator later.
TEST(Arena, MayBeFreedAfterTheStaticVariables) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");  // a process that has not used the arena yet
    const auto exits = [] {
        static Buffers buffers;
        for (int i = 0; i < 1000; ++i) buffers.all.push_back(arena_allocate(100));
        std::exit(0);
    };
    EXPECT_EXIT(exits(), testing::ExitedWithCode(0), "");
}

TEST(Arena, BuffersLieApartAndAreUsedAgain) {
    auto* first = static_cast<unsigned char*>(arena_allocate(100));
    auto* second = static_cast<unsigned char*>(arena_allocate(100));
    EXPECT_TRUE(in_arena(first) && in_arena(second));
    EXPECT_GE(std::abs(second - first), 100 + static_cast<std::ptrdiff_t>(arena_gap));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 256, 0U);
    std::memset(first, 7, 100);
    arena_free(first);
    auto* third = static_cast<unsigned char*>(arena_allocate(100));
    EXPECT_EQ(third, first);
    EXPECT_EQ(third[5], 0);  // no old contents are visible
    arena_free(second);
    arena_free(third);
    int host = 0;
    EXPECT_FALSE(in_arena(&host) || near_arena(&host) || near_arena(nullptr));
    EXPECT_TRUE(near_arena(arena_first() - arena_margin) &&
                near_arena(arena_first() + arena_bytes + arena_margin - 1));
    EXPECT_FALSE(near_arena(arena_first() - arena_margin - 1) ||
                 near_arena(arena_first() + arena_bytes + arena_margin));
    EXPECT_THROW(arena_allocate(std::size_t(1) << 50), Error);
}

}  // namespace
}  // namespace lanes::gpu::simulator
