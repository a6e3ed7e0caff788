#include "exercise.hpp"

#include "../common/needs.hpp"
#include "../common/networks.hpp"
#include "lanes/array/blas.hpp"
#include "lanes/lesson/spare_network.hpp"

#include <vector>

namespace lanes::exercises {

namespace {

using network_check::Case;
using notebook::About;
using notebook::Judge;
using notebook::values_of;

About about_z(const Pass& right, const Parameters& network, std::size_t l) {
    About about;
    about.what = "z[" + std::to_string(l) + "]";
    const Matrix product = matmul(right.a[l], network.weights[l]);
    about.known.push_back({values_of(product), "The biases are missing: + network.biases[l]."});
    about.known.push_back({values_of(right.a[l + 1]),
                           "This is the activation. z is kept before sigmoid is applied."});
    if (l > 0) {
        const Matrix of_z = matmul(right.z[l - 1], network.weights[l]) + network.biases[l];
        about.known.push_back({values_of(of_z),
                               "The weights multiply z of the layer before. They multiply its "
                               "activation, a[l]."});
    }
    return about;
}

void judge_pass(Judge& judge, const Pass& pass, const Matrix& x, const Parameters& network) {
    const Pass right = spare::forward(x, network);
    const std::size_t layers = network.weights.size();
    judge.same_count(pass.z.size(), layers, "arrays z", "One per layer, except the input.");
    judge.same_count(pass.a.size(), layers + 1, "arrays a",
                     pass.a.size() == layers ? "a[0] is the input: the list begins with x."
                                             : "The input and one per further layer.");
    judge.same(values_of(pass.a[0]), values_of(x), {"a[0], the input"});
    for (std::size_t l = 0; l < layers; ++l) {
        judge.same(values_of(pass.z[l]), values_of(right.z[l]), about_z(right, network, l));
        About about;
        about.what = "a[" + std::to_string(l + 1) + "]";
        about.known.push_back({values_of(right.z[l]), "This is z: sigmoid(z[l]) is missing."});
        judge.same(values_of(pass.a[l + 1]), values_of(right.a[l + 1]), about);
    }
}

}  // namespace

ForwardPass::ForwardPass()
    : Exercise(text_of<ForwardPass>(
          "forward",
          "Computes z and a of all layers for the rows of x. a[0] is x; z[l] is a[l] times "
          "weights[l] plus biases[l]; a[l + 1] is sigmoid(z[l]).",
          "three lines",
          "A loop over l: pass.z.push_back(lanes::matmul(pass.a[l], network.weights[l]) + "
          "network.biases[l]), then pass.a.push_back(sigmoid(pass.z[l])).")) {}

void ForwardPass::check(Answer answer) const {
    const std::vector<Case> cases{
        {{2, 3, 1}, 1}, {{2, 3, 1}, 4}, {{4, 3}, 5}, {{3, 3, 3}, 3}, {{6, 2, 5, 4}, 7}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const Case& one) {
        Rng rng = Rng(1001).split(one.rows);
        const Parameters network = network_check::random_parameters(one.sizes, rng);
        const Matrix x = network_check::random_matrix(one.rows, one.sizes[0], rng, -2, 2);
        judge_pass(judge, judge.call([&] { return answer(x, network); }), x, network);
    });
}

}  // namespace lanes::exercises
