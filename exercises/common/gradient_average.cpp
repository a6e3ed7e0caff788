#include "gradient_average.hpp"

#include "lanes/base/rng.hpp"
#include "lanes/distributed/simulated_ranks.hpp"
#include "lanes/nn/layers.hpp"
#include "lanes/nn/losses.hpp"
#include "lanes/tensor/ops.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;
using notebook::Values;

constexpr std::size_t inputs = 5;
constexpr std::size_t classes = 3;

// One collective operation of two ranks takes one second.
constexpr SimulatedNetwork latency_only{1, 1e30};

Sequential make_model() {
    Sequential model{Linear(inputs, 4), ReLU(), Linear(4, classes)};
    Rng rng(1001);
    for (Tensor& parameter : model.parameters())
        for (std::size_t i = 0; i < parameter.size(); ++i)
            parameter.data()[i] = static_cast<float>(rng.uniform(-1, 1));
    return model;
}

// Leaves the gradients of the examples from first to last in the model.
void compute_gradients(Sequential& model, std::size_t first, std::size_t last) {
    Tensor x = Tensor::zeros({last - first, inputs});
    std::vector<int> labels;
    for (std::size_t i = first; i < last; ++i) {
        Rng rng(2000 + i);
        for (std::size_t k = 0; k < inputs; ++k)
            x.data()[(i - first) * inputs + k] = static_cast<float>(rng.uniform(-2, 2));
        labels.push_back(static_cast<int>(i % classes));
    }
    Tensor loss = cross_entropy(model(x), Tensor::from(labels));
    loss.backward();
}

Values all_of(const Sequential& model, bool gradients) {
    Values all{{0}, {}};
    for (const Tensor& parameter : model.parameters()) {
        if (gradients && !parameter.has_grad()) continue;
        for (const float value : (gradients ? parameter.grad() : parameter).to_vector())
            all.numbers.push_back(value);
    }
    all.shape[0] = all.numbers.size();
    return all;
}

// The sum over the ranks, each with its weight.
Values combined(const std::vector<Values>& gradients, const std::vector<double>& weights) {
    Values sum = gradients[0];
    for (std::size_t i = 0; i < sum.numbers.size(); ++i) {
        sum.numbers[i] = 0;
        for (std::size_t rank = 0; rank < gradients.size(); ++rank)
            sum.numbers[i] += weights[rank] * gradients[rank].numbers[i];
    }
    return sum;
}

std::vector<notebook::KnownMistake> mistakes(const std::vector<Values>& own, std::size_t rank,
                                             const std::vector<std::size_t>& shares) {
    const double p = static_cast<double>(own.size());
    const double total =
        static_cast<double>(std::accumulate(shares.begin(), shares.end(), std::size_t{0}));
    std::vector<double> by_examples(shares.begin(), shares.end());
    const std::vector<double> ones(own.size(), 1.0);
    const std::vector<double> after(own.size(), by_examples[rank] / total);
    const std::vector<double> equal(own.size(), 1 / p);
    return {
        {own[rank],
         "These are the gradients of this rank alone. all_reduce must write to the gradients "
         "themselves: Tensor gradient = parameter.grad() shares their memory, a clone does not."},
        {combined(own, ones),
         "This is the sum over the ranks, not the mean: the step would be larger with each rank."},
        {combined(own, by_examples),
         "The sum is weighted by the examples, but not divided by the number of all examples."},
        {combined(own, equal),
         "This is the mean in which every rank counts the same. A rank with fewer examples counts "
         "less: weight each gradient with examples / (the examples of all ranks)."},
        {combined(own, after),
         "The weight examples / total was applied after the sum. It differs from rank to rank, so "
         "apply it to the own gradient before all_reduce."},
    };
}

// Of one collective operation. One rank alone takes no time.
double seconds_of_one(int ranks) {
    const SimulatedRun run =
        simulate_ranks(ranks, [](const Communicator& comm) { comm.all_reduce(1); }, latency_only);
    return run.seconds > 0 ? run.seconds : 1;
}

}  // namespace

std::string words(const ShareCase& one) {
    std::string text;
    for (const std::size_t share : one.shares)
        text += (text.empty() ? "" : ", ") + std::to_string(share);
    return (one.shares.size() == 1 ? "1 rank with " : "ranks with ") + text + " examples";
}

double judge_gradients(Judge& judge, void (*answer)(const Communicator&, Module&, std::size_t),
                       const ShareCase& one) {
    const std::size_t p = one.shares.size();
    std::vector<std::size_t> first(p + 1, 0);
    for (std::size_t rank = 0; rank < p; ++rank) first[rank + 1] = first[rank] + one.shares[rank];
    Sequential whole = make_model();
    compute_gradients(whole, 0, first[p]);
    const Values expected = all_of(whole, true);
    const Values weights = all_of(whole, false);

    std::vector<Sequential> models;
    std::vector<Values> own;
    for (std::size_t rank = 0; rank < p; ++rank) {
        models.push_back(make_model());
        compute_gradients(models.back(), first[rank], first[rank + 1]);
        own.push_back(all_of(models.back(), true));
    }
    const SimulatedRun run = judge.call([&] {
        return simulate_ranks(
            static_cast<int>(p),
            [&](const Communicator& comm) {
                const auto rank = static_cast<std::size_t>(comm.rank());
                answer(comm, models[rank], one.shares[rank]);
            },
            latency_only);
    });
    for (std::size_t rank = 0; rank < p; ++rank) {
        About about_weights;
        about_weights.what = "the parameters of rank " + std::to_string(rank);
        about_weights.words =
            "The parameters have changed. Only their gradients should: the "
            "optimizer makes the step afterwards.";
        judge.same(all_of(models[rank], false), weights, about_weights);
        About about;
        about.what = "the gradients of rank " + std::to_string(rank);
        about.tolerance = {1e-5, 1e-4};
        about.known = mistakes(own, rank, one.shares);
        const Values got = all_of(models[rank], true);
        const std::size_t one_layer = inputs * 4;
        if (got.numbers.size() == expected.numbers.size() &&
            std::equal(got.numbers.begin() + one_layer, got.numbers.end(),
                       own[rank].numbers.begin() + one_layer))
            about.words = "Only the first parameter was averaged. model.parameters() has them all.";
        judge.same(got, expected, about);
    }
    return run.seconds / seconds_of_one(static_cast<int>(p));
}

}  // namespace lanes::exercises
