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

// How often the weights of a layer, and both sides of a layer's batch, are read or written.
struct Times {
    double first_weights = 5, weights = 6;
    double first_sides = 2, sides = 3;
    double bytes = 4;
};

double bytes(const NetworkCase& one, const Times& times) {
    double sum = 0;
    for (std::size_t layer = 0; layer + 1 < one.sizes.size(); ++layer) {
        const auto in = static_cast<double>(one.sizes[layer]),
                   out = static_cast<double>(one.sizes[layer + 1]),
                   batch = static_cast<double>(one.batch);
        sum += (layer == 0 ? times.first_weights : times.weights) * in * out +
               (layer == 0 ? times.first_sides : times.sides) * batch * (in + out);
    }
    return times.bytes * sum;
}

notebook::Values number(double value) { return {{1}, {value}}; }

}  // namespace

StepBytes::StepBytes()
    : Exercise(text_of<StepBytes>(
          "step_bytes",
          "Gives the bytes that one training step reads and writes in the device's own memory, by "
          "the table of the task.",
          "six lines",
          "A layer has in * out weights, read or written six times, and batch * (in + out) numbers "
          "on its two sides, three times. The first layer has no gradient of its input: one and "
          "one less.")) {}

void StepBytes::check(Answer answer) const {
    const std::vector<NetworkCase> cases{{{784, 128, 10}, 1},
                                         {{784, 128, 10}, 64},
                                         {{5, 3}, 2},
                                         {{784, 1024, 1024, 10}, 128},
                                         {{784, 16384, 16384, 10}, 1024}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const NetworkCase& one) {
        About about;
        about.tolerance = {0.5, 1e-6};
        const auto add = [&](const Times& times, const char* words) {
            about.known.push_back({number(bytes(one, times)), words});
        };
        add({6, 6, 3, 3, 4},
            "The gradient of the images is counted: the first layer does not need it.");
        add({5, 6, 2, 3, 1}, "These are numbers, not bytes: a float has four.");
        add({2, 3, 2, 3, 4},
            "The update is missing: it reads the gradient and the weight and writes the weight.");
        add({5, 6, 0, 0, 4}, "These are the weights alone: the batch is read and written, too.");
        add({0, 0, 2, 3, 4}, "This is the batch alone: the weights are read and written, too.");
        add({1, 1, 1, 1, 4}, "This is the forward pass alone.");
        add({6, 6, 2, 3, 4},
            "The first layer reads its weights once less: no gradient of its "
            "input is computed.");
        add({5, 6, 3, 3, 4},
            "The first layer's batch is touched once less: no gradient of its "
            "input is computed.");
        const double got = judge.call([&] { return answer(one.sizes, one.batch); });
        judge.same(number(got), number(bytes(one, {})), about);
    });
}

}  // namespace lanes::exercises
