// max.cu: every rung against a plain loop, on sizes that neither four nor a block divides.
#include "ladders.hpp"

#include <algorithm>

namespace lanes {
namespace {

class Max : public Ladder {
protected:
    std::vector<int> integers(int count) {
        std::vector<int> values(count);
        for (int& value : values) value = static_cast<int>(rng_.integer(-255, 255));
        return values;
    }

    void check(const std::string& rung, const LaunchConfig& config, int n) {
        SCOPED_TRACE(rung + ", n = " + std::to_string(n));
        const std::vector<int> a = integers(n), b = integers(n);
        Buffer<int> on_a(device(), a), on_b(device(), b), on_c(device(), n);
        launch(program("max.cu").kernel(rung), config, on_a, on_b, on_c, n);
        const std::vector<int> c = on_c.download();
        for (int i = 0; i < n; ++i) ASSERT_EQ(c[i], std::max(a[i], b[i])) << "element " << i;
    }
};
INSTANTIATE_LADDER(Max);

TEST_P(Max, OneThreadAnElement) {
    for (int n : {1, 3, 255, 256, 1000, 4099}) check("max_v1", {ceil_div(n, 256), 256}, n);
    check("max_v1", {10, 1000}, 10000);
}

TEST_P(Max, GridStrideOfAnyShape) {
    for (int n : {1, 2, 3, 4, 5, 1000, 4099}) {
        check("max_v2", {ceil_div(n, 1024), 256}, n);
        check("max_v2", {3, 64}, n);
    }
    check("max_v2", {1, 1}, 101);
}

TEST_P(Max, ReadsEachByteOnceAndFourAtATime) {
    if (GetParam() == "gpu") GTEST_SKIP() << "a GPU has no counters";
    const int n = 4096;
    Buffer<int> a(device(), integers(n)), b(device(), integers(n)), c(device(), n);
    const Counters one = launch(program("max.cu").kernel("max_v1"), {16, 256}, a, b, c, n).counters;
    const Counters four = launch(program("max.cu").kernel("max_v2"), {4, 256}, a, b, c, n).counters;
    EXPECT_EQ(one.global_load_requests, 2U * n / 32);
    EXPECT_EQ(one.global_load_sectors, 2U * n * sizeof(int) / 32) << "each byte once";
    EXPECT_EQ(one.global_store_sectors, n * sizeof(int) / 32);
    EXPECT_EQ(4 * four.global_load_requests, one.global_load_requests)
        << "16 bytes a thread instead of 4";
    EXPECT_EQ(four.global_load_sectors, one.global_load_sectors);
}

}  // namespace
}  // namespace lanes
