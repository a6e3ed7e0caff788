#include "exercise.hpp"

#include "../common/needs.hpp"
#include "lanes/base/rng.hpp"
#include "notebook/exercise/judge.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;

struct BatchCase {
    std::size_t samples, classes;
    double scale;   // logits are from -scale to scale
    double offset;  // and this is added to all of them
};

std::string words(const BatchCase& one) {
    return std::to_string(one.samples) + (one.samples == 1 ? " sample, " : " samples, ") +
           std::to_string(one.classes) + " classes, logits from " +
           to_text(one.offset - one.scale) + " to " + to_text(one.offset + one.scale);
}

// One row of logits and its label.
struct Row {
    std::vector<double> logits;
    std::size_t label;

    double largest() const { return *std::max_element(logits.begin(), logits.end()); }
    double sum_of_exp(double shift) const {
        double sum = 0;
        for (const double logit : logits) sum += std::exp(logit - shift);
        return sum;
    }
    double loss() const { return std::log(sum_of_exp(largest())) + largest() - logits[label]; }
};

double mean(const std::vector<Row>& rows, const std::function<double(const Row&)>& of_row) {
    double sum = 0;
    for (const Row& row : rows) sum += of_row(row);
    return sum / static_cast<double>(rows.size());
}

notebook::Values number(double value) { return {{1}, {value}}; }

About about(const std::vector<Row>& rows, double expected) {
    About about;
    about.tolerance = {1e-5, 1e-4};
    const auto add = [&](double gives, const char* words) {
        about.known.push_back({number(gives), words});
    };
    add(expected * static_cast<double>(rows.size()),
        "This is the sum over the samples. Divide it by their number.");
    add(-expected,
        "The sign is wrong: the loss is the negative logarithm of a probability, at "
        "least 0.");
    add(expected / std::log(10), "This is the logarithm to base 10. std::log is the natural one.");
    add(expected / std::log(2), "This is the logarithm to base 2. std::log is the natural one.");
    add(mean(rows, [](const Row& row) { return std::exp(-row.loss()); }),
        "This is the mean probability of the labels: the logarithm is missing.");
    add(mean(rows, [](const Row& row) { return row.loss() - row.largest(); }),
        "The largest logit was subtracted before exp, but not added to the logarithm again.");
    add(mean(rows, [](const Row& row) { return row.loss() + row.logits[row.label]; }),
        "The logit of the label is missing.");
    add(rows.front().loss(), "This is the loss of the first sample alone.");
    add(mean(rows, [](const Row& row) { return Row{row.logits, 0}.loss(); }),
        "This is the loss for label 0 in every sample.");
    return about;
}

void judge_case(Judge& judge, CrossEntropy::Answer answer, const BatchCase& one) {
    Rng rng = Rng(88).split(one.samples * 100 + one.classes);
    Matrix logits = Matrix::from_shape({one.samples, one.classes});
    std::vector<int> labels;
    std::vector<Row> rows;
    for (std::size_t i = 0; i < one.samples; ++i) {
        Row row;
        for (std::size_t j = 0; j < one.classes; ++j) {
            logits(i, j) = static_cast<float>(one.offset + rng.uniform(-one.scale, one.scale));
            row.logits.push_back(logits(i, j));
        }
        labels.push_back(static_cast<int>(rng.integer(0, static_cast<int>(one.classes) - 1)));
        row.label = static_cast<std::size_t>(labels.back());
        rows.push_back(row);
    }
    const double expected = mean(rows, [](const Row& row) { return row.loss(); });
    const double got = judge.call([&] { return answer(logits, labels); });
    judge.require(std::isfinite(got),
                  "expected " + to_text(expected) + ", got " + to_text(got) + ".",
                  one.offset != 0
                      ? "exp of a large number is infinite. Subtract the largest logit of the row "
                        "first: softmax does not change."
                      : "A probability became 0, and the logarithm of 0 is infinite. Do not take "
                        "the logarithm of a quotient: log(exp(z) / sum) is z - log(sum).");
    judge.same(number(got), number(expected), about(rows, expected));
}

}  // namespace

CrossEntropy::CrossEntropy()
    : Exercise(text_of<CrossEntropy>(
          "cross_entropy",
          "Gives the mean over the rows of -log(softmax(logits)[label]). logits: (samples, "
          "classes), of any size; labels: one class per sample.",
          "eight lines",
          "With m, the largest logit of a row: the loss of the row is m + log(sum of exp(z - m)) - "
          "z[label].")) {}

void CrossEntropy::check(Answer answer) const {
    const std::vector<BatchCase> cases{{1, 3, 2, 0},   {4, 3, 2, 0},     {3, 10, 5, 0},
                                       {16, 10, 1, 3}, {5, 10, 2, 1000}, {3, 4, 2, -1000},
                                       {8, 2, 2000, 0}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const BatchCase& one) {
        judge_case(judge, answer, one);
    });
}

}  // namespace lanes::exercises
