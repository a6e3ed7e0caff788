#include "exercise.hpp"

#include "../common/needs.hpp"
#include "lanes/base/rng.hpp"
#include "notebook/exercise/judge.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;
using notebook::Values;

struct StepsCase {
    std::size_t weights;
    int steps;
    double scale;  // gradients are from -scale to scale
};

std::string words(const StepsCase& one) {
    return std::to_string(one.weights) + (one.weights == 1 ? " weight, " : " weights, ") +
           std::to_string(one.steps) + (one.steps == 1 ? " step" : " steps") + ", gradients from " +
           to_text(-one.scale) + " to " + to_text(one.scale);
}

// The usual mistakes.
struct Way {
    bool corrects_m = true;
    bool corrects_v = true;
    bool eps_in_root = false;
    bool has_root = true;
    double sign = -1;
    double beta1 = 0.9;
    double beta2 = 0.999;
    bool keeps_corrected = false;  // in m and v of the state
};

constexpr double learning_rate = 0.1;
constexpr double eps = 1e-8;

void step(plates::AdamState& state, const std::vector<double>& gradient, const Way& way) {
    ++state.steps;
    for (std::size_t i = 0; i < state.w.size(); ++i) {
        state.m[i] = way.beta1 * state.m[i] + (1 - way.beta1) * gradient[i];
        state.v[i] = way.beta2 * state.v[i] + (1 - way.beta2) * gradient[i] * gradient[i];
        const double m = state.m[i] / (way.corrects_m ? 1 - std::pow(way.beta1, state.steps) : 1);
        const double v = state.v[i] / (way.corrects_v ? 1 - std::pow(way.beta2, state.steps) : 1);
        const double scale = !way.has_root     ? v + eps
                             : way.eps_in_root ? std::sqrt(v + eps)
                                               : std::sqrt(v) + eps;
        if (way.keeps_corrected) {
            state.m[i] = m;
            state.v[i] = v;
        }
        state.w[i] += way.sign * learning_rate * m / scale;
    }
}

// The same gradients for every way.
template <class Step>
plates::AdamState after_steps(const StepsCase& one, Step&& take_step) {
    Rng rng = Rng(9).split(one.weights * 100 + static_cast<std::size_t>(one.steps));
    plates::AdamState state{std::vector<double>(one.weights), std::vector<double>(one.weights),
                            std::vector<double>(one.weights), 0};
    for (double& weight : state.w) weight = rng.uniform(-1, 1);
    for (int i = 0; i < one.steps; ++i) {
        std::vector<double> gradient(one.weights);
        for (double& value : gradient) value = rng.uniform(-one.scale, one.scale);
        take_step(state, gradient);
    }
    return state;
}

plates::AdamState after(const StepsCase& one, const Way& way) {
    return after_steps(
        one, [&](plates::AdamState& state, const auto& gradient) { step(state, gradient, way); });
}

Values values(const std::vector<double>& numbers) { return {{numbers.size()}, numbers}; }

// Numbers of about the size 1, so that tolerances and known mistakes work for all scales.
Values scaled(const std::vector<double>& numbers, double factor) {
    Values result = values(numbers);
    for (double& number : result.numbers) number *= factor;
    return result;
}

void judge_means(Judge& judge, const plates::AdamState& got, const plates::AdamState& right,
                 const StepsCase& one) {
    const plates::AdamState swapped = after(one, {true, true, false, true, -1, 0.999, 0.9});
    Way keeps;
    keeps.keeps_corrected = true;
    const plates::AdamState kept = after(one, keeps);
    About m, v;
    m.what = "m, the mean of the gradients";
    v.what = "v, the mean of their squares";
    if (one.scale != 1) {  // they are shown in about the size 1
        m.what += ", divided by " + to_text(one.scale);
        v.what += ", divided by " + to_text(one.scale * one.scale);
    }
    const char* local = "The corrected mean is kept. The corrected ones are local variables.";
    m.tolerance = v.tolerance = {1e-6, 1e-4};
    const double to_m = 1 / one.scale, to_v = to_m * to_m;
    m.known = {{scaled(swapped.m, to_m), "0.9 belongs to m and 0.999 to v."},
               {scaled(kept.m, to_m), local},
               {scaled(right.m, 10 * to_m), "The gradient must be multiplied by 1 - 0.9."},
               {scaled(std::vector<double>(one.weights), 1), "m stays 0: it is never written."}};
    v.known = {{scaled(swapped.v, to_v), "0.9 belongs to m and 0.999 to v."},
               {scaled(kept.v, to_v), local},
               {scaled(right.v, 1000 * to_v), "The square must be multiplied by 1 - 0.999."},
               {scaled(std::vector<double>(one.weights), 1), "v stays 0: it is never written."}};
    judge.same(scaled(got.m, to_m), scaled(right.m, to_m), m);
    judge.same(scaled(got.v, to_v), scaled(right.v, to_v), v);
}

void judge_weights(Judge& judge, const plates::AdamState& got, const plates::AdamState& right,
                   const StepsCase& one) {
    About about;
    about.what = "the weights";
    about.tolerance = {1e-6, 1e-5};
    const auto add = [&](const Way& way, const char* words) {
        about.known.push_back({values(after(one, way).w), words});
    };
    add({true, true, false, true, 1}, "The weights move uphill: subtract the step.");
    add({false, false}, "The two corrections by 1 - 0.9^t and 1 - 0.999^t are missing.");
    add({true, false}, "The correction of v by 1 - 0.999^t is missing.");
    add({false, true}, "The correction of m by 1 - 0.9^t is missing.");
    add({true, true, false, false}, "The square root of v is missing.");
    add({true, true, true}, "1e-8 is added to the square root, not to v.");
    judge.same(values(got.w), values(right.w), about);
}

}  // namespace

AdamStep::AdamStep()
    : Exercise(text_of<AdamStep>(
          "adam_step",
          "One step of Adam with beta1 = 0.9, beta2 = 0.999 and eps = 1e-8: changes w, m, v and "
          "steps of the state.",
          "eight lines",
          "Count the step first, so that t is 1 in the first one. m and v keep the uncorrected "
          "means; the corrected ones are local variables.")) {}

void AdamStep::check(Answer answer) const {
    // After one step a corrected mean is the gradient itself: two steps come first.
    const std::vector<StepsCase> cases{{3, 2, 1}, {1, 1, 1}, {3, 1, 1}, {5, 40, 1}, {4, 3, 1e-8}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const StepsCase& one) {
        const plates::AdamState right = after(one, Way{});
        const plates::AdamState got = judge.call([&] {
            return after_steps(one,
                               [&](plates::AdamState& state, const std::vector<double>& gradient) {
                                   answer(state, gradient, learning_rate);
                               });
        });
        judge.require(got.steps == one.steps,
                      "steps is " + std::to_string(got.steps) + ", expected " +
                          std::to_string(one.steps) + ".",
                      "Each call adds 1 to state.steps, before it is used.");
        judge_means(judge, got, right, one);
        judge_weights(judge, got, right, one);
    });
}

}  // namespace lanes::exercises
