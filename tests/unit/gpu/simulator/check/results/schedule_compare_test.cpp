#include "gpu/simulator/check/results/schedule_compare.hpp"

#include <gtest/gtest.h>

namespace lanes::gpu::simulator {
namespace {

template <class T>
std::vector<Region> regions_of(const std::vector<T>& values, bool is_float) {
    Region region;
    region.first = reinterpret_cast<const unsigned char*>(values.data());
    region.bytes = values.size() * sizeof(T);
    region.element_bytes = sizeof(T);
    region.name = "y";
    region.is_float = is_float;
    return {region};
}

TEST(ScheduleCompare, ShowsTheFirstElementThatDiffers) {
    std::vector<int> values = {1, 2, 3, 4};
    ScheduleCompare compare;
    compare.keep(regions_of(values, false));
    EXPECT_FALSE(compare.compare(regions_of(values, false), false));
    values = {1, 2, -7, 9};
    const auto difference = compare.compare(regions_of(values, false), true);
    ASSERT_TRUE(difference);
    EXPECT_EQ(difference->index, 2u);
    EXPECT_EQ(difference->expected, "3");
    EXPECT_EQ(difference->got, "-7");
}

TEST(ScheduleCompare, SumsOfFloatsMayDifferALittleWhereAsked) {
    std::vector<float> values = {1, 1000};
    ScheduleCompare compare;
    compare.keep(regions_of(values, true));
    values[1] = 1000.01f;
    EXPECT_TRUE(compare.compare(regions_of(values, true), false));
    EXPECT_FALSE(compare.compare(regions_of(values, true), true));
    values[1] = 1001;
    EXPECT_TRUE(compare.compare(regions_of(values, true), true));
}

TEST(ScheduleCompare, WhatIsOnlyReadIsNotLookedAt) {
    std::vector<int> values = {1};
    auto regions = regions_of(values, false);
    regions[0].read_only = true;
    ScheduleCompare compare;
    compare.keep(regions);
    values[0] = 2;
    EXPECT_FALSE(compare.compare(regions, false));
}

}  // namespace
}  // namespace lanes::gpu::simulator
