#include "exercise.hpp"

#include "../common/needs.hpp"
#include "lanes/base/rng.hpp"
#include "lanes/distributed/simulated_ranks.hpp"
#include "lanes/nn/layers.hpp"
#include "lanes/nn/losses.hpp"
#include "lanes/tensor/ops.hpp"
#include "notebook/exercise/judge.hpp"

#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;
using notebook::Values;

constexpr std::size_t inputs = 4;
constexpr std::size_t classes = 3;
constexpr double rate = 0.5;

struct StepCase {
    int ranks;
    std::size_t examples;
};

std::string words(const StepCase& one) {
    return std::to_string(one.ranks) + (one.ranks == 1 ? " rank, " : " ranks, ") +
           std::to_string(one.examples) + " examples";
}

// Keeps how many rows each call had.
class WatchedLinear : public Module {
public:
    WatchedLinear() {
        Rng rng(77);
        for (Tensor& parameter : parameters())
            for (std::size_t i = 0; i < parameter.size(); ++i)
                parameter.data()[i] = static_cast<float>(rng.uniform(-1, 1));
    }
    Tensor forward(const Tensor& x) override {
        rows.push_back(x.shape(0));
        return linear_(x);
    }
    std::vector<std::size_t> rows;

private:
    Linear linear_ = register_module("linear", Linear(inputs, classes));
};

struct Batch {
    Tensor x, y;
};

Batch make_batch(std::size_t examples, std::uint64_t seed) {
    Rng rng(seed);
    Tensor x = Tensor::zeros({examples, inputs});
    std::vector<int> labels;
    for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(rng.uniform(-2, 2));
    for (std::size_t i = 0; i < examples; ++i)
        labels.push_back(static_cast<int>(rng.integer(0, classes - 1)));
    return {x, Tensor::from(labels)};
}

Values weights_of(const Module& model) {
    Values all{{0}, {}};
    for (const Tensor& parameter : model.parameters())
        for (const float value : parameter.to_vector()) all.numbers.push_back(value);
    all.shape[0] = all.numbers.size();
    return all;
}

// After steps with rows first … last - 1 of each batch. keep: gradients are not set to zero.
Values after(const std::vector<Batch>& batches, std::size_t first, std::size_t last,
             bool keep = false) {
    WatchedLinear model;
    SGD optimizer(model.parameters(), rate);
    for (const Batch& batch : batches) {
        Tensor loss = cross_entropy(model(batch.x.slice(first, last)), batch.y.slice(first, last));
        if (!keep) optimizer.zero_grad();
        loss.backward();
        optimizer.step();
    }
    return weights_of(model);
}

void judge_case(Judge& judge, TrainStep::Answer answer, const StepCase& one) {
    const auto p = static_cast<std::size_t>(one.ranks);
    const std::size_t n = one.examples;
    const std::vector<Batch> batches{make_batch(n, 5), make_batch(n, 6)};
    std::vector<WatchedLinear> models(p);
    std::vector<Values> first(p);  // after the first step
    judge.call([&] {
        return simulate_ranks(one.ranks, [&](const Communicator& comm) {
            const auto rank = static_cast<std::size_t>(comm.rank());
            SGD optimizer(models[rank].parameters(), rate);
            for (const Batch& batch : batches) {
                answer(comm, models[rank], optimizer, batch.x, batch.y);
                if (first[rank].numbers.empty()) first[rank] = weights_of(models[rank]);
            }
        });
    });
    const std::vector<Batch> only_first{batches[0]};
    for (std::size_t rank = p; rank-- > 0;) {  // the first share is not that of the last rank
        About about;
        about.what = "the parameters of rank " + std::to_string(rank) + " after one step";
        about.tolerance = {1e-5, 1e-4};
        about.known = {{weights_of(WatchedLinear()),
                        "They are as they were: loss.backward() computes gradients, "
                        "optimizer.step() uses them."}};
        if (p > 1) {
            about.known.push_back(
                {after(only_first, n * rank / p, n * (rank + 1) / p),
                 "This is a step with the gradients of this rank's share alone: average_gradients "
                 "is called after loss.backward() and before optimizer.step()."});
            about.known.push_back(
                {after(only_first, 0, n / p),
                 "All ranks have computed with the first share. That of rank r begins with example "
                 "n * r / p."});
        }
        judge.same(first[rank], after(only_first, 0, n), about);
        about.what = "the parameters of rank " + std::to_string(rank) + " after two steps";
        about.known = {{after(batches, 0, n, true),
                        "The gradients of the first step are in the second one, too: "
                        "optimizer.zero_grad() before loss.backward()."}};
        judge.same(weights_of(models[rank]), after(batches, 0, n), about);
        std::size_t rows = 0;
        for (const std::size_t count : models[rank].rows) rows += count;
        judge.require(rows <= 2 * (n / p + 1),
                      "the step is right, but rank " + std::to_string(rank) + " has computed " +
                          std::to_string(rows) + " examples in two steps.",
                      "The ranks share the work: each one computes its own examples only, by "
                      "x.slice(first, last) and y.slice(first, last).");
    }
}

}  // namespace

TrainStep::TrainStep()
    : Exercise(text_of<TrainStep>(
          "train_step",
          "All ranks call it with the same n examples x and labels y. Rank r of p takes those from "
          "n * r / p to n * (r + 1) / p, computes the loss and the gradients, averages them over "
          "the ranks by average_gradients, and makes a step of the optimizer.",
          "about seven lines",
          "Tensor loss = lanes::cross_entropy(model(x.slice(first, last)), y.slice(first, last)); "
          "then zero_grad, backward, average_gradients(comm, model, last - first), step.")) {}

void TrainStep::check(Answer answer) const {
    const std::vector<StepCase> cases{{2, 8}, {3, 10}, {4, 9}, {1, 5}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const StepCase& one) {
        judge_case(judge, answer, one);
    });
}

}  // namespace lanes::exercises
