#include "lanes/lesson/queue_times.hpp"

#include "lanes/parallel/pipe_queue.hpp"

#include "../error_of.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <string>

namespace {

using lanes_test::error_of;

std::string printed(const std::function<void()>& call) {
    testing::internal::CaptureStdout();
    call();
    return testing::internal::GetCapturedStdout();
}

std::shared_ptr<lanes::Queue<std::string>> pipe_queue() {
    return std::make_shared<lanes::PipeQueue<std::string>>();
}

TEST(QueueTimes, WritersWithoutALockMixTheirMessages) {
    const auto put = [](int fd, const std::string& bytes) {
        for (std::size_t at = 0; at < bytes.size(); at += 1000) {
            lanes::spare::write_all(fd, bytes.data() + at,
                                    std::min<std::size_t>(1000, bytes.size() - at));
            if (bytes.size() > 1) usleep(10);
        }
    };
    const std::string mixed = printed([&] { lanes::show_writers("no lock", put); });
    EXPECT_NE(mixed.find("Is every message whole? no"), std::string::npos) << mixed;
    const std::string whole =
        printed([&] { lanes::show_writers("a lock", lanes::spare::put_in_turn); });
    EXPECT_NE(whole.find("Is every message whole? yes"), std::string::npos) << whole;
}

TEST(QueueTimes, AWriterThatDiesIsReported) {
    const auto put = [](int, const std::string& bytes) {
        if (bytes.size() > 1) throw std::runtime_error("it is broken");
    };
    EXPECT_NE(error_of([&] { lanes::show_writers("broken", put); }).find("it is broken"),
              std::string::npos);
}

TEST(QueueTimes, RoundTripsAreSortedAndShownByTheGivenFunction) {
    const auto there = pipe_queue(), back = pipe_queue();
    const auto times = lanes::round_trips(*there, *back);
    ASSERT_FALSE(times.empty());
    EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
    const std::string text = printed([&] {
        lanes::show_percentiles({{"a queue", times}},
                                [](const std::vector<double>&, double p) { return p + 1; });
    });
    EXPECT_NE(text.find("51 µs"), std::string::npos) << text;
    EXPECT_NE(text.find("100 µs"), std::string::npos) << text;
}

TEST(QueueTimes, TrainingsThroughAnyQueueEndWithTheSameWeights) {
    const lanes::QueueTrainings trainings(pipe_queue(), 1);
    EXPECT_TRUE(trainings.same_weights());
    const std::string text = printed([&] { trainings.show(); });
    EXPECT_NE(text.find("your queue"), std::string::npos) << text;
}

}  // namespace
