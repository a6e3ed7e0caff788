#include "exercise.hpp"

#include "../common/needs.hpp"
#include "notebook/exercise/judge.hpp"

#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;

struct NetworkCase {
    std::vector<std::size_t> sizes;
    std::size_t batch;
};

std::string words(const NetworkCase& one) {
    std::string sizes;
    for (const std::size_t size : one.sizes)
        sizes += (sizes.empty() ? "" : "-") + std::to_string(size);
    return "a network " + sizes + ", batch " + std::to_string(one.batch);
}

// The products of a step, each with as many operations as the same layer's other ones.
double flop(const NetworkCase& one, double products_first, double products_later) {
    double sum = 0;
    for (std::size_t layer = 0; layer + 1 < one.sizes.size(); ++layer)
        sum += (layer == 0 ? products_first : products_later) * 2.0 *
               static_cast<double>(one.batch) * static_cast<double>(one.sizes[layer]) *
               static_cast<double>(one.sizes[layer + 1]);
    return sum;
}

notebook::Values number(double value) { return {{1}, {value}}; }

}  // namespace

StepFlop::StepFlop()
    : Exercise(text_of<StepFlop>(
          "step_flop",
          "Gives the floating-point operations of all matrix products of one training step. sizes: "
          "neurons per layer, from input to output; batch: samples per step.",
          "six lines",
          "A product of (m, k) and (k, n) has m k n multiplications and as many additions. The "
          "forward pass has one product per layer. How many has the backward pass, and which of "
          "them is not needed in the first layer?")) {}

void StepFlop::check(Answer answer) const {
    const std::vector<NetworkCase> cases{{{784, 128, 10}, 1},
                                         {{784, 128, 10}, 16},
                                         {{5, 3}, 2},
                                         {{784, 1024, 1024, 10}, 128},
                                         {{784, 4096, 4096, 4096, 10}, 1024}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const NetworkCase& one) {
        About about;
        about.tolerance = {0.5, 1e-6};
        const auto add = [&](double gives, const char* words) {
            about.known.push_back({number(gives), words});
        };
        const double right = flop(one, 2, 3);
        add(flop(one, 3, 3),
            "The gradient by the input of the first layer is counted. Nobody needs the gradient "
            "by the images.");
        add(right / 2, "A multiplication and the addition after it are two operations.");
        add(flop(one, 1, 1), "This is the forward pass alone.");
        add(flop(one, 1, 2), "This is the backward pass alone.");
        add(flop(one, 2, 2),
            "Each layer but the first has two products in the backward pass: the gradient by its "
            "weights and the gradient by its input.");
        if (one.batch > 1)
            add(right / static_cast<double>(one.batch), "This is for one sample, not for a batch.");
        const double got = judge.call([&] { return answer(one.sizes, one.batch); });
        judge.same(number(got), number(right), about);
    });
}

}  // namespace lanes::exercises
