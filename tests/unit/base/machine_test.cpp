#include "lanes/base/machine.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <regex>
#include <string>
#include <utility>
#include <vector>

namespace {

TEST(Machine, IsUnattendedLooksAtThreeVariables) {
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
    const std::regex shape(
        R"([0-9]+ cores?, (x86-64|aarch64)( \([^)].*\))?, (CUDA simulator|NVIDIA .*))");
    EXPECT_TRUE(std::regex_match(lanes::machine_line(), shape)) << lanes::machine_line();
    EXPECT_EQ(lanes::machine_line().find(lanes::cpu_line() + ", "), 0u);
}

TEST(Machine, TheCpuHasTheNameThatTheSystemGivesIt) {
    std::ifstream file("/proc/cpuinfo");
    std::string name;
    for (std::string line; std::getline(file, line);) {
        if (line.rfind("model name", 0) == 0) name = line.substr(line.find(':') + 2);
        if (line.rfind("CPU part", 0) == 0 && line.find("0xd40") != std::string::npos)
            name = "Neoverse V1";
        if (!name.empty()) break;
    }
    if (name.empty()) GTEST_SKIP() << "this system does not name its CPU";
    EXPECT_NE(lanes::cpu_line().find(name), std::string::npos) << lanes::cpu_line();
}

}  // namespace
