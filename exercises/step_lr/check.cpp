#include "exercise.hpp"

#include "../common/needs.hpp"
#include "notebook/exercise/judge.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;

struct RateCase {
    double initial;
    int epoch;
    int step_size;
    double gamma;
};

std::string words(const RateCase& one) {
    return "epoch " + std::to_string(one.epoch) + ", initial " + to_text(one.initial) +
           ", step_size " + std::to_string(one.step_size) + ", gamma " + to_text(one.gamma);
}

notebook::Values number(double value) { return {{1}, {value}}; }

}  // namespace

StepLr::StepLr()
    : Exercise(text_of<StepLr>(
          "step_lr",
          "Gives the learning rate in an epoch, numbered from 0: initial in the first step_size "
          "epochs, gamma times as much in the next step_size, and so on.",
          "one line",
          "A division of two int is rounded down: epoch / step_size is the number of steps so far. "
          "std::pow(gamma, that) is the factor.")) {}

void StepLr::check(Answer answer) const {
    const std::vector<RateCase> cases{{1000, 0, 7, 0.1},  {1000, 6, 7, 0.1}, {1000, 7, 7, 0.1},
                                      {1000, 15, 7, 0.1}, {8, 9, 3, 0.5},    {2, 5, 1, 0.25},
                                      {1e-3, 20, 7, 0.1}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const RateCase& one) {
        const auto rate = [&](double steps) { return one.initial * std::pow(one.gamma, steps); };
        const int steps = one.epoch / one.step_size;
        About about;
        about.tolerance = {1e-12, 1e-6};
        const auto add = [&](double gives, const char* text) {
            about.known.push_back({number(gives), text});
        };
        add(rate((one.epoch + 1) / one.step_size),
            "The rate falls one epoch early. The first step_size epochs, 0 to step_size - 1, have "
            "the initial one.");
        add(rate(static_cast<double>(one.epoch) / one.step_size),
            "The rate falls a little in each epoch. The division must be rounded down: divide two "
            "int.");
        add(rate(one.epoch), "The rate falls in each epoch, not every step_size epochs.");
        add(one.initial * one.gamma * steps,
            "The factor is gamma to the power of the steps, not gamma times their number.");
        add(one.initial * one.gamma,
            "This is one step. After k steps gamma was multiplied k times.");
        add(std::pow(one.gamma, steps), "This is the factor alone: multiply it by initial.");
        add(one.initial, "The rate stays as it was.");
        const double got =
            judge.call([&] { return answer(one.initial, one.epoch, one.step_size, one.gamma); });
        judge.same(number(got), number(rate(steps)), about);
    });
}

}  // namespace lanes::exercises
