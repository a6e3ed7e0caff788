// Each test runs on the CPU, on the simulator with all checks, and on a GPU if there is one.
#pragma once

#include "error_of.hpp"
#include "lanes/tensor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace lanes {

using lanes_test::error_of;

inline void skip_without_gpu(const std::string& device) {
    if (device == "cuda:0" && !Device::has_gpu()) GTEST_SKIP() << Device::why_no_gpu();
}

class OnEachDevice : public testing::TestWithParam<std::string> {
protected:
    void SetUp() override { skip_without_gpu(GetParam()); }
    static Device device() { return GetParam(); }
};

inline std::string test_name(std::string text) {
    std::replace(text.begin(), text.end(), ':', '_');
    return text;
}

inline auto device_names() { return testing::Values("cpu", "simulator", "cuda:0"); }

}  // namespace lanes

#define INSTANTIATE_ON_EACH_DEVICE(Suite)                    \
    INSTANTIATE_TEST_SUITE_P(Devices, Suite, device_names(), \
                             [](const auto& info) { return test_name(info.param); })
