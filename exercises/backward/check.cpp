#include "exercise.hpp"

#include "../common/needs.hpp"
#include "../common/networks.hpp"
#include "lanes/array/blas.hpp"
#include "lanes/lesson/spare_network.hpp"
#include "notebook/exercise/isolated_check.hpp"

#include <xtensor/xmanipulation.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xview.hpp>

#include <new>
#include <stdexcept>
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
    sign,             // y - a
    slope_of_a,       // sigmoid_prime(a), in all layers
    last_slope_of_a,  // in the last layer only
    slope_of_a_l,     // sigmoid_prime(a[l]) in the hidden layers
    slope_of_a_l_1,   // sigmoid_prime(a[l - 1]) in the hidden layers
    no_last_slope,    // without sigmoid_prime in the last layer
    no_slope,         // without sigmoid_prime in the hidden layers
    not_transposed,   // weights[l] in place of its transpose
    mean,             // divided by the number of rows
    biases_mean,      // only the biases are
    weights_mean,     // only the weights are
    first_row,        // biases: not summed
    one_layer_late,   // a[l + 1] in place of a[l]
};

const std::vector<std::pair<Mistake, const char*>>& mistakes() {
    static const std::vector<std::pair<Mistake, const char*>> all{
        {Mistake::sign, "The sign is wrong: the error of an output is a - y, not y - a."},
        {Mistake::slope_of_a, "Is it sigmoid_prime(a)? Its argument is z, the weighted input."},
        {Mistake::last_slope_of_a,
         "In the last layer, is it sigmoid_prime(a)? Its argument is pass.z.back()."},
        {Mistake::slope_of_a_l,
         "In hidden layers, is it sigmoid_prime(pass.a[l])? Its argument is pass.z[l - 1]."},
        {Mistake::slope_of_a_l_1,
         "In hidden layers, is it sigmoid_prime(pass.a[l - 1])? Its argument is pass.z[l - 1]."},
        {Mistake::no_last_slope,
         "In the last layer sigmoid_prime(z) is missing: delta is (a - y) times it."},
        {Mistake::no_slope, "In hidden layers sigmoid_prime(z) is missing."},
        {Mistake::not_transposed,
         "weights[l] is not transposed: the delta of the layer before is delta times its "
         "transpose."},
        {Mistake::mean, "It is divided by the number of rows. Gradients are summed here."},
        {Mistake::biases_mean,
         "The gradients of the biases are divided by the number of rows, a mean. Take the sum, as "
         "for the weights: xt::sum(delta, {0})."},
        {Mistake::weights_mean,
         "The gradients of the weights are divided by the number of rows. Gradients are summed "
         "here, as those of the biases."},
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
    const std::size_t last = weights.size() - 1;
    const auto rows = static_cast<float>(y.shape(0));
    const auto square = [&](std::size_t l) { return weights[l].shape(0) == weights[l].shape(1); };
    const auto slope = [&](std::size_t l) {
        const Mistake in_this_layer = l == last ? Mistake::last_slope_of_a : Mistake::slope_of_a_l;
        if (mistake == Mistake::slope_of_a || mistake == in_this_layer)
            return spare::sigmoid_prime(pass.a[l + 1]);
        const bool early = mistake == Mistake::slope_of_a_l_1 && l < last && square(l);
        return spare::sigmoid_prime(early ? pass.a[l] : pass.z[l]);
    };
    Matrix delta = pass.a.back() - y;
    if (mistake == Mistake::sign) delta = -delta;
    if (mistake == Mistake::mean) delta /= rows;
    if (mistake != Mistake::no_last_slope) delta *= slope(last);
    for (std::size_t l = weights.size(); l-- > 0;) {
        const Matrix from =
            xt::transpose(pass.a[mistake == Mistake::one_layer_late && square(l) ? l + 1 : l]);
        Matrix back = xt::transpose(weights[l]);
        if (mistake == Mistake::not_transposed && square(l)) back = weights[l];
        d.weights[l] = matmul(from, delta);
        d.biases[l] = xt::sum(delta, {0});
        if (mistake == Mistake::weights_mean) d.weights[l] /= rows;
        if (mistake == Mistake::biases_mean) d.biases[l] /= rows;
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

// A loop that computes the delta of a layer before the first reads a matrix that is not there: what
// happens then is chance, and often the end of the process.
void judge_the_first_layer(Judge& judge, BackwardPass::Answer answer, const Pass& pass,
                           const Matrix& y, const Weights<float>& weights) {
    const char* const advice =
        "Does it read pass.z[l - 1] when l is 0? There is no layer before the first: compute the "
        "next delta only if (l > 0).";
    notebook::run_isolated(judge, [&](notebook::IsolatedCheck& isolated) {
        isolated.step("your function is called for a network of one layer", "Does the loop end?",
                      advice);
        const auto no_memory = [&] {
            isolated.fail("your function asks for more memory than there is.", advice);
        };
        try {
            answer(pass, y, weights);
        } catch (const std::bad_alloc&) {
            no_memory();
        } catch (const std::length_error&) {
            no_memory();
        } catch (const std::exception&) {  // the cases below report it
        }
    });
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
        if (one.sizes.size() == 2) judge_the_first_layer(judge, answer, pass, y, network.weights);
        const Parameters got = judge.call([&] { return answer(pass, y, network.weights); });
        judge_gradients(judge, got, pass, y, network.weights);
    });
}

}  // namespace lanes::exercises
