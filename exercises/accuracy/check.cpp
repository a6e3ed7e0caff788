#include "exercise.hpp"

#include "../common/needs.hpp"
#include "../common/networks.hpp"
#include "lanes/lesson/spare_network.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;
using notebook::Values;

struct AccuracyCase {
    std::string name;
    Matrix outputs, labels;
};

std::string words(const AccuracyCase& one) { return one.name; }

Values number(double value) { return {{1}, {value}}; }

// One-hot labels at random, and outputs of which about 70 % are right.
AccuracyCase random_case(std::size_t images, std::size_t classes) {
    Rng rng = Rng(1007).split(images);
    AccuracyCase one{std::to_string(images) + (images == 1 ? " image, " : " images, ") +
                         std::to_string(classes) + " classes",
                     network_check::random_matrix(images, classes, rng, 0, 0.45f),
                     xt::zeros<float>({images, classes})};
    for (std::size_t i = 0; i < images; ++i) {
        const auto label =
            static_cast<std::size_t>(rng.integer(0, static_cast<std::int64_t>(classes) - 1));
        one.labels(i, label) = 1;
        if (rng.uniform() < 0.7) one.outputs(i, label) = 0.46f + 0.5f * one.outputs(i, label);
    }
    return one;
}

About about_accuracy(const Matrix& outputs, const Matrix& labels, double right) {
    double above_half = 0, elements = 0, on_diagonal = 0;
    for (std::size_t i = 0; i < outputs.shape(0); ++i) {
        const float* row = outputs.data() + i * outputs.shape(1);
        const auto said = std::max_element(row, row + outputs.shape(1)) - row;
        if (static_cast<std::size_t>(said) == i) on_diagonal += 1;
        for (std::size_t j = 0; j < outputs.shape(1); ++j) {
            if (labels(i, j) == 1 && outputs(i, j) > 0.5f) above_half += 1;
            if ((outputs(i, j) > 0.5f) == (labels(i, j) == 1)) elements += 1;
        }
    }
    const auto images = static_cast<double>(outputs.shape(0));
    About about;
    about.tolerance = {1e-9, 1e-6};
    about.known = {
        {number(100 * right), "This is in percent. Give a number from 0 to 1."},
        {number(right * images), "This is a number of images: divide it by all images."},
        {number(on_diagonal / images),
         "The column is compared with the number of the row. Compare with the column of the 1 in "
         "row i of the labels."},
        {number(1 - right), "This is the share of wrong images."},
        {number(right * images / static_cast<double>(outputs.size())),
         "It is divided by the number of elements. Divide by the number of rows."},
        {number(above_half / images),
         "Is an output right if it is above 0.5? The largest of the row counts."},
        {number(elements / static_cast<double>(outputs.size())),
         "These are single outputs. An image is right if the largest output of its row "
         "is at the place of its label."},
        {number(0), "Is it a division of whole numbers? Convert one of them to double."}};
    return about;
}

}  // namespace

Accuracy::Accuracy()
    : Exercise(text_of<Accuracy>(
          "accuracy",
          "Gives the share of rows, from 0 to 1, whose largest output is in the same column as "
          "the 1 of its label.",
          "five lines",
          "xt::argmax(xt::view(outputs, i))() is the column of the largest number of row i. Count "
          "the rows in which it is that of the labels.")) {}

void Accuracy::check(Answer answer) const {
    const Matrix identity{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const std::vector<AccuracyCase> cases{
        {"all right",
         {{0.9f, 0, 0.1f}, {0, 0.7f, 0.2f}, {0.1f, 0.2f, 0.4f}, {0.4f, 0.3f, 0.2f}},
         {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}}},
        {"all wrong", {{0, 0.9f, 0.1f}, {0.4f, 0.3f, 0.2f}, {0.1f, 0.5f, 0.4f}}, identity},
        {"two of three right",
         {{0.03f, 0.02f, 0.01f}, {0.03f, 0.02f, 0.01f}, {0.1f, 0.2f, 0.8f}},
         identity},
        {"equal outputs: the first counts",
         {{0.5f, 0.5f, 0.5f}, {0.5f, 0.5f, 0}, {0, 0, 0}},
         identity},
        random_case(1, 4),
        random_case(100, 10)};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const AccuracyCase& one) {
        const double right = spare::accuracy(one.outputs, one.labels);
        const double got = judge.call([&] { return answer(one.outputs, one.labels); });
        judge.same(number(got), number(right), about_accuracy(one.outputs, one.labels, right));
    });
}

}  // namespace lanes::exercises
