#include "exercise.hpp"

#include "../common/needs.hpp"
#include "notebook/exercise/guard_blocks.hpp"
#include "notebook/exercise/judge.hpp"
#include "notebook/exercise/randomness.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;
using notebook::values_of;

Matrix grey(std::size_t rows, std::size_t columns, float value) {
    return xt::ones<float>({rows, columns}) * value;
}

struct Differences {
    double lowest = 0, highest = 0, mean = 0, deviation = 0;
    bool all_the_same = true;
};

Differences differences(const Matrix& noisy, const Matrix& image) {
    Differences result;
    const double first = noisy.data()[0] - image.data()[0];
    for (std::size_t i = 0; i < image.size(); ++i) {
        const double difference = noisy.data()[i] - image.data()[i];
        result.lowest = std::min(result.lowest, difference);
        result.highest = std::max(result.highest, difference);
        result.mean += difference;
        result.deviation += difference * difference;
        result.all_the_same = result.all_the_same && std::fabs(difference - first) < 1e-6;
    }
    result.mean /= static_cast<double>(image.size());
    result.deviation = std::sqrt(result.deviation / static_cast<double>(image.size()));
    return result;
}

std::string rounded(double x) { return to_text(static_cast<float>(std::round(x * 1e3) / 1e3)); }

Matrix called(Judge& judge, AddNoise::Answer answer, const Matrix& image, double noise, Rng& rng) {
    const Matrix before = image;  // NOLINT(performance-unnecessary-copy-initialization): an answer
                                  // may write into it all the same
    const Matrix noisy = notebook::call_with_guard_blocks(
        judge, image.size(), [&] { return answer(image, noise, rng); });
    judge.require(image == before, "the image that it was given has changed.",
                  "Write into a new matrix: the training images are needed again, and noise upon "
                  "noise would soon be all that is left.");
    judge.require(noisy.shape() == image.shape(),
                  "the shape is " + lanes::detail::Part(noisy.shape()).text() + ", expected " +
                      lanes::detail::Part(image.shape()).text() + ".");
    judge.require(
        std::none_of(noisy.begin(), noisy.end(), [](float x) { return std::isnan(x); }),
        "some pixels were never written.",
        "Each pixel of the result needs a value: do the loops reach all rows and all columns?");
    return noisy;
}

// Far from 0 and 1, where nothing is cut off.
void judge_spread(Judge& judge, AddNoise::Answer answer) {
    const double noise = 0.2;
    judge.begin("200x300, all pixels 0.5, noise 0.2");
    Rng rng(31);
    const Matrix image = grey(200, 300, 0.5f);
    const Differences seen = differences(called(judge, answer, image, noise, rng), image);
    judge.require(seen.deviation > 0, "no pixel has changed.",
                  "Add rng.uniform(-noise, noise) to each pixel.");
    judge.require(!seen.all_the_same, "all pixels have changed by the same number.",
                  "Draw a new number for each pixel, inside the loops.");
    const std::string range = "the numbers that were added lie between " + rounded(seen.lowest) +
                              " and " + rounded(seen.highest) + ", expected -0.2 to 0.2.";
    judge.require(seen.lowest < -0.05, range,
                  "They are never negative: draw from -noise to noise.");
    judge.require(seen.highest > 0.05, range,
                  "They are never positive: draw from -noise to noise.");
    judge.require(seen.lowest >= -noise - 1e-5 && seen.highest <= noise + 1e-5, range,
                  seen.highest > 0.9
                      ? "noise is the largest number to be added: rng.uniform(-noise, noise)."
                      : "They go too far: all numbers from -noise to noise are equally likely, and "
                        "no others come.");
    judge.require(seen.lowest < -0.19 && seen.highest > 0.19, range,
                  "They do not go far enough: draw from -noise to noise.");
    judge.require(
        std::fabs(seen.mean) < 0.003 && std::fabs(seen.deviation - noise / std::sqrt(3.0)) < 0.003,
        "the mean of what was added is " + rounded(seen.mean) + " and its standard deviation " +
            rounded(seen.deviation) + ", expected 0 and 0.115.",
        "All numbers from -noise to noise are equally likely: rng.uniform(-noise, noise).");
}

void judge_limits(Judge& judge, AddNoise::Answer answer) {
    for (const float value : {0.0f, 1.0f, 0.95f}) {
        judge.begin("30x41, all pixels " + to_text(value) + ", noise 0.3");
        Rng rng(32);
        const Matrix image = grey(30, 41, value), noisy = called(judge, answer, image, 0.3, rng);
        const float lowest = *std::min_element(noisy.begin(), noisy.end()),
                    highest = *std::max_element(noisy.begin(), noisy.end());
        judge.require(
            lowest >= 0 && highest <= 1,
            "pixels lie between " + rounded(lowest) + " and " + rounded(highest) + ".",
            "A pixel's brightness must stay legal, from 0 to 1: std::clamp(x, 0.0, 1.0).");
        const auto at_rim = std::count_if(
            noisy.begin(), noisy.end(), [&](float x) { return x == (value > 0.5f ? 1.0f : 0.0f); });
        judge.require(at_rim > 200,
                      std::to_string(at_rim) + " of 1230 pixels are " + (value > 0.5f ? "1" : "0") +
                          ", expected about half of them.",
                      "What would leave 0 to 1 is cut off: it becomes 0 or 1, and nothing else.");
        judge.require(at_rim < 1030,
                      std::to_string(at_rim) + " of 1230 pixels are " + (value > 0.5f ? "1" : "0") +
                          ", expected about half of them.",
                      "Black and white pixels get noise, too: one half of it leads into 0 to 1.");
    }
}

void judge_draws(Judge& judge, AddNoise::Answer answer) {
    judge.begin("is it random?");
    const Matrix image = grey(9, 13, 0.5f);
    notebook::judge_randomness(judge, {"add", "adds", "noise"},
                               [&](Rng& rng) { return called(judge, answer, image, 0.1, rng); });
}

}  // namespace

AddNoise::AddNoise()
    : Exercise(text_of<AddNoise>("add_noise",
                                 "Adds to each pixel a random number of its own between -noise and "
                                 "noise, all equally likely, drawn from rng.\n"
                                 "A pixel that would leave 0 to 1 stays at 0 or 1. The image that "
                                 "was given stays as it is.",
                                 "two lines",
                                 "rng.uniform(-noise, noise) draws a number, std::clamp(x, 0.0, "
                                 "1.0) keeps it between 0 and 1.")) {}

void AddNoise::check(Answer answer) const {
    Judge judge(text());
    judge.look_at(answer);
    judge_spread(judge, answer);
    judge_limits(judge, answer);
    judge.begin("5x7, noise 0");
    Rng rng(33);
    Matrix image(std::array<std::size_t, 2>{5, 7});
    rng.fill_uniform(image.data(), image.size(), 0, 1);
    judge.same(values_of(called(judge, answer, image, 0, rng)), values_of(image));
    for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{1, 9}, {9, 1}}) {
        judge.begin(std::to_string(rows) + "x" + std::to_string(columns) + ", noise 0.1");
        const Matrix line = grey(rows, columns, 0.4f),
                     noisy = called(judge, answer, line, 0.1, rng);
        judge.require(std::none_of(noisy.begin(), noisy.end(), [](float x) { return x == 0.4f; }),
                      "some pixels have not changed.",
                      "Do the loops reach all rows and all columns?");
    }
    judge_draws(judge, answer);
    judge.pass();
}

}  // namespace lanes::exercises
