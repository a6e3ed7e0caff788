#include "exercise.hpp"

#include "../common/layer_arrays.hpp"
#include "../common/needs.hpp"
#include "notebook/exercise/randomness.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::Judge;

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

// Uniform in [-1/sqrt(m), 1/sqrt(m)): checked if there are enough numbers.
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

}  // namespace

RandomWeights::RandomWeights()
    : Exercise(
          text_of<RandomWeights>("random_weights",
                                 "Gives one matrix of shape (sizes[i], sizes[i + 1]) for each two "
                                 "neighbouring layers, drawn by\nlanes::xavier_initialization(m, "
                                 "n, rng), which is given: uniform in [-1/sqrt(m), 1/sqrt(m)).",
                                 "one line, a loop",
                                 "for (std::size_t i = 0; i + 1 < sizes.size(); ++i) "
                                 "weights.push_back(lanes::xavier_initialization(…));")) {}

void RandomWeights::check(Answer answer) const {
    Judge judge(text());
    judge.look_at(answer);
    const Rng seeds(21);
    for (const Sizes& sizes : layer_check::cases()) {
        judge.begin(layer_check::words(sizes));
        for (std::size_t i = 0; i + 1 < sizes.size(); ++i)
            notebook::poison_memory(sizes[i] * sizes[i + 1] * sizeof(float));
        Rng rng = seeds.split(sizes.size());
        const auto weights = judge.call([&] { return answer(sizes, rng); });
        layer_check::judge_shapes(judge, weights, sizes, "weights", [&](std::size_t i) {
            return layer_check::Shape{sizes[i], sizes[i + 1]};
        });
        for (std::size_t i = 0; i < weights.size(); ++i) judge_spread(judge, weights[i], i);
    }
    judge_independence(judge, answer);
    judge.pass();
}

}  // namespace lanes::exercises
