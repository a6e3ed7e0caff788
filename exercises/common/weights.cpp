// The exercises that make lists of arrays from the sizes of the layers: random_weights,
// zeros_weights, zeros_biases.
#include "lanes/notebook/exercises.hpp"
#include "notebook/exercise/judge.hpp"
#include "notebook/exercise/randomness.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::ExerciseText;
using notebook::Judge;
using notebook::Values;
using notebook::values_of;

using Shape = std::vector<std::size_t>;

std::string words(const Sizes& sizes) { return "sizes " + lanes::detail::Part(sizes).text(); }

// A copy with a 1 behind its end: a loop that runs too far reads that, and is told so, instead of
// whatever lies there.
Sizes with_something_behind(const Sizes& sizes) {
    Sizes longer = sizes;
    longer.push_back(1);
    longer.pop_back();
    return longer;
}

std::vector<Sizes> cases() {
    return {{2, 3, 1}, {784, 128, 64, 10}, {5, 4}, {1, 1, 1, 1}, {3, 7, 2, 7, 3}};
}

// The list's length and the shape of each array. shape_of(i): of array i.
template <class List, class ShapeOf>
void judge_shapes(Judge& judge, const List& list, const Sizes& sizes, const char* what,
                  ShapeOf shape_of) {
    const std::size_t layers = sizes.size() - 1;
    const std::string between =
        "One for each two neighbouring layers: " + std::to_string(sizes.size()) + " layers have " +
        std::to_string(layers) + ".";
    judge.same_count(list.size(), layers,
                     std::string(what) + (list.size() == 1 ? " array" : " arrays"), between);
    for (std::size_t i = 0; i < layers; ++i) {
        const Shape got(list[i].shape().begin(), list[i].shape().end()), expected = shape_of(i);
        if (got == expected) continue;
        std::string advice =
            "Array i lies between layers i and i + 1: its shape is made of sizes[i] and sizes[i + "
            "1].";
        if (got.size() == 2 && got == Shape(expected.rbegin(), expected.rend()))
            advice = "The shapes are transposed: rows are sizes[i], columns sizes[i + 1].";
        if (got.size() == 1 && got[0] == sizes[i])
            advice =
                "Biases belong to the layer that is entered: sizes[i + 1], not sizes[i]. The input "
                "has none.";
        judge.fail(std::string(what) + " array " + std::to_string(i) + " has shape " +
                       lanes::detail::Part(got).text() + ", expected " +
                       lanes::detail::Part(expected).text() + ".",
                   advice);
    }
}

template <class List>
void judge_zeros(Judge& judge, const List& list, const char* what) {
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Values got = values_of(list[i]);
        Values zeros = got;
        std::fill(zeros.numbers.begin(), zeros.numbers.end(), 0);
        About about;
        about.what = std::string(what) + " array " + std::to_string(i);
        Values ones = zeros;
        std::fill(ones.numbers.begin(), ones.numbers.end(), 1);
        about.known.push_back({ones, "All are 1."});
        about.tolerance = {0, 0};
        // one number everywhere is a wrong value, several are what an earlier owner of the memory
        // has left
        const auto& numbers = got.numbers;
        const bool held_before = std::any_of(numbers.begin(), numbers.end(), [&](double x) {
            return std::isnan(x) || x != numbers[0];
        });
        if (held_before)
            judge.fail(
                about.what + ": the array was never written: it holds what was in memory before.",
                "A fresh xtensor array is not filled. Give it its value: xt::zeros<float>({rows, "
                "columns}), or fill(0).");
        judge.same(got, zeros, about);
    }
}

struct Spread {
    double largest = 0, mean = 0, deviation = 0;
};

Spread spread_of(const Matrix& array) {
    Spread spread;
    double squares = 0;
    for (const float value : array) {
        spread.largest = std::max(spread.largest, std::fabs(static_cast<double>(value)));
        spread.mean += value;
        squares += static_cast<double>(value) * value;
    }
    spread.mean /= static_cast<double>(array.size());
    spread.deviation = std::sqrt(squares / static_cast<double>(array.size()));
    return spread;
}

std::string short_number(double x) {
    return to_text(static_cast<float>(std::round(x * 1e4) / 1e4));
}

// Uniform in [-1/sqrt(m), 1/sqrt(m)): looked at where there are enough numbers to see it.
void judge_spread(Judge& judge, const Matrix& array, std::size_t number) {
    const std::size_t m = array.shape(0), n = array.shape(1);
    const double limit = 1 / std::sqrt(static_cast<double>(m)),
                 other_limit = 1 / std::sqrt(static_cast<double>(n));
    const Spread spread = spread_of(array);
    const std::string whose = "weights array " + std::to_string(number) + ", shape " +
                              lanes::detail::Part(array.shape()).text() + ": ";
    const std::string range = "-" + short_number(limit) + " to " + short_number(limit);
    const bool many = array.size() >= 500;
    judge.require(!std::isnan(spread.deviation), whose + "some of it was never written.",
                  "Fill each array by lanes::xavier_initialization(m, n, rng).");
    judge.require(spread.largest > 0, whose + "all are 0.",
                  "Neurons with equal weights learn the same thing. Draw them by "
                  "lanes::xavier_initialization(m, n, rng).");
    if (many && spread.largest > 1.02 * limit && std::fabs(spread.largest / other_limit - 1) < 0.1)
        judge.fail(
            whose + "the largest is " + short_number(spread.largest) + ", expected " + range + ".",
            "The limit is taken of the columns: it is 1 / sqrt(m) with m = sizes[i], the numbers "
            "that enter a neuron.");
    judge.require(
        spread.largest <= limit * 1.0001,
        whose + "the largest is " + short_number(spread.largest) + ", expected " + range + ".",
        "Xavier: uniform in [-1/sqrt(m), 1/sqrt(m)), as lanes::xavier_initialization(m, n, rng) "
        "draws them.");
    if (!many) return;
    judge.require(std::fabs(spread.mean) < 0.2 * limit,
                  whose + "the mean is " + short_number(spread.mean) + ", expected about 0.",
                  "Weights lie on both sides of 0: from -1/sqrt(m) to 1/sqrt(m).");
    judge.require(spread.largest > 0.9 * limit &&
                      std::fabs(spread.deviation * std::sqrt(3.0) / limit - 1) < 0.1,
                  whose + "standard deviation " + short_number(spread.deviation) +
                      ", expected about " + short_number(limit / std::sqrt(3.0)) + ".",
                  "Xavier: uniform in [-1/sqrt(m), 1/sqrt(m)) with m = sizes[i], not narrower.");
    std::vector<float> numbers(array.begin(), array.end());
    std::sort(numbers.begin(), numbers.end());
    const auto different =
        static_cast<std::size_t>(std::unique(numbers.begin(), numbers.end()) - numbers.begin());
    judge.require(different > array.size() / 2,
                  whose + "only " + std::to_string(different) + " different numbers among " +
                      std::to_string(array.size()) + ".",
                  "Draw a number of its own for each weight: neurons or inputs with equal weights "
                  "learn the same thing.");
}

void judge_independence(Judge& judge, RandomWeights::Answer answer) {
    const Sizes same_sizes{30, 30, 30};
    judge.begin("is it random?");
    notebook::judge_randomness(judge, {"give", "gives", "weights"}, [&](Rng& rng) {
        const auto weights = judge.call([&] { return answer(same_sizes, rng); });
        judge.require(weights[0] != weights[1], "both arrays hold the same numbers.",
                      "Pass the same rng on to each call, by reference: a copy of it draws the "
                      "same numbers again.");
        return weights;
    });
}

const ExerciseText& random_weights_text() {
    static const ExerciseText text{
        "random_weights",
        "lanes::Weights<float> random_weights(const lanes::Sizes& sizes, lanes::Rng& rng)",
        "Gives one matrix of shape (sizes[i], sizes[i + 1]) for each two neighbouring layers, "
        "drawn by\n"
        "lanes::xavier_initialization(m, n, rng), which is given: uniform in [-1/sqrt(m), "
        "1/sqrt(m)).",
        "one line, a loop",
        "for (std::size_t i = 0; i + 1 < sizes.size(); ++i) "
        "weights.push_back(lanes::xavier_initialization(…));",
        {"lanes::xavier_initialization", "lanes::Rng::"},
        {}};
    return text;
}

const ExerciseText& zeros_weights_text() {
    static const ExerciseText text{"zeros_weights",
                                   "lanes::Weights<float> zeros_weights(const lanes::Sizes& sizes)",
                                   "Gives one matrix of shape (sizes[i], sizes[i + 1]) for each "
                                   "two neighbouring layers, all 0.",
                                   "one line, a loop",
                                   "weights.push_back(xt::zeros<float>({sizes[i], sizes[i + 1]})) "
                                   "for 0 <= i and i + 1 < sizes.size().",
                                   {},
                                   {}};
    return text;
}

const ExerciseText& zeros_biases_text() {
    static const ExerciseText text{
        "zeros_biases",
        "lanes::Biases<float> zeros_biases(const lanes::Sizes& sizes)",
        "Gives one vector of sizes[i + 1] zeros for each layer but the first.",
        "one line, a loop",
        "biases.push_back(xt::zeros<float>({sizes[i + 1]})) for 0 <= i and i + 1 < sizes.size().",
        {},
        {}};
    return text;
}

}  // namespace

RandomWeights::RandomWeights() : Exercise(random_weights_text()) {}

void RandomWeights::check(Answer answer) const {
    Judge judge(text());
    judge.look_at(answer);
    const Rng seeds(21);
    for (const Sizes& one : cases()) {
        const Sizes sizes = with_something_behind(one);
        judge.begin(words(sizes));
        for (std::size_t i = 0; i + 1 < sizes.size(); ++i)
            notebook::soil_memory(sizes[i] * sizes[i + 1] * sizeof(float));
        Rng rng = seeds.split(sizes.size());
        const auto weights = judge.call([&] { return answer(sizes, rng); });
        judge_shapes(judge, weights, sizes, "weights",
                     [&](std::size_t i) { return Shape{sizes[i], sizes[i + 1]}; });
        for (std::size_t i = 0; i < weights.size(); ++i) judge_spread(judge, weights[i], i);
    }
    judge_independence(judge, answer);
    judge.pass();
}

ZerosWeights::ZerosWeights() : Exercise(zeros_weights_text()) {}

void ZerosWeights::check(Answer answer) const {
    Judge judge(text());
    judge.look_at(answer);
    for (const Sizes& one : cases()) {
        const Sizes sizes = with_something_behind(one);
        judge.begin(words(sizes));
        for (std::size_t i = 0; i + 1 < sizes.size(); ++i)
            notebook::soil_memory(sizes[i] * sizes[i + 1] * sizeof(float));
        const auto weights = judge.call([&] { return answer(sizes); });
        judge_shapes(judge, weights, sizes, "weights",
                     [&](std::size_t i) { return Shape{sizes[i], sizes[i + 1]}; });
        judge_zeros(judge, weights, "weights");
    }
    judge.pass();
}

ZerosBiases::ZerosBiases() : Exercise(zeros_biases_text()) {}

void ZerosBiases::check(Answer answer) const {
    Judge judge(text());
    judge.look_at(answer);
    for (const Sizes& one : cases()) {
        const Sizes sizes = with_something_behind(one);
        judge.begin(words(sizes));
        for (const std::size_t size : sizes) notebook::soil_memory(size * sizeof(float));
        const auto biases = judge.call([&] { return answer(sizes); });
        judge_shapes(judge, biases, sizes, "biases",
                     [&](std::size_t i) { return Shape{sizes[i + 1]}; });
        judge_zeros(judge, biases, "biases");
    }
    judge.pass();
}

}  // namespace lanes::exercises
