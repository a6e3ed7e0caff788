// run_phase: a phase of 20 examples, with and without an optimizer. The last batch is smaller, so a
// mean over batches differs from a mean over examples.
#include "exercise.hpp"

#include "../common/needs.hpp"
#include "../common/phases.hpp"
#include "lanes/lesson/spare_transfer.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;
using notebook::Values;
using phase_check::batches_of;
using phase_check::number;
using phase_check::Watched;

struct PhaseCase {
    bool trains;
    std::size_t examples;
    Device device;
};

std::string words(const PhaseCase& one) {
    return std::string(one.trains ? "training" : "validation, without an optimizer") + " with " +
           std::to_string(one.examples) + " examples in batches of 8, on " + one.device.id();
}

// What the usual mistakes give.
struct Way {
    bool zero_grad = true;
    bool steps = true;
    bool by_batch = false;  // the mean over batches
    bool sums = false;      // no division
    bool last = false;      // the last batch alone
};

struct Result {
    double loss = 0;
    double accuracy = 0;
    Values weights;
    Values statistics;
};

Result result(const PhaseCase& one, const Way& way) {
    Watched model;
    model.train(one.trains);
    SGD optimizer(model.parameters(), 0.5, SGDOptions().momentum(0.9));
    Result all;
    double count = 0;
    DataLoader<2> batches = batches_of(one.examples);
    for (auto& [x, y] : batches) {
        const Tensor logits = model(x);
        Tensor loss = cross_entropy(logits, y);
        if (one.trains) {
            if (way.zero_grad) optimizer.zero_grad();
            loss.backward();
            if (way.steps) optimizer.step();
        }
        const double weight = way.by_batch ? 1 : static_cast<double>(y.size());
        if (way.last) all.loss = all.accuracy = count = 0;
        all.loss += weight * static_cast<double>(loss.item());
        all.accuracy += weight * static_cast<double>(accuracy(logits.detach(), y));
        count += weight;
    }
    if (!way.sums) all.loss /= count;
    if (!way.sums) all.accuracy /= count;
    all.weights = model.weights();
    all.statistics = model.statistics();
    return all;
}

Way way(void (*change)(Way&)) {
    Way one;
    change(one);
    return one;
}

void judge_modes(Judge& judge, const PhaseCase& one, Watched& model) {
    const std::size_t batches = (one.examples + 7) / 8;
    judge.require(model.calls().size() == batches,
                  "the model was called " + std::to_string(model.calls().size()) + " times for " +
                      std::to_string(batches) + " batches.",
                  "Call it once with each batch.");
    const bool first = model.calls().front().training;
    judge.require(
        first == one.trains,
        std::string("the model was in ") + (first ? "training" : "evaluation") + " mode.",
        one.trains ? "With an optimizer it is a training: call model.train() before the loop."
                   : "Without an optimizer it is the validation: call model.eval() before the "
                     "loop, else batch normalisation uses the batch and changes its statistics.");
    const bool recorded = std::any_of(model.calls().begin(), model.calls().end(),
                                      [](const Watched::Call& call) { return call.recorded; });
    judge.require(one.trains || !recorded,
                  "operations were recorded for gradients that nobody needs.",
                  "In the validation a lanes::NoGrad must exist while the model computes: it saves "
                  "time and memory.");
}

void judge_phase(Judge& judge, RunPhase::Answer answer, const PhaseCase& one) {
    const Result right = result(one, {});
    Watched model;
    model.train(!one.trains);
    model.to(one.device);
    SGD optimizer(model.parameters(), 0.5, SGDOptions().momentum(0.9));
    DataLoader<2> batches = batches_of(one.examples);
    const PhaseResult got =
        judge.call([&] { return answer(model, batches, one.trains ? &optimizer : nullptr); });
    judge_modes(judge, one, model);

    About about;
    about.what = one.trains ? "the weights after the phase" : "the weights after the validation";
    about.tolerance = {1e-4, 1e-3};
    if (one.trains)
        about.known = {
            {result(one, way([](Way& w) { w.zero_grad = false; })).weights,
             "The gradients of all batches are added up: optimizer->zero_grad() is missing."},
            {result(one, way([](Way& w) { w.steps = false; })).weights,
             "The weights have not changed. backward() computes gradients; optimizer->step() uses "
             "them."}};
    judge.same(model.weights(), right.weights, about);
    about = About{};
    about.what = "the running statistics";
    about.tolerance = {1e-4, 1e-3};
    judge.same(model.statistics(), right.statistics, about);

    const Result by_batch = result(one, way([](Way& w) { w.by_batch = true; }));
    const Result sums = result(one, way([](Way& w) { w.sums = true; }));
    const Result last = result(one, way([](Way& w) { w.last = true; }));
    const auto judge_mean = [&](const std::string& what, double value, double Result::* member) {
        About mean;
        mean.what = what;
        mean.tolerance = {1e-4, 1e-3};
        mean.known = {
            {number(0), "It stays 0."},
            {number(by_batch.*member),
             "This is the mean over the batches. The last batch is smaller and counts "
             "less: multiply by y.size(), and divide by the number of examples."},
            {number(sums.*member), "This is the sum over the examples. Divide it by their number."},
            {number(last.*member), "This is the last batch alone."}};
        judge.same(number(value), number(right.*member), mean);
    };
    judge_mean("the loss", got.loss, &Result::loss);
    judge_mean("the accuracy", got.accuracy, &Result::accuracy);
}

}  // namespace

RunPhase::RunPhase()
    : Exercise(text_of<RunPhase>(
          "run_phase",
          "Runs the model on all batches and returns the mean loss (cross-entropy) and the "
          "accuracy over all examples. With an optimizer it is a training phase: training mode, "
          "and a step per batch. Without one it is the validation: evaluation mode, no gradients.",
          "eighteen lines",
          "model.train(optimizer != nullptr); for each batch: x.to(device), y.to(device), the "
          "logits, lanes::cross_entropy(logits, y); if there is an optimizer: zero_grad, backward, "
          "step. lanes::accuracy(logits, y) is the share of right answers of a batch.")) {}

void RunPhase::check(Answer answer) const {
    const std::vector<PhaseCase> cases{{true, 20, Device::cpu()},
                                       {false, 20, Device::cpu()},
                                       {true, 16, Device::simulator()},
                                       {false, 3, Device::simulator()}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const PhaseCase& one) {
        judge_phase(judge, answer, one);
    });
}

}  // namespace lanes::exercises
