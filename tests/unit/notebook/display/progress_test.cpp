#include "lanes/notebook/progress.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>
#include <vector>

namespace {

// The output is captured in a file, which is not a terminal: one line at the end.
template <class Work>
std::string text_of(Work work) {
    testing::internal::CaptureStdout();
    work();
    return testing::internal::GetCapturedStdout();
}

TEST(Progress, PrintsAtTheEndHowManyStepsWereDone) {
    EXPECT_EQ(text_of([] {
                  lanes::Progress progress("training", 3);
                  for (int i = 0; i < 3; ++i) progress.advance();
              }),
              "training: 3 of 3\n");
    EXPECT_EQ(text_of([] {
                  lanes::Progress progress("training", 10);
                  progress.at(4);
                  progress.advance(2);
              }),
              "training: 6 of 10\n");
}

TEST(Progress, DoneClosesItOnce) {
    EXPECT_EQ(text_of([] {
                  lanes::Progress progress("training", 5);
                  progress.at(5);
                  progress.done("above 95 %");
                  progress.done("again");
                  progress.advance();
              }),
              "training: 5 of 5, above 95 %\n");
}

TEST(Progress, AnExceptionMarksItAsStopped) {
    EXPECT_EQ(text_of([] {
                  try {
                      lanes::Progress progress("training", 5);
                      progress.advance();
                      throw std::runtime_error("no");
                  } catch (const std::runtime_error&) {
                  }
              }),
              "training: 1 of 5, stopped\n");
}

TEST(Progress, AnExceptionThatWasAlreadyInFlightDoesNotStopIt) {
    struct InDestructor {
        ~InDestructor() {
            lanes::Progress progress("tidy up", 1);
            progress.advance();
        }
    };
    EXPECT_EQ(text_of([] {
                  try {
                      const InDestructor one;
                      throw std::runtime_error("no");
                  } catch (const std::runtime_error&) {
                  }
              }),
              "tidy up: 1 of 1\n");
}

TEST(Progress, AddsTheStepsOfAllThreads) {
    EXPECT_EQ(text_of([] {
                  lanes::Progress progress("work", 4000);
                  std::vector<std::thread> threads;
                  for (int t = 0; t < 4; ++t)
                      threads.emplace_back([&] {
                          for (int i = 0; i < 1000; ++i) progress.advance();
                      });
                  for (std::thread& thread : threads) thread.join();
              }),
              "work: 4000 of 4000\n");
}

TEST(Progress, CanBeMoved) {
    EXPECT_EQ(text_of([] {
                  lanes::Progress first("a", 1);
                  lanes::Progress second = std::move(first);
                  second.advance();
              }),
              "a: 1 of 1\n");
}

TEST(Progress, ATotalOfZeroIsComplete) {
    EXPECT_EQ(text_of([] { lanes::Progress progress("nothing", 0); }), "nothing: 0 of 0\n");
}

}  // namespace
