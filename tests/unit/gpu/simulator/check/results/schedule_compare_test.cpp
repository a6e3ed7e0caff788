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

const ScheduleCompare::Tolerance exact, rounded = [](const Region&, std::size_t) { return 0.0; };

TEST(ScheduleCompare, ShowsTheFirstElementThatDiffers) {
    std::vector<int> values = {1, 2, 3, 4};
    ScheduleCompare compare;
    compare.keep(regions_of(values, false));
    EXPECT_FALSE(compare.compare(regions_of(values, false), exact));
    values = {1, 2, -7, 9};
    const auto difference = compare.compare(regions_of(values, false), rounded);
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
    EXPECT_TRUE(compare.compare(regions_of(values, true), exact));
    EXPECT_FALSE(compare.compare(regions_of(values, true), rounded));
    values[1] = 1001;
    EXPECT_TRUE(compare.compare(regions_of(values, true), rounded));
}

TEST(ScheduleCompare, WhatIsOnlyReadIsNotLookedAt) {
    std::vector<int> values = {1};
    auto regions = regions_of(values, false);
    regions[0].read_only = true;
    ScheduleCompare compare;
    compare.keep(regions);
    values[0] = 2;
    EXPECT_FALSE(compare.compare(regions, exact));
}

TEST(ScheduleCompare, ASumThatCancelsMayDifferByWhatWasAdded) {
    std::vector<float> values = {0.001f};
    ScheduleCompare compare;
    compare.keep(regions_of(values, true));
    values[0] = 0.003f;
    EXPECT_TRUE(compare.compare(regions_of(values, true), rounded));
    EXPECT_FALSE(compare.compare(regions_of(values, true),
                                 [](const Region&, std::size_t) { return 1000.0; }));
}

TEST(ScheduleCompare, ShowsTheComponentsOfVectors) {
    std::vector<float> values = {1, 2, 3, 4};
    auto regions = regions_of(values, false);
    regions[0].element_bytes = 16;
    regions[0].component_bytes = 4;
    ScheduleCompare compare;
    compare.keep(regions);
    values[2] = 3.00001f;
    EXPECT_FALSE(compare.compare(regions, rounded));
    values[2] = 7;
    const auto difference = compare.compare(regions, rounded);
    ASSERT_TRUE(difference);
    EXPECT_EQ(difference->got, "(1, 2, 7, 4)");
    regions[0].component_bytes = 0;
    EXPECT_EQ(compare.compare(regions, rounded)->expected.substr(0, 2), "{1");
}

TEST(ScheduleCompare, SetsHaveNoOrderAndLoseNothing) {
    std::vector<int> values = {5, 1, 3, 3};
    ScheduleCompare compare;
    compare.keep(regions_of(values, false));
    values = {3, 5, 3, 1};
    EXPECT_TRUE(compare.compare(regions_of(values, false), exact));
    EXPECT_FALSE(compare.compare_sets(regions_of(values, false), exact));
    values = {3, 5, 1, 1};
    EXPECT_TRUE(compare.compare_sets(regions_of(values, false), exact));
    values = {3, 5, 0, 1};
    const auto difference = compare.compare_sets(regions_of(values, false), exact);
    ASSERT_TRUE(difference);
    EXPECT_EQ(difference->expected, "1");
    EXPECT_EQ(difference->got, "0");
}

}  // namespace
}  // namespace lanes::gpu::simulator
