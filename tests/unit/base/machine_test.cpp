#include "lanes/base/machine.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>
#include <string>
#include <utility>
#include <vector>

namespace {

TEST(Machine, InCiLooksAtThreeVariables) {
    const char* const names[] = {"CI", "NBGRADER_EXECUTION", "PYTEST_CURRENT_TEST"};
    std::vector<std::pair<const char*, std::string>> before;
    for (const char* name : names) {
        if (const char* value = std::getenv(name)) before.emplace_back(name, value);
        unsetenv(name);
    }
    EXPECT_FALSE(lanes::is_unattended());
    for (const char* name : names) {
        setenv(name, "1", 1);
        EXPECT_TRUE(lanes::is_unattended()) << name;
        unsetenv(name);
    }
    for (const auto& [name, value] : before) setenv(name, value.c_str(), 1);
}

TEST(Machine, LineNamesCoresProcessorAndDevice) {
    const std::regex shape("[0-9]+ cores?, (x86-64|aarch64), (CUDA simulator|NVIDIA .*)");
    EXPECT_TRUE(std::regex_match(lanes::machine_line(), shape)) << lanes::machine_line();
}

}  // namespace
