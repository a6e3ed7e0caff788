#include "lanes/base/workers.hpp"

#include "lanes/base/error.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>

namespace {

// Sets SLURM_CPUS_PER_TASK for one test and puts the old value back.
class Workers : public testing::Test {
protected:
    void SetUp() override {
        if (const char* value = std::getenv(name)) before_ = value;
        unsetenv(name);
    }
    void TearDown() override { before_ ? setenv(name, before_->c_str(), 1) : unsetenv(name); }

    static constexpr const char* name = "SLURM_CPUS_PER_TASK";
    std::optional<std::string> before_;
};

TEST_F(Workers, ARequestComesFirst) {
    setenv(name, "7", 1);
    EXPECT_EQ(lanes::num_workers(3), 3);
    EXPECT_EQ(lanes::num_workers(1), 1);
}

TEST_F(Workers, ThenSlurm) {
    setenv(name, "7", 1);
    EXPECT_EQ(lanes::num_workers(), 7);
    setenv(name, "1", 1);
    EXPECT_EQ(lanes::num_workers(), 1);
}

TEST_F(Workers, AnEmptyVariableCountsAsNone) {
    const int machine = lanes::num_workers();
    setenv(name, "", 1);
    EXPECT_EQ(lanes::num_workers(), machine);
}

TEST_F(Workers, ThenTheCoresOfThisProcessButAtLeastTwo) {
    cpu_set_t all, one;
    ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
    EXPECT_LE(lanes::num_cores(), CPU_COUNT(&all));  // a cgroup may give less time
    EXPECT_EQ(lanes::num_workers(), std::max(2, lanes::num_cores()));

    int first = 0;
    while (!CPU_ISSET(first, &all)) ++first;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_EQ(lanes::num_cores(), 1);
    EXPECT_EQ(lanes::num_workers(), 2);
    ASSERT_EQ(sched_setaffinity(0, sizeof all, &all), 0);
}

TEST_F(Workers, NonsenseIsRefused) {
    EXPECT_THROW(lanes::num_workers(-1), lanes::Error);
    for (const char* value : {"abc", "4x", "0", "-2", "99999999999999999999"}) {
        setenv(name, value, 1);
        EXPECT_THROW(lanes::num_workers(), lanes::Error) << value;
    }
}

}  // namespace
