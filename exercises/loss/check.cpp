#include "exercise.hpp"

#include "../common/needs.hpp"
#include "../common/networks.hpp"
#include "lanes/lesson/spare_network.hpp"

#include <cmath>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;
using notebook::Values;

struct LossCase {
    std::size_t rows, columns;
    bool equal = false;
};

std::string words(const LossCase& one) {
    return std::to_string(one.rows) + " x " + std::to_string(one.columns) + " outputs" +
           (one.equal ? ", all right" : "");
}

Values number(double value) { return {{1}, {value}}; }

About about_loss(const Matrix& a, const Matrix& y, double right) {
    double plain = 0, absolute = 0, first_row = 0;
    for (std::size_t i = 0; i < a.shape(0); ++i)
        for (std::size_t j = 0; j < a.shape(1); ++j) {
            const double error = static_cast<double>(a(i, j)) - static_cast<double>(y(i, j));
            plain += error;
            absolute += std::abs(error);
            if (i == 0) first_row += error * error / 2;
        }
    const auto rows = static_cast<double>(a.shape(0)), all = static_cast<double>(a.size());
    About about;
    about.tolerance = {1e-6, 1e-4};
    about.known = {
        {number(2 * right), "The factor 1/2 is missing."},
        {number(right / rows), "This is the mean over the rows. Here the loss is the sum."},
        {number(2 * right / all), "This is the mean squared error. Here it is half the sum."},
        {number(right / all), "This is a mean over all outputs. Here the loss is the sum."},
        {number(std::sqrt(2 * right)), "There is a square root: the loss has none."},
        {number(plain / 2), "The errors are not squared, so they cancel each other."},
        {number(absolute / 2), "These are absolute values: square the errors."},
        {number(first_row), "Only the first row is counted."}};
    return about;
}

}  // namespace

LossOfOutputs::LossOfOutputs()
    : Exercise(text_of<LossOfOutputs>(
          "loss", "Gives half the sum of the squared errors a - y, over all rows and columns.",
          "one line", "xt::sum(xt::square(a - y))() is the sum of the squares, as a number.")) {}

void LossOfOutputs::check(Answer answer) const {
    const std::vector<LossCase> cases{{6, 10}, {1, 3}, {4, 1}, {1, 1}, {3, 4, true}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const LossCase& one) {
        Rng rng = Rng(1002).split(10 * one.rows + one.columns);
        const Matrix a = network_check::random_matrix(one.rows, one.columns, rng, 0, 1);
        const Matrix y =
            one.equal ? a : network_check::random_matrix(one.rows, one.columns, rng, 0, 1);
        const double right = spare::loss(a, y);
        const double got = judge.call([&] { return answer(a, y); });
        judge.same(number(got), number(right), about_loss(a, y, right));
    });
}

}  // namespace lanes::exercises
