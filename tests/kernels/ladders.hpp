// Shared by the tests of the ladders: random inputs, and a device with a program for each file. The
// simulator runs with all its checks and three schedules, so that a race, an access out of bounds
// or a read of uninitialised memory is a failure. A GPU is used if there is one.
#pragma once

#include "lanes/base/rng.hpp"
#include "lanes/gpu.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace lanes {

class Ladder : public testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        if (GetParam() == "gpu" && !Device::has_gpu()) GTEST_SKIP() << Device::why_no_gpu();
    }
    static Device device() { return GetParam() == "gpu" ? Device::gpu() : Device::simulator(); }

    // Compiled once for all tests of a device.
    static const Program& program(const std::string& file) {
        static std::map<std::string, Program> programs;
        const std::string key = GetParam() + file;
        auto found = programs.find(key);
        if (found == programs.end())
            found = programs.emplace(key, Program::from_file(device(), file)).first;
        return found->second;
    }

    std::vector<float> uniform(std::size_t count) {
        std::vector<float> values(count);
        for (float& value : values) value = static_cast<float>(rng_.uniform(-1, 1));
        return values;
    }

    Rng rng_{20240229};
};

// Compares the worst element of a result with sums in double of `terms` products of numbers below
// 1.
inline void expect_near(const std::vector<float>& result, const std::vector<double>& expected,
                        int terms, const std::string& what) {
    ASSERT_EQ(result.size(), expected.size()) << what;
    std::size_t worst = 0;
    double difference = -1;
    for (std::size_t i = 0; i < result.size(); ++i) {
        const double here = std::abs(result[i] - expected[i]);
        if (!(here <= difference)) difference = here, worst = i;  // NaN is the worst
        if (std::isnan(here)) break;
    }
    EXPECT_LE(difference, 1e-6 * terms) << what << ": element " << worst << " is " << result[worst]
                                        << " instead of " << expected[worst];
}

inline int ceil_div(int a, int b) { return (a + b - 1) / b; }

}  // namespace lanes

#define INSTANTIATE_LADDER(Suite)                                                 \
    INSTANTIATE_TEST_SUITE_P(Devices, Suite, testing::Values("simulator", "gpu"), \
                             [](const auto& info) { return info.param; })
