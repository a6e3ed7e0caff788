// The library's own functions pass the checks. Students' answers, right and wrong, are in
// exercises/NAME/answers.txt. Here no Jupyter kernel reports which names an answer uses.
#include "lanes/exercises.hpp"

#include "lanes/array.hpp"
#include "lanes/mlp/sigmoid.hpp"
#include "lanes/ops.hpp"
#include "lanes/parallel/pipe_queue.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <new>
#include <stdexcept>

namespace {

lanes::Matrix sigmoid(const lanes::Matrix& x) { return lanes::sigmoid(x); }
lanes::Matrix sigmoid_prime(const lanes::Matrix& x) { return lanes::sigmoid_prime(x); }
lanes::Weights<float> random_weights(const lanes::Sizes& sizes, lanes::Rng& rng) {
    return lanes::random_weights(sizes, rng);
}

template <class F>
std::string printed(F&& f) {
    testing::internal::CaptureStdout();
    f();
    return testing::internal::GetCapturedStdout();
}

TEST(Exercises, TheFunctionsOfANetworkPass) {
    namespace e = lanes::exercises;
    EXPECT_EQ(printed([] { e::sigmoid().check(sigmoid); }), "sigmoid: passed, 8 cases.\n");
    EXPECT_EQ(printed([] { e::sigmoid_prime().check(sigmoid_prime); }),
              "sigmoid_prime: passed, 8 cases.\n");
    EXPECT_EQ(printed([] { e::random_weights().check(random_weights); }),
              "random_weights: passed, 6 cases.\n");
    EXPECT_EQ(printed([] { e::zeros_weights().check(lanes::zeros_weights<float>); }),
              "zeros_weights: passed, 5 cases.\n");
    EXPECT_EQ(printed([] { e::zeros_biases().check(lanes::zeros_biases<float>); }),
              "zeros_biases: passed, 5 cases.\n");
    EXPECT_EQ(printed([] { e::create_batches().check(lanes::create_batches<float>); }),
              "create_batches: passed, 9 cases.\n");
    EXPECT_EQ(printed([] {
                  e::add_elementwise().check(lanes::add_elementwise<lanes::Matrix>,
                                             lanes::add_elementwise<lanes::Vector>);
              }),
              "add_elementwise: passed, 12 cases.\n");
}

TEST(Exercises, ALambdaWithoutCapturesIsAnAnswerToo) {
    EXPECT_NO_THROW(lanes::exercises::sigmoid().check(
        [](const lanes::Matrix& x) { return lanes::sigmoid(x); }));
}

using Integers = xt::xtensor<int, 2>;

TEST(Exercises, MaxAndProductsPass) {
    namespace e = lanes::exercises;
    EXPECT_EQ(printed([] {
                  e::max_plain().check(
                      [](const Integers& a, const Integers& b) { return lanes::max_plain(a, b); });
              }),
              "max_plain: passed, 9 cases.\n");
    EXPECT_EQ(printed([] {
                  e::max_fast().check(
                      [](const Integers& a, const Integers& b) { return lanes::max_fast(a, b); });
              }),
              "max_fast: passed, 9 cases.\n");
    EXPECT_EQ(printed([] { e::matmul().check(lanes::matmul); }), "matmul: passed, 8 cases.\n");
    EXPECT_EQ(printed([] { e::matmul_transpose_plain().check(lanes::matmul_transpose_plain); }),
              "matmul_transpose_plain: passed, 10 cases.\n");
    EXPECT_EQ(printed([] {
                  e::matmul_transpose_gpu().check([](const lanes::Matrix& x) {
                      return lanes::run_matmul_transpose_gpu(x, lanes::Device::best(), 1).result;
                  });
              }),
              "matmul_transpose_gpu: passed, 7 cases.\n");
}

std::string words_of(void (*check)()) {
    try {
        check();
    } catch (const lanes::CheckFailed& failed) {
        return failed.what();
    }
    return "passed";
}

TEST(Exercises, FiltersPass) {
    namespace e = lanes::exercises;
    using lanes::Matrix;
    EXPECT_EQ(printed([] { e::correlation_plain().check(lanes::correlation_plain); }),
              "correlation_plain: passed, 12 cases.\n");
    EXPECT_EQ(printed([] {
                  e::correlation_fast().check([](const Matrix& f, const Matrix& x) {
                      return lanes::correlation_fast(f, x);
                  });
              }),
              "correlation_fast: passed, 12 cases.\n");
    EXPECT_EQ(printed([] {
                  e::correlation_gpu().check([](const Matrix& f, const Matrix& x) {
                      return lanes::run_correlation_gpu(f, x, lanes::Device::best(), 1).result;
                  });
              }),
              "correlation_gpu: passed, 7 cases.\n");
    EXPECT_EQ(printed([] {
                  e::sobel_operator().check(
                      [](const Matrix& f, const Matrix& x) { return lanes::sobel_operator(f, x); });
              }),
              "sobel_operator: passed, 15 cases.\n");
}

std::shared_ptr<std::atomic<long>> shared_counter() {
    void* memory = mmap(nullptr, sizeof(std::atomic<long>), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    return {new (memory) std::atomic<long>(0),
            [](auto* counter) { munmap(counter, sizeof *counter); }};
}

// The library's queue with a mistake added.
class Hanging : public lanes::PipeQueue<std::string> {
public:
    std::string get() override {
        for (;;) pause();
    }
};
class Crashing : public lanes::PipeQueue<std::string> {
public:
    void put(const std::string&) override { raise(SIGKILL); }
};
class Throwing : public lanes::PipeQueue<std::string> {
public:
    std::string get() override { throw std::runtime_error("no such message"); }
};

template <class Q>
std::string words_about() {
    return words_of([] {
        lanes::exercises::my_queue().check(
            []() -> std::shared_ptr<lanes::Queue<std::string>> { return std::make_shared<Q>(); });
    });
}

TEST(Exercises, QueuesThatHangCrashOrThrowLeaveNoProcess) {
    namespace e = lanes::exercises;
    EXPECT_EQ(printed([] { e::shared_counter().check(shared_counter); }),
              "shared_counter: passed, 6 cases.\n");
    EXPECT_EQ(printed([] { words_about<lanes::PipeQueue<std::string>>(); }),
              "my_queue: passed, 8 cases.\n");
    EXPECT_NE(words_about<Hanging>().find("get after a put of 5 bytes: it does not come back"),
              std::string::npos);
    EXPECT_NE(words_about<Crashing>().find(
                  "put of 5 bytes: the process of the check ended by signal 9 (Killed)"),
              std::string::npos);
    EXPECT_NE(words_about<Throwing>().find("std::runtime_error\n  no such message"),
              std::string::npos);
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a child that runs or was not waited for";
}

TEST(Exercises, EachHasANameATaskAndASize) {
    EXPECT_EQ(lanes::exercises::create_batches().name(), "create_batches");
    EXPECT_EQ(lanes::exercises::sigmoid().size_hint(), "one line");
    EXPECT_NE(lanes::exercises::sigmoid_prime().task().find("x is z"), std::string::npos);
}

TEST(Exercises, AugmentationPasses) {
    namespace e = lanes::exercises;
    EXPECT_EQ(printed([] {
                  e::shift().check([](const lanes::Matrix& x, int dx, int dy) {
                      return lanes::shift(x, dx, dy);
                  });
              }),
              "shift: passed, 11 cases.\n");
    EXPECT_EQ(printed([] {
                  e::skew().check(
                      [](const lanes::Matrix& x, double tilt) { return lanes::skew(x, tilt); });
              }),
              "skew: passed, 9 cases.\n");
    EXPECT_EQ(printed([] {
                  e::rotate().check([](const lanes::Matrix& x, double degrees) {
                      return lanes::rotate(x, degrees);
                  });
              }),
              "rotate: passed, 9 cases.\n");
    EXPECT_EQ(printed([] { e::add_noise().check(lanes::add_noise); }),
              "add_noise: passed, 8 cases.\n");
    EXPECT_EQ(printed([] { e::process_image().check(lanes::process_image); }),
              "process_image: passed, 6 cases.\n");
}

}  // namespace
