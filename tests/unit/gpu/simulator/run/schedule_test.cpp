#include "gpu/simulator/run/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace lanes::gpu::simulator {
namespace {

TEST(Schedule, EachIsAnOrderOfAllAndTheSameEveryTime) {
    for (int number = 0; number < 5; ++number) {
        const auto order = schedule_order<std::uint32_t>(number, 7, 100);
        auto sorted = order;
        std::sort(sorted.begin(), sorted.end());
        for (std::uint32_t i = 0; i < 100; ++i) ASSERT_EQ(sorted[i], i);
        EXPECT_EQ(order, schedule_order<std::uint32_t>(number, 7, 100));
    }
    EXPECT_EQ(schedule_order<std::uint16_t>(0, 7, 3), (std::vector<std::uint16_t>{0, 1, 2}));
    EXPECT_EQ(schedule_order<std::uint16_t>(1, 7, 3), (std::vector<std::uint16_t>{2, 1, 0}));
    EXPECT_NE(schedule_order<std::uint16_t>(2, 7, 50), schedule_order<std::uint16_t>(3, 7, 50));
    EXPECT_NE(schedule_order<std::uint16_t>(2, 7, 50), schedule_order<std::uint16_t>(2, 8, 50));
}

}  // namespace
}  // namespace lanes::gpu::simulator
