#include "lanes/lesson/step_times.hpp"

#include "lanes/gpu/trace.hpp"
#include "lanes/nn/losses.hpp"
#include "lanes/tensor/ops.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace {

using lanes::Device;
using lanes::StepMachine;
namespace spare = lanes::spare;

std::string shown(const std::function<void()>& show) {
    testing::internal::CaptureStdout();
    show();
    return testing::internal::GetCapturedStdout();
}

TEST(StepTimes, OperationsAndBytesOfOneLayerAreCountedByHand) {
    // 2 samples, 5 inputs, 3 outputs: forward and the gradient of the weights
    EXPECT_EQ(spare::step_flop({5, 3}, 2), 2 * (2.0 * 2 * 5 * 3));
    EXPECT_EQ(spare::step_bytes({5, 3}, 2), 4.0 * (5 * 15 + 2 * 2 * 8));
    // a second layer has a gradient of its input, too
    EXPECT_EQ(spare::step_flop({5, 3, 4}, 2) - spare::step_flop({5, 3}, 2), 3 * (2.0 * 2 * 3 * 4));
    EXPECT_EQ(spare::step_bytes({5, 3, 4}, 2) - spare::step_bytes({5, 3}, 2),
              4.0 * (6 * 12 + 3 * 2 * 7));
}

TEST(StepTimes, EachTermCounts) {
    const double infinite = std::numeric_limits<double>::infinity();
    const StepMachine nothing{0, infinite, infinite, infinite};
    StepMachine machine = nothing;
    EXPECT_EQ(spare::step_seconds(machine, {5, 3}, 2), 0);
    machine.latency = 1;
    EXPECT_EQ(spare::step_seconds(machine, {5, 3}, 2), 10);
    machine = nothing, machine.copies = 4;
    EXPECT_EQ(spare::step_seconds(machine, {5, 3}, 2), 2 * 6);
    machine = nothing, machine.memory = 1;
    EXPECT_EQ(spare::step_seconds(machine, {5, 3}, 2), spare::step_bytes({5, 3}, 2));
    machine = nothing, machine.flops = 1;
    EXPECT_EQ(spare::step_seconds(machine, {5, 3}, 2), spare::step_flop({5, 3}, 2));
}

// A product of 2 * 2 * 5 * 3 operations, forward and backward.
TEST(StepTimes, FewOperationsAreSharedByFewCores) {
    const double infinite = std::numeric_limits<double>::infinity();
    const auto seconds = [&](double per_core) {
        return spare::step_seconds({0, infinite, infinite, 1, 8, per_core}, {5, 3}, 2);
    };
    EXPECT_EQ(seconds(1), 120);       // all of 8 cores
    EXPECT_EQ(seconds(15), 120 * 2);  // four
    EXPECT_EQ(seconds(1000), 120 * 8);
}

TEST(StepTimes, AStepCopiesItsImagesAndLabelsAndNothingBack) {
    lanes::TracedStep step(Device::simulator());
    const lanes::LaunchTrace trace;
    step();
    std::size_t bytes = 0;
    for (const lanes::TracedCopy& copy : trace.copies()) {
        EXPECT_TRUE(copy.to_device);
        bytes += copy.bytes;
    }
    EXPECT_EQ(bytes, 8 * 785 * 4);
    EXPECT_EQ(step.parameters().size(), 4);
}

TEST(StepTimes, PhasesCountLaunchesAndLayersAddFour) {
    const lanes::StepPhases phases(Device::simulator());
    EXPECT_EQ(phases.launches(), 14);
    EXPECT_EQ(phases.bytes(), 64 * 785 * 4 + 16 + 4);
    const std::string table = shown([&] { phases.show_launches_by_layers(); });
    EXPECT_NE(table.find("6-5-4           2          12           2"), std::string::npos) << table;
    EXPECT_NE(table.find("6-5-5-4           3          16           2"), std::string::npos)
        << table;
}

}  // namespace
