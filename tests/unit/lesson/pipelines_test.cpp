#include "lanes/lesson/pipelines.hpp"

#include "../error_of.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using lanes_test::error_of;

namespace spare = lanes::spare;

TEST(Spread, OfKnownValues) {
    EXPECT_DOUBLE_EQ(lanes::spread_of({2, 4, 6}).mean, 4);
    EXPECT_DOUBLE_EQ(lanes::spread_of({2, 4, 6}).deviation, 2);
    EXPECT_EQ(lanes::spread_of({3}).deviation, 0);
    EXPECT_EQ(lanes::accuracy_text({0.8966, 0.0019}), "89.66 % ± 0.19 pp");
    EXPECT_NE(error_of([] { lanes::spread_of({}); }), "");
}

TEST(PairedDifference, IsClearIfItIsLargeBesideItsStandardError) {
    const std::vector<double> before{0.5, 0.6, 0.4, 0.7, 0.3};
    const auto moved = [&](const std::vector<double>& by) {
        std::vector<double> after = before;
        for (std::size_t i = 0; i < by.size(); ++i) after[i] += by[i];
        return lanes::paired_difference(after, before);
    };
    EXPECT_TRUE(moved({0.01, 0.012, 0.011, 0.009, 0.01}).is_clear());
    EXPECT_NEAR(moved({0.01, 0.012, 0.011, 0.009, 0.01}).mean, 0.0104, 1e-9);
    EXPECT_FALSE(moved({0.03, -0.03, 0.02, -0.01, 0.01}).is_clear());
    EXPECT_FALSE(moved({0, 0, 0, 0, 0}).is_clear());
    EXPECT_FALSE(moved({-0.01, -0.012, -0.011, -0.009, -0.01}).is_clear());
    EXPECT_NE(error_of([&] { lanes::paired_difference({0.5}, before); }), "");
}

TEST(EpochTable, KeepsTheLastAccuracyOfEachSeed) {
    lanes::EpochTable table;
    table.add("plain", {{1, 0.3, 0.5, 0.1}, {2, 0.2, 0.7, 0.1}});
    table.add("plain", {{1, 0.3, 0.6, 0.1}, {2, 0.2, 0.8, 0.1}});
    EXPECT_EQ(table.last("plain"), (std::vector<double>{0.7, 0.8}));
    EXPECT_NE(error_of([&] { table.last("augmented"); }).find("augmented"), std::string::npos);
    EXPECT_NE(error_of([&] { table.add("plain", {{1, 0.3, {}, 0.1}}); }).find("validation"),
              std::string::npos);
}

TEST(ShowWorkers, SaysOnlyOfFewCoresThatTheyAreBusy) {
    const auto finding = [](int n, double training, double one, double more) {
        testing::internal::CaptureStdout();
        lanes::show_workers(n, training, [&](int workers) { return workers == 1 ? one : more; });
        const std::string text = testing::internal::GetCapturedStdout();
        return text.substr(text.find("On this machine: "));
    };
    EXPECT_NE(finding(2, 1, 3, 3).find("already keep the cores busy"), std::string::npos);
    const std::string many = finding(16, 1, 3, 3);
    EXPECT_EQ(many.find("busy"), std::string::npos) << many;
    EXPECT_NE(many.find("work of the network's process"), std::string::npos) << many;
    EXPECT_NE(finding(16, 2.5, 3, 3).find("the training is the bottleneck"), std::string::npos);
    EXPECT_NE(finding(16, 1, 3, 2).find("clearly faster"), std::string::npos);
}

TEST(SparePrefetch, TrainsInOrderAndIsBounded) {
    std::vector<lanes::BatchJob> given;
    for (std::uint64_t i = 0; i < 9; ++i) given.push_back({50 + i, {}, {}, {}});
    std::vector<std::uint64_t> made, trained;
    std::size_t put = 0, most = 0;
    spare::prefetch(
        given, 3,
        [&](const lanes::BatchJob& job) {
            made.push_back(job.index);
            most = std::max(most, ++put - trained.size());
        },
        [&] {
            const std::uint64_t newest = made.back();
            made.pop_back();
            return lanes::ImageBatch{newest, {}, {}};
        },
        [&](const lanes::ImageBatch& batch) { trained.push_back(batch.index); });
    EXPECT_EQ(trained, (std::vector<std::uint64_t>{50, 51, 52, 53, 54, 55, 56, 57, 58}));
    EXPECT_EQ(most, 3U);
}

TEST(Timeline, RefusesAPrefetchThatLeavesBatchesBehind) {
    lanes::Dataset images{xt::zeros<float>({70, 16}), xt::zeros<float>({70, 10})};
    const auto same = [](const lanes::Matrix& image, const auto&, auto&) { return image; };
    lanes::Timeline timeline(images, {16, 4, 10}, {}, same);
    timeline.record("prefetch", 4, spare::prefetch);
    EXPECT_GT(timeline.milliseconds(0), 0);
    const auto lazy = [](const auto&...) {};
    EXPECT_NE(error_of([&] { timeline.record("lazy", 4, lazy); }).find("0 of 16 batches"),
              std::string::npos);
}

}  // namespace
