// That right answers pass and wrong ones do not. No Jupyter kernel is here that would know which
// names an answer uses.
#include "lanes/exercises.hpp"

#include "lanes/array.hpp"
#include "lanes/nn/sigmoid.hpp"
#include "lanes/ops.hpp"
#include "lanes/parallel/pipe_queue.hpp"

#include <xtensor/xmanipulation.hpp>

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

TEST(Exercises, right_answers_pass) {
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

TEST(Exercises, a_lambda_without_captures_is_an_answer_too) {
    EXPECT_NO_THROW(lanes::exercises::sigmoid().check(
        [](const lanes::Matrix& x) { return lanes::sigmoid(x); }));
}

TEST(Exercises, wrong_answers_do_not) {
    namespace e = lanes::exercises;
    EXPECT_THROW(e::sigmoid().check(sigmoid_prime), lanes::CheckFailed);
    EXPECT_THROW(e::sigmoid_prime().check(sigmoid), lanes::CheckFailed);
    EXPECT_THROW(e::random_weights().check([](const lanes::Sizes& sizes, lanes::Rng&) {
        return lanes::zeros_weights<float>(sizes);
    }),
                 lanes::CheckFailed);
    EXPECT_THROW(e::zeros_weights().check([](const lanes::Sizes& sizes) {
        lanes::Rng rng(1);
        return lanes::random_weights(sizes, rng);
    }),
                 lanes::CheckFailed);
}

using Integers = xt::xtensor<int, 2>;

TEST(Exercises, right_loops_pass) {
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

TEST(Exercises, wrong_loops_and_launches_do_not) {
    namespace e = lanes::exercises;
    EXPECT_NE(words_of([] {
                  e::max_plain().check([](const Integers& a, const Integers&) { return a; });
              }).find("b is never looked at"),
              std::string::npos);
    EXPECT_NE(words_of([] {
                  e::matmul().check([](const lanes::Matrix& a, const lanes::Matrix& b) {
                      return lanes::matmul(b, a);
                  });
              }).find("threw lanes::Error"),
              std::string::npos);
    EXPECT_NE(
        words_of([] {
            e::max_gpu().check([](const Integers& a, const Integers& b) {
                return lanes::run_max_gpu(a, b, lanes::Device::best(), 1).result;
            });
        }).find("max_v1 was launched as <<<3, 5>>>, the assignment asks for <<<1000, 1000>>>"),
        std::string::npos);
    EXPECT_NE(words_of([] {
                  e::matmul_transpose_gpu().check(lanes::matmul_transpose_plain);
              }).find("no CUDA kernel was launched"),
              std::string::npos);
    EXPECT_NE(words_of([] {
                  e::accuracy().check(lanes::NeuralNetwork({784, 10}));
              }).find("sigmoid has not passed its check"),
              std::string::npos);
}

TEST(Exercises, right_filters_pass_and_wrong_ones_do_not) {
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
    EXPECT_NE(words_of([] {
                  e::correlation_gpu().check([](const Matrix& f, const Matrix& x) {
                      return lanes::run_correlation_gpu(f, x, lanes::Device::best(), 2).result;
                  });
              }).find("one block a row and one thread a column are <<<4, 6>>>"),
              std::string::npos);
    EXPECT_NE(words_of([] {
                  e::correlation_plain().check([](const Matrix& f, const Matrix& x) {
                      return lanes::correlation_plain(Matrix(xt::flip(xt::flip(f, 0), 1)), x);
                  });
              }).find("This is a convolution"),
              std::string::npos);
    EXPECT_NE(words_of([] {
                  e::sobel_operator().check(lanes::correlation_plain);
              }).find("This is gx alone"),
              std::string::npos);
}

std::shared_ptr<std::atomic<long>> shared_counter() {
    void* memory = mmap(nullptr, sizeof(std::atomic<long>), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return {new (memory) std::atomic<long>(0),
            [](auto* counter) { munmap(counter, sizeof *counter); }};
}

// The library's queue, with something done wrong around it.
class Wrong : public lanes::PipeQueue<std::string> {
public:
    std::size_t length() const override { return 0; }
};
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

TEST(Exercises, queues_are_checked_in_processes_that_go_away) {
    namespace e = lanes::exercises;
    EXPECT_EQ(printed([] { e::shared_counter().check(shared_counter); }),
              "shared_counter: passed, 5 cases.\n");
    EXPECT_NE(words_of([] {
                  e::shared_counter().check([] { return std::make_shared<std::atomic<long>>(0); });
              }).find("MAP_SHARED"),
              std::string::npos);
    EXPECT_EQ(printed([] { words_about<lanes::PipeQueue<std::string>>(); }),
              "my_queue: passed, 8 cases.\n");
    EXPECT_NE(words_about<Wrong>().find("put counts each message once"), std::string::npos);
    EXPECT_NE(words_about<Hanging>().find("get after a put of 5 bytes: it does not come back"),
              std::string::npos);
    EXPECT_NE(words_about<Crashing>().find(
                  "put of 5 bytes: the process of the check ended by signal 9 (Killed)"),
              std::string::npos);
    EXPECT_NE(words_about<Throwing>().find("std::runtime_error\n  no such message"),
              std::string::npos);
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a child that runs or was not waited for";
}

TEST(Exercises, each_says_what_it_asks_for) {
    EXPECT_EQ(lanes::exercises::create_batches().name(), "create_batches");
    EXPECT_EQ(lanes::exercises::sigmoid().size_hint(), "one line");
    EXPECT_NE(lanes::exercises::sigmoid_prime().task().find("x is z"), std::string::npos);
}

TEST(Exercises, right_augmentation_passes) {
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

TEST(Exercises, wrong_augmentation_does_not) {
    namespace e = lanes::exercises;
    EXPECT_THROW(e::shift().check([](const lanes::Matrix& x, int dx, int dy) {
        return lanes::shift(x, -dx, dy);
    }),
                 lanes::CheckFailed);
    EXPECT_THROW(
        e::skew().check([](const lanes::Matrix& x, double tilt) { return lanes::skew(x, -tilt); }),
        lanes::CheckFailed);
    EXPECT_THROW(e::rotate().check([](const lanes::Matrix& x, double degrees) {
        return lanes::rotate(x, -degrees);
    }),
                 lanes::CheckFailed);
    EXPECT_THROW(
        e::add_noise().check([](const lanes::Matrix& x, double, lanes::Rng&) { return x; }),
        lanes::CheckFailed);
    EXPECT_THROW(
        e::process_image().check([](const lanes::Matrix& x, const lanes::AugmentationBounds&,
                                    lanes::Rng&) { return x; }),
        lanes::CheckFailed);
}

}  // namespace
