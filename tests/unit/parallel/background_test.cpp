#include "parallel/background.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <thread>

namespace {

TEST(Background, LowersThePriorityOfTheCallingThreadOnly) {
    const int own = getpriority(PRIO_PROCESS, 0), own_class = sched_getscheduler(0);
    int niceness = -100, its_class = -1;
    std::thread([&] {
        lanes::work_in_background();
        niceness = getpriority(PRIO_PROCESS, 0);
        its_class = sched_getscheduler(0);
    }).join();
    EXPECT_EQ(niceness, std::min(own + 5, 19));
    EXPECT_EQ(its_class, SCHED_BATCH);
    EXPECT_EQ(getpriority(PRIO_PROCESS, 0), own);
    EXPECT_EQ(sched_getscheduler(0), own_class);
}

}  // namespace
