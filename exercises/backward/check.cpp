#include "exercise.hpp"

#include "../common/needs.hpp"
#include "../common/networks.hpp"
#include "lanes/array/blas.hpp"
#include "lanes/lesson/spare_network.hpp"

#include <xtensor/xmanipulation.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xview.hpp>

#include <string>
#include <utility>
#include <vector>

namespace lanes::exercises {

namespace {

using network_check::Case;
using notebook::About;
using notebook::Judge;
using notebook::values_of;

enum class Mistake {
    sign,            // y - a
    slope_of_a,      // sigmoid_prime(a)
    no_last_slope,   // without sigmoid_prime in the last layer
    no_slope,        // without sigmoid_prime in the hidden layers
    mean,            // divided by the number of rows
    first_row,       // biases: not summed
    one_layer_late,  // a[l + 1] in place of a[l]
};

const std::vector<std::pair<Mistake, const char*>>& mistakes() {
    static const std::vector<std::pair<Mistake, const char*>> all{
        {Mistake::sign, "The sign is wrong: the error of an output is a - y, not y - a."},
        {Mistake::slope_of_a, "Is it sigmoid_prime(a)? Its argument is z, the weighted input."},
        {Mistake::no_last_slope,
         "In the last layer sigmoid_prime(z) is missing: delta is (a - y) times it."},
        {Mistake::no_slope, "In hidden layers sigmoid_prime(z) is missing."},
        {Mistake::mean, "It is divided by the number of rows. Gradients are summed here."},
        {Mistake::first_row,
         "The biases have the errors of the first row only. Sum the rows: xt::sum(delta, {0})."},
        {Mistake::one_layer_late,
         "Is it a[l + 1]? A weight is multiplied by the activation of the layer before, a[l]."}};
    return all;
}

// The gradients with one mistake. Where a mistake would give arrays of other shapes, the right ones
// are taken.
Parameters with_mistake(Mistake mistake, const Pass& pass, const Matrix& y,
                        const Weights<float>& weights) {
    Parameters d{weights, Biases<float>(weights.size())};
    const auto slope = [&](std::size_t l) {
        return spare::sigmoid_prime(mistake == Mistake::slope_of_a ? pass.a[l + 1] : pass.z[l]);
    };
    Matrix delta = pass.a.back() - y;
    if (mistake == Mistake::sign) delta = -delta;
    if (mistake == Mistake::mean) delta /= static_cast<float>(y.shape(0));
    if (mistake != Mistake::no_last_slope) delta *= slope(weights.size() - 1);
    for (std::size_t l = weights.size(); l-- > 0;) {
        const bool late =
            mistake == Mistake::one_layer_late && pass.a[l + 1].shape(1) == pass.a[l].shape(1);
        const Matrix from = xt::transpose(pass.a[late ? l + 1 : l]);
        const Matrix back = xt::transpose(weights[l]);
        d.weights[l] = matmul(from, delta);
        d.biases[l] = xt::sum(delta, {0});
        if (mistake == Mistake::first_row) d.biases[l] = xt::view(delta, 0);
        if (l > 0) delta = matmul(delta, back);
        if (l > 0 && mistake != Mistake::no_slope) delta *= slope(l - 1);
    }
    return d;
}

void judge_gradients(Judge& judge, const Parameters& got, const Pass& pass, const Matrix& y,
                     const Weights<float>& weights) {
    const Parameters right = spare::backward(pass, y, weights);
    network_check::judge_shapes(judge, got, right, "gradients");
    // A mistake is named by all numbers together: the last layer alone is often right.
    const notebook::Values mine = network_check::all_of(got);
    std::string words;
    for (const auto& [mistake, sentence] : mistakes())
        if (words.empty() && notebook::are_close(mine, network_check::all_of(with_mistake(
                                                           mistake, pass, y, weights))))
            words = sentence;
    About about;
    about.tolerance = {1e-5, 1e-4};
    for (std::size_t l = weights.size(); l-- > 0;) {
        about.what = "gradients.weights[" + std::to_string(l) + "]";
        about.words = words;
        judge.same(values_of(got.weights[l]), values_of(right.weights[l]), about);
        about.what = "gradients.biases[" + std::to_string(l) + "]";
        judge.same(values_of(got.biases[l]), values_of(right.biases[l]), about);
    }
}

}  // namespace

BackwardPass::BackwardPass()
    : Exercise(text_of<BackwardPass>(
          "backward",
          "Gives the derivatives of the loss with respect to all weights and biases, summed over "
          "the rows.",
          "eight lines",
          "delta is (a - y) * sigmoid_prime(z) of the last layer. Then for l from the last layer "
          "to the first: the gradients of layer l, and delta of the layer before, from delta, "
          "weights[l] and z[l - 1].")) {}

void BackwardPass::check(Answer answer) const {
    const std::vector<Case> cases{{{4, 3}, 1},    {{4, 3}, 5},       {{3, 3, 3}, 4},
                                  {{2, 3, 1}, 4}, {{5, 4, 6, 3}, 6}, {{3, 4, 2, 5, 2}, 3}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const Case& one) {
        Rng rng = Rng(1003).split(10 * one.sizes.size() + one.rows);
        const Parameters network = network_check::random_parameters(one.sizes, rng);
        const Matrix x = network_check::random_matrix(one.rows, one.sizes[0], rng, -2, 2);
        const Matrix y = network_check::random_matrix(one.rows, one.sizes.back(), rng, 0, 1);
        const Pass pass = spare::forward(x, network);
        const Parameters got = judge.call([&] { return answer(pass, y, network.weights); });
        judge_gradients(judge, got, pass, y, network.weights);
    });
}

}  // namespace lanes::exercises
