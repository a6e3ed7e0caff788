#include "exercise.hpp"

#include "../common/needs.hpp"
#include "../common/networks.hpp"
#include "lanes/lesson/spare_network.hpp"

#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;

struct StepCase {
    Sizes sizes;
    float rate;
};

std::string words(const StepCase& one) {
    return "sizes " + lanes::detail::Part(one.sizes).text() + ", learning rate " +
           lanes::detail::Part(one.rate).text();
}

Parameters stepped(Parameters network, const Parameters& gradients, float rate) {
    spare::descend(network, gradients, rate);
    return network;
}

About about_step(const Parameters& network, const Parameters& gradients, float rate) {
    const Parameters right = stepped(network, gradients, rate);
    Parameters first = network;
    first.weights[0] = right.weights[0];
    first.biases[0] = right.biases[0];
    About about;
    about.what = "the weights, then the biases";
    const auto add = [&](const Parameters& gives, const char* words) {
        about.known.push_back({network_check::all_of(gives), words});
    };
    add(network, "Nothing has changed. The network is passed by reference: change it.");
    add(stepped(network, gradients, -rate),
        "The step goes up: gradients are subtracted, so that the loss falls.");
    add(stepped(network, gradients, 1), "The learning rate is not used.");
    add(stepped(network, gradients, 1 / rate), "It is divided by the rate. Multiply by it.");
    add({right.weights, network.biases}, "The biases have not changed.");
    add({network.weights, right.biases}, "The weights have not changed.");
    add(first, "Only the first layer has changed: a loop over all layers is needed.");
    return about;
}

}  // namespace

Descend::Descend()
    : Exercise(text_of<Descend>("descend",
                                "Makes one step of gradient descent: subtracts rate times the "
                                "gradient from all weights and biases.",
                                "three lines",
                                "A loop over the layers l with network.weights[l] -= rate * "
                                "gradients.weights[l], and the same for the biases.")) {}

void Descend::check(Answer answer) const {
    const std::vector<StepCase> cases{
        {{2, 3, 1}, 0.5f}, {{4, 3}, 0.1f}, {{3, 5, 4, 2}, 2}, {{2, 2, 2, 2, 2}, 0.01f}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const StepCase& one) {
        Rng rng = Rng(1005).split(one.sizes.size());
        const Parameters before = network_check::random_parameters(one.sizes, rng);
        const Parameters gradients = network_check::random_parameters(one.sizes, rng);
        Parameters network = before;
        judge.call([&] { answer(network, gradients, one.rate); });
        const Parameters right = stepped(before, gradients, one.rate);
        network_check::judge_shapes(judge, network, right, "network");
        judge.same(network_check::all_of(network), network_check::all_of(right),
                   about_step(before, gradients, one.rate));
    });
}

}  // namespace lanes::exercises
