#include "exercise.hpp"

#include "../common/needs.hpp"
#include "../common/networks.hpp"
#include "lanes/lesson/spare_network.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;
using notebook::Values;

struct GradientCase {
    std::size_t l, i, j;
    float h;
};

std::string words(const GradientCase& one) {
    return "weight (" + std::to_string(one.i) + ", " + std::to_string(one.j) + ") of weights[" +
           std::to_string(one.l) + "], h = " + lanes::detail::Part(one.h).text();
}

// A polynomial of third degree with another coefficient for each weight: forward, backward and
// central differences all differ.
double polynomial(const Weights<float>& weights) {
    double sum = 0, coefficient = 1;
    for (const Matrix& matrix : weights)
        for (const float value : matrix) {
            const auto w = static_cast<double>(value);
            sum += coefficient * (w * w * w + 2 * w * w - w);
            coefficient += 1;
        }
    return sum;
}

Values number(double value) { return {{1}, {value}}; }

About about_gradient(const Weights<float>& weights, const GradientCase& one, double right) {
    const auto at = [&](float change) {
        Weights<float> changed = weights;
        changed[one.l](one.i, one.j) += change;
        return polynomial(changed);
    };
    const double here = at(0), more = at(one.h), less = at(-one.h), h = static_cast<double>(one.h);
    About about;
    about.tolerance = {1e-4, 1e-3};
    about.known = {
        {number(-right), "The sign is wrong: it is the loss at w + h minus the loss at w - h."},
        {number(right * 2 * h), "It is not divided by 2 h."},
        {number(right * 2), "It is divided by h. From w - h to w + h it is 2 h."},
        {number(right * h * h * 2), "Is it multiplied by h? Divide by 2 h: / (2 * h)."},
        {number(right * h * h), "Is it / 2 * h? That divides by 2 and multiplies by h."},
        {number((more - here) / h), "This is the one-sided difference, from w to w + h."},
        {number((here - less) / h), "This is the one-sided difference, from w - h to w."},
        {number((more - here) / (2 * h)),
         "Does the second change start from w + h? Start both from w."},
        {number(0), "Is the changed copy the one that loss_of gets?"}};
    return about;
}

}  // namespace

NumericalGradient::NumericalGradient()
    : Exercise(text_of<NumericalGradient>(
          "numerical_gradient",
          "Gives the central difference of loss_of with respect to weights[l](i, j): the loss at "
          "w + h minus the loss at w - h, divided by 2 h.",
          "five lines",
          "Keep w = weights[l](i, j). Set the weight to w + h, call loss_of(weights); set it to "
          "w - h, call it again.")) {}

void NumericalGradient::check(Answer answer) const {
    // In the first case (j, i) is a weight, too: an answer that exchanges them is found before it
    // writes outside of the matrix.
    const std::vector<GradientCase> cases{
        {0, 0, 1, 0.25f}, {0, 0, 0, 0.01f}, {0, 1, 2, 0.25f}, {1, 2, 0, 0.125f}, {1, 1, 0, 0.5f}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const GradientCase& one) {
        Rng rng = Rng(1004).split(one.l * 100 + one.i * 10 + one.j);
        const Weights<float> weights = network_check::random_parameters({2, 3, 1}, rng).weights;
        bool other_changed = false, exchanged = false;
        const auto loss_of = [&](const Weights<float>& changed) {
            for (std::size_t l = 0; l < weights.size(); ++l)
                for (std::size_t i = 0; i < weights[l].shape(0); ++i)
                    for (std::size_t j = 0; j < weights[l].shape(1); ++j)
                        if ((l != one.l || i != one.i || j != one.j) &&
                            changed[l](i, j) != weights[l](i, j)) {
                            other_changed = true;
                            exchanged = l == one.l && i == one.j && j == one.i;
                        }
            return polynomial(changed);
        };
        const double got =
            judge.call([&] { return answer(loss_of, weights, one.l, one.i, one.j, one.h); });
        judge.require(!other_changed, "another weight than this one has changed.",
                      exchanged ? "It is weights[l](j, i). The row is i, the column is j."
                                : "Only weights[l](i, j) changes: its matrix is l, its row i, its "
                                  "column j.");
        const double right =
            spare::numerical_gradient(polynomial, weights, one.l, one.i, one.j, one.h);
        judge.same(number(got), number(right), about_gradient(weights, one, right));
    });
}

}  // namespace lanes::exercises
