#include "exercise.hpp"

#include "../common/needs.hpp"
#include "../common/networks.hpp"
#include "lanes/lesson/spare_network.hpp"

#include <xtensor/xmanipulation.hpp>

#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;
using notebook::values_of;

struct ConfusionCase {
    std::size_t images, classes;
};

std::string words(const ConfusionCase& one) {
    return std::to_string(one.images) + (one.images == 1 ? " image, " : " images, ") +
           std::to_string(one.classes) + " classes";
}

}  // namespace

Confusion::Confusion()
    : Exercise(text_of<Confusion>(
          "confusion",
          "Counts for each pair of classes how often it occurs. Row: the class of the label. "
          "Column: the class that the network says.",
          "six lines",
          "For each row i: counts(right, said) += 1, with right and said as in accuracy.")) {}

void Confusion::check(Answer answer) const {
    const std::vector<ConfusionCase> cases{{1, 3}, {6, 2}, {40, 4}, {500, 10}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const ConfusionCase& one) {
        Rng rng = Rng(1008).split(one.images);
        const Matrix outputs = network_check::random_matrix(one.images, one.classes, rng, 0, 1);
        Matrix labels = xt::zeros<float>({one.images, one.classes});
        for (std::size_t i = 0; i < one.images; ++i) {
            const double drawn = rng.uniform() * rng.uniform() * static_cast<double>(one.classes);
            labels(i, static_cast<std::size_t>(drawn)) = 1;
        }
        const Matrix right = spare::confusion(outputs, labels);
        notebook::poison_memory(right.size() * sizeof(float));
        const Matrix got = judge.call([&] { return answer(outputs, labels); });
        Matrix off_diagonal = right, diagonal = xt::zeros<float>(right.shape());
        for (std::size_t i = 0; i < one.classes; ++i) {
            off_diagonal(i, i) = 0;
            diagonal(i, i) = right(i, i);
        }
        About about;
        about.known = {
            {values_of(Matrix(xt::transpose(right))),
             "Rows and columns are exchanged: the row is what is right, the column what the "
             "network says."},
            {values_of(off_diagonal), "The right answers are missing: count them on the diagonal."},
            {values_of(diagonal), "Only right answers are counted."},
            {values_of(Matrix(right / static_cast<float>(one.images))),
             "These are shares. Count the images."}};
        judge.same(values_of(got), values_of(right), about);
    });
}

}  // namespace lanes::exercises
