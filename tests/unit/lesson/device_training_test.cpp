#include "lanes/lesson/device_training.hpp"

#include "lanes/base/error.hpp"
#include "lanes/base/not_filled_in.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using lanes::Device;
using lanes::FreeMemory;

TEST(FreeMemory, IsThatOfGpusOnly) {
    EXPECT_EQ(FreeMemory::of_gpus().empty(), !Device::has_gpu());
    for (const FreeMemory& gpu : FreeMemory::of_gpus()) EXPECT_GT(gpu.bytes, 0) << gpu.device;
}

TEST(FreeMemory, AnAnswerChoosesTheDevice) {
    const auto simulator = [](const std::vector<FreeMemory>&, double needed) {
        return std::string(needed == 7 ? "simulator" : "cpu");
    };
    EXPECT_TRUE(FreeMemory::device_by(simulator, 7).is_simulator());
    EXPECT_TRUE(FreeMemory::device_by(simulator, 8).is_cpu());
    const auto empty = [](const std::vector<FreeMemory>&, double) -> std::string {
        throw lanes::NotFilledIn("Fill in choose_device: seven lines.");
    };
    EXPECT_TRUE(FreeMemory::device_by(empty, 1e30).is_cpu());
}

TEST(ChooseDevice, TakesTheMostMemoryThatIsEnough) {
    using lanes::spare::choose_device;
    const std::vector<FreeMemory> gpus{{"cuda:0", 2}, {"cuda:1", 5}, {"cuda:2", 5}};
    EXPECT_EQ(choose_device(gpus, 5), "cuda:1");
    EXPECT_EQ(choose_device(gpus, 5.5), "cpu");
    EXPECT_EQ(choose_device({}, 1), "cpu");
}

TEST(ShowCopies, GivesASizeOfTheTable) {
    testing::internal::CaptureStdout();
    const double kilobytes = lanes::show_copies("08_gpu_training/copies");
    const std::string shown = testing::internal::GetCapturedStdout();
    EXPECT_NE(shown.find("pinned bandwidth"), std::string::npos) << shown;
    if (!Device::has_gpu()) EXPECT_EQ(kilobytes, 1024);  // of the recorded table
    EXPECT_GE(kilobytes, 4);
}

TEST(FashionTask, IsTrainedByTheLibraryWithoutAnAnswer) {
    lanes::FashionTask task;
    const auto empty = [](auto&, auto&, auto&, int, const Device&) -> std::vector<double> {
        throw lanes::NotFilledIn("Fill in train_on: eight lines.");
    };
    testing::internal::CaptureStdout();
    const std::vector<double> accuracies = task.show_training(empty, 2, Device::cpu());
    const std::string shown = testing::internal::GetCapturedStdout();
    EXPECT_NE(shown.find("train_on is not filled in yet"), std::string::npos) << shown;
    EXPECT_NE(shown.find("trained on cpu"), std::string::npos) << shown;
    ASSERT_EQ(accuracies.size(), 2u);
    EXPECT_GT(accuracies.back(), 0.7);
    testing::internal::CaptureStdout();
    EXPECT_GT(task.show_test(lanes::spare::accuracy_on, Device::cpu()), 0.7);
    EXPECT_NE(testing::internal::GetCapturedStdout().find("test accuracy"), std::string::npos);
}

TEST(FashionTask, AsksForOneAccuracyPerEpoch) {
    lanes::FashionTask task;
    const auto none = [](auto&, auto&, auto&, int, const Device&) { return std::vector<double>(); };
    EXPECT_THROW(task.show_training(none, 1, Device::cpu()), lanes::Error);
}

}  // namespace
