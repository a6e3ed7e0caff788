// train_model: the model notes the mode of each call, so the order of the phases is known, and the
// learning rate of each step.
#include "exercise.hpp"

#include "../common/needs.hpp"
#include "../common/phases.hpp"
#include "lanes/lesson/spare_transfer.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;
using notebook::Values;
using phase_check::batches_of;
using phase_check::Watched;

struct EpochsCase {
    int epochs;
    std::size_t train;  // examples
    std::size_t val;
};

std::string words(const EpochsCase& one) {
    return std::to_string(one.epochs) + (one.epochs == 1 ? " epoch" : " epochs") + " with " +
           std::to_string(one.train) + " examples for training and " + std::to_string(one.val) +
           " for validation";
}

double rate_of(int epoch) { return 0.4 / (epoch + 1); }

// T for each batch in training mode, V for others: "TTTV|TTTV".
std::string pattern(const EpochsCase& one) {
    const std::string epoch =
        std::string((one.train + 7) / 8, 'T') + std::string((one.val + 7) / 8, 'V');
    std::string all;
    for (int i = 0; i < one.epochs; ++i) all += epoch;
    return all;
}

std::string called(Watched& model) {
    std::string all;
    for (const Watched::Call& call : model.calls()) all += call.training ? 'T' : 'V';
    return all;
}

void judge_order(Judge& judge, const EpochsCase& one, Watched& model) {
    const std::string right = pattern(one);
    const std::string got = called(model);
    if (got == right) return;
    std::string advice =
        "Each epoch is run_phase(model, train, &optimizer) and then "
        "run_phase(model, val, nullptr).";
    if (got.find('V') == std::string::npos)
        advice = "There is no validation: " + advice;
    else if (got.find('T') == std::string::npos)
        advice = "Nothing is trained: " + advice;
    else if (got.front() == 'V')
        advice = "The validation comes after the training of the epoch.";
    else if (got.size() != right.size())
        advice = "num_epochs is the number of epochs: 0 to num_epochs - 1.";
    judge.fail("the batches were, T in training mode and V in evaluation mode, " + got +
                   ", and should be " + right + ".",
               advice);
}

void judge_rates(Judge& judge, const EpochsCase& one, const std::vector<double>& rates) {
    const std::size_t per_epoch = (one.train + 7) / 8 + (one.val + 7) / 8;
    for (std::size_t i = 0; i < rates.size(); ++i) {
        const auto epoch = static_cast<int>(i / per_epoch);
        if (i % per_epoch >= (one.train + 7) / 8) continue;  // validation: no rate is used
        const double right = rate_of(epoch);
        if (std::abs(rates[i] - right) < 1e-9) continue;
        std::string advice =
            "Call optimizer.set_learning_rate(rate(epoch)) at the beginning of "
            "the epoch.";
        if (std::abs(rates[i] - rate_of(epoch + 1)) < 1e-9)
            advice =
                "This is the rate of the next epoch, as in the loop of the project: the first "
                "epoch is trained with rate(0).";
        else if (epoch > 0 && std::abs(rates[i] - rate_of(epoch - 1)) < 1e-9)
            advice =
                "This is the rate of the epoch before: set the rate before the training "
                "phase, not after it.";
        judge.fail("epoch " + std::to_string(epoch) + " was trained with the learning rate " +
                       to_text(rates[i]) + ", and rate(" + std::to_string(epoch) + ") is " +
                       to_text(right) + ".",
                   advice);
    }
}

Values history_of(const std::vector<TrainedEpoch>& epochs) {
    Values values{{epochs.size(), 5}, {}};
    for (const TrainedEpoch& one : epochs)
        for (const double value : {one.train.loss, one.train.accuracy, one.val.loss,
                                   one.val.accuracy, one.learning_rate})
            values.numbers.push_back(value);
    return values;
}

std::vector<TrainedEpoch> exchanged(std::vector<TrainedEpoch> epochs) {
    for (TrainedEpoch& one : epochs) std::swap(one.train, one.val);
    return epochs;
}

std::vector<TrainedEpoch> without_rates(std::vector<TrainedEpoch> epochs) {
    for (TrainedEpoch& one : epochs) one.learning_rate = 0;
    return epochs;
}

void judge_training(Judge& judge, TrainModel::Answer answer, const EpochsCase& one) {
    Watched right_model;
    SGD right_optimizer(right_model.parameters(), 9);
    DataLoader<2> train = batches_of(one.train);
    DataLoader<2> val = batches_of(one.val);
    const auto right =
        spare::train_model(right_model, train, val, right_optimizer, rate_of, one.epochs);

    Watched model;
    SGD optimizer(model.parameters(), 9);
    std::vector<double> rates;
    model.on_call = [&] { rates.push_back(optimizer.learning_rate()); };
    const auto got =
        judge.call([&] { return answer(model, train, val, optimizer, rate_of, one.epochs); });
    judge_order(judge, one, model);
    judge_rates(judge, one, rates);
    judge.require(got.size() == right.size(),
                  std::to_string(got.size()) + " epochs were returned, " +
                      std::to_string(right.size()) + " expected.",
                  "Append one lanes::TrainedEpoch per epoch.");
    About about;
    about.what = "train.loss, train.accuracy, val.loss, val.accuracy and learning_rate";
    about.tolerance = {1e-4, 1e-3};
    about.known = {{history_of(exchanged(right)), "train and val are exchanged in the result."},
                   {history_of(without_rates(right)),
                    "learning_rate stays 0: it is rate(epoch), as the optimizer has it."}};
    judge.same(history_of(got), history_of(right), about);
}

}  // namespace

TrainModel::TrainModel()
    : Exercise(text_of<TrainModel>(
          "train_model",
          "Trains for num_epochs epochs and returns what each gave. In epoch 0, 1, …: the "
          "optimizer gets the learning rate rate(epoch), then come a training phase and a "
          "validation phase.",
          "nine lines",
          "optimizer.set_learning_rate(rate(epoch)), then run_phase(model, train, &optimizer) and "
          "run_phase(model, val, nullptr).")) {}

void TrainModel::check(Answer answer) const {
    const std::vector<EpochsCase> cases{{3, 20, 11}, {1, 16, 8}, {5, 8, 24}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const EpochsCase& one) {
        judge_training(judge, answer, one);
    });
}

}  // namespace lanes::exercises
