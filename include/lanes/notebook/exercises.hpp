// The exercises of the notebooks. Each takes the function that it asks for, as a plain function: of
// several overloads the right one is picked, and an answer of another type is told so in one
// sentence.
//
//   lanes::exercises::create_batches().show();
//   lanes::exercises::create_batches().check(create_batches);
#pragma once

#include "lanes/data/worker.hpp"
#include "lanes/nn/network.hpp"
#include "lanes/notebook/exercise.hpp"
#include "lanes/parallel/queue.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace lanes::exercises {

template <class>
constexpr bool never = false;

// NOLINTBEGIN(bugprone-macro-parentheses): types and strings
#define LANES_EXERCISE(TYPE, NAME, SIGNATURE, RESULT, ...)                                         \
    class TYPE : public Exercise {                                                                 \
    public:                                                                                        \
        using Answer = RESULT (*)(__VA_ARGS__);                                                    \
        TYPE();                                                                                    \
        void check(Answer answer) const;                                                           \
        template <class Other, std::enable_if_t<!std::is_convertible_v<Other&&, Answer>, int> = 0> \
        void check(Other&&) const {                                                                \
            static_assert(never<Other>, #NAME                                                      \
                          ": your function has another type. Its first line must be " SIGNATURE    \
                          ", then the check can call it.");                                        \
        }                                                                                          \
    };                                                                                             \
    inline TYPE NAME() { return {}; }
// NOLINTEND(bugprone-macro-parentheses)

// 01_mlp: the seven functions of the sheet
LANES_EXERCISE(Sigmoid, sigmoid, "lanes::Matrix sigmoid(const lanes::Matrix& x)", Matrix,
               const Matrix&)
LANES_EXERCISE(SigmoidPrime, sigmoid_prime, "lanes::Matrix sigmoid_prime(const lanes::Matrix& x)",
               Matrix, const Matrix&)
LANES_EXERCISE(RandomWeights, random_weights,
               "lanes::Weights<float> random_weights(const lanes::Sizes& sizes, lanes::Rng& rng)",
               Weights<float>, const Sizes&, Rng&)
LANES_EXERCISE(ZerosWeights, zeros_weights,
               "lanes::Weights<float> zeros_weights(const lanes::Sizes& sizes)", Weights<float>,
               const Sizes&)
LANES_EXERCISE(ZerosBiases, zeros_biases,
               "lanes::Biases<float> zeros_biases(const lanes::Sizes& sizes)", Biases<float>,
               const Sizes&)
LANES_EXERCISE(CreateBatches, create_batches,
               "std::vector<lanes::Dataset> create_batches(const lanes::Matrix& data, const "
               "lanes::Matrix& labels, std::size_t batch_size)",
               std::vector<Dataset>, const Matrix&, const Matrix&, std::size_t)

// 01_mlp: a matmul of one's own for the network
LANES_EXERCISE(OwnMatmul, matmul,
               "lanes::Matrix matmul(const lanes::Matrix& a, const lanes::Matrix& b)", Matrix,
               const Matrix&, const Matrix&)

// 02_elementwise_max
using Integers = xt::xtensor<int, 2>;
LANES_EXERCISE(
    MaxPlain, max_plain,
    "xt::xtensor<int, 2> max_plain(const xt::xtensor<int, 2>& a, const xt::xtensor<int, 2>& b)",
    Integers, const Integers&, const Integers&)
LANES_EXERCISE(
    MaxFast, max_fast,
    "xt::xtensor<int, 2> max_fast(const xt::xtensor<int, 2>& a, const xt::xtensor<int, 2>& b)",
    Integers, const Integers&, const Integers&)
LANES_EXERCISE(
    MaxGpu, max_gpu,
    "xt::xtensor<int, 2> max_gpu(const xt::xtensor<int, 2>& a, const xt::xtensor<int, 2>& b)",
    Integers, const Integers&, const Integers&)

// 03_matmul_transpose
LANES_EXERCISE(MatmulTransposePlain, matmul_transpose_plain,
               "lanes::Matrix matmul_transpose_plain(const lanes::Matrix& x)", Matrix,
               const Matrix&)
LANES_EXERCISE(MatmulTransposeFast, matmul_transpose_fast,
               "lanes::Matrix matmul_transpose_fast(const lanes::Matrix& x)", Matrix, const Matrix&)
LANES_EXERCISE(MatmulTransposeGpu, matmul_transpose_gpu,
               "lanes::Matrix matmul_transpose_gpu(const lanes::Matrix& x)", Matrix, const Matrix&)

// 04_augmentation
LANES_EXERCISE(Shift, shift, "lanes::Matrix shift(const lanes::Matrix& image, int dx, int dy)",
               Matrix, const Matrix&, int, int)
LANES_EXERCISE(Skew, skew, "lanes::Matrix skew(const lanes::Matrix& image, double tilt)", Matrix,
               const Matrix&, double)
LANES_EXERCISE(Rotate, rotate, "lanes::Matrix rotate(const lanes::Matrix& image, double degrees)",
               Matrix, const Matrix&, double)
LANES_EXERCISE(AddNoise, add_noise,
               "lanes::Matrix add_noise(const lanes::Matrix& image, double noise, lanes::Rng& rng)",
               Matrix, const Matrix&, double, Rng&)
LANES_EXERCISE(ProcessImage, process_image,
               "lanes::Matrix process_image(const lanes::Matrix& image, const "
               "lanes::AugmentationBounds& bounds, lanes::Rng& rng)",
               Matrix, const Matrix&, const AugmentationBounds&, Rng&)

// 05_queue: a number in memory that forked processes share, and the queue of assignment 2, which is
// given as the function that makes one
LANES_EXERCISE(SharedCounter, shared_counter, "std::shared_ptr<std::atomic<long>> shared_counter()",
               std::shared_ptr<std::atomic<long>>, void)
LANES_EXERCISE(MyQueue, my_queue, "std::shared_ptr<lanes::Queue<std::string>> my_queue()",
               std::shared_ptr<Queue<std::string>>, void)

// 06_correlation
LANES_EXERCISE(
    CorrelationPlain, correlation_plain,
    "lanes::Matrix correlation_plain(const lanes::Matrix& filter, const lanes::Matrix& image)",
    Matrix, const Matrix&, const Matrix&)
LANES_EXERCISE(
    CorrelationFast, correlation_fast,
    "lanes::Matrix correlation_fast(const lanes::Matrix& filter, const lanes::Matrix& image)",
    Matrix, const Matrix&, const Matrix&)
LANES_EXERCISE(
    CorrelationGpu, correlation_gpu,
    "lanes::Matrix correlation_gpu(const lanes::Matrix& filter, const lanes::Matrix& image)",
    Matrix, const Matrix&, const Matrix&)

// 07_sobel
LANES_EXERCISE(
    SobelOperator, sobel_operator,
    "lanes::Matrix sobel_operator(const lanes::Matrix& filter, const lanes::Matrix& image)", Matrix,
    const Matrix&, const Matrix&)

#undef LANES_EXERCISE

// One function template for lists of matrices and of vectors, so it is given twice:
// check(add_elementwise, add_elementwise).
class AddElementwise : public Exercise {
public:
    using Answer = Weights<float> (*)(const Weights<float>&, const Weights<float>&);
    using AnswerForBiases = Biases<float> (*)(const Biases<float>&, const Biases<float>&);
    AddElementwise();
    void check(Answer weights, AnswerForBiases biases) const;
};
inline AddElementwise add_elementwise() { return {}; }

// A network of the seven functions that passed their checks in this session, plugged in as they are
// (parts.sigmoid = sigmoid;) and trained from scratch: above 95 % of the 10,000 test images of
// MNIST, which the check reads itself.
class Accuracy : public Exercise {
public:
    Accuracy();
    void check(const NeuralNetwork& network) const;
};
inline Accuracy accuracy() { return {}; }

// 04_augmentation: a class named Worker, given as lanes::exercises::worker().check<Worker>().
class WorkerClass : public Exercise {
public:
    WorkerClass();
    template <class W>
    void check() const {
        using Result = Queue<std::string>;
        static_assert(std::is_base_of_v<Process, W>,
                      "Worker: derive it from lanes::Process, publicly: class Worker : public "
                      "lanes::Process.");
        static_assert(!std::is_base_of_v<Worker, W>,
                      "Worker: lanes::Worker is the library's. Derive yours from lanes::Process, "
                      "and write run yourself.");
        static_assert(!std::is_abstract_v<W>, "Worker: it has no run. Write void run() override.");
        static_assert(std::is_constructible_v<W, Worker::Jobs&, Result&, const Dataset&,
                                              AugmentationBounds, std::uint64_t>,
                      "Worker: it is made as Worker(jobs, result, images, bounds, seed). Leave the "
                      "constructor as it was given.");
        check_made([](Worker::Jobs& jobs, Result& result, const Dataset& images,
                      const AugmentationBounds& bounds, std::uint64_t seed) {
            return std::make_unique<W>(jobs, result, images, bounds, seed);
        });
    }

    using Make =
        std::function<std::unique_ptr<Process>(Worker::Jobs&, Queue<std::string>&, const Dataset&,
                                               const AugmentationBounds&, std::uint64_t seed)>;

private:
    void check_made(const Make& make) const;
};
inline WorkerClass worker() { return {}; }

}  // namespace lanes::exercises
