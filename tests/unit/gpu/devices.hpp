// The devices that the tests of this module run on: always the simulator, and a GPU if there is
// one.
#pragma once

#include "error_of.hpp"
#include "lanes/gpu.hpp"

#include <gtest/gtest.h>

#include <string>

namespace lanes {

// One test per device: INSTANTIATE_ON_DEVICES(Suite). Without a GPU its half is skipped, with the
// reason.
class OnDevice : public testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        if (GetParam() == "gpu" && !Device::has_gpu()) GTEST_SKIP() << Device::why_no_gpu();
    }
    static Device device() { return GetParam() == "gpu" ? Device::gpu() : Device::simulator(); }
};

// A test that needs a GPU.
class OnGpu : public testing::Test {
protected:
    void SetUp() override {
        if (!Device::has_gpu()) GTEST_SKIP() << Device::why_no_gpu();
    }
};

using lanes_test::error_of;

}  // namespace lanes

#define INSTANTIATE_ON_DEVICES(Suite)                                             \
    INSTANTIATE_TEST_SUITE_P(Devices, Suite, testing::Values("simulator", "gpu"), \
                             [](const auto& info) { return info.param; })
