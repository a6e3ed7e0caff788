#include "exercise.hpp"

#include "../common/needs.hpp"
#include "lanes/array/types.hpp"
#include "lanes/base/rng.hpp"
#include "lanes/gpu/device.hpp"
#include "lanes/gpu/trace.hpp"
#include "notebook/exercise/judge.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;
using notebook::Values;

constexpr float rate = 0.25f, momentum = 0.5f;

struct Case {
    std::size_t samples, inputs, hidden, classes;
};

std::string words(const Case& one) {
    return "a network " + std::to_string(one.inputs) + "-" + std::to_string(one.hidden) + "-" +
           std::to_string(one.classes) + ", " + std::to_string(one.samples) +
           (one.samples == 1 ? " sample" : " samples");
}

using Numbers = xt::xtensor<double, 2>;

struct Setting {
    Numbers x, w1, w2, v1, v2;
    std::vector<int> y;
};

Setting setting_of(const Case& one) {
    Rng rng(82);
    const auto random = [&](std::size_t rows, std::size_t columns) {
        Numbers m = Numbers::from_shape({rows, columns});
        for (double& value : m) value = static_cast<float>(rng.uniform(-1, 1));
        return m;
    };
    Setting s{random(one.samples, one.inputs), random(one.inputs, one.hidden),
              random(one.hidden, one.classes), random(one.inputs, one.hidden),
              random(one.hidden, one.classes), {}};
    for (std::size_t i = 0; i < one.samples; ++i)
        s.y.push_back(static_cast<int>(rng.integer(0, static_cast<int>(one.classes) - 1)));
    return s;
}

Numbers product(const Numbers& a, const Numbers& b) {
    Numbers c = xt::zeros<double>({a.shape(0), b.shape(1)});
    for (std::size_t i = 0; i < a.shape(0); ++i)
        for (std::size_t k = 0; k < a.shape(1); ++k)
            for (std::size_t j = 0; j < b.shape(1); ++j) c(i, j) += a(i, k) * b(k, j);
    return c;
}

Numbers turned(const Numbers& a) {
    Numbers c = Numbers::from_shape({a.shape(1), a.shape(0)});
    for (std::size_t i = 0; i < a.shape(0); ++i)
        for (std::size_t j = 0; j < a.shape(1); ++j) c(j, i) = a(i, j);
    return c;
}

// The right step, and steps with a mistake.
struct Variant {
    bool relu = true;                  // in the forward pass
    bool relu_backward = true;         // in the backward pass
    bool old_w2 = true;                // the gradient of the hidden layer uses w2 as it was
    bool first = true, second = true;  // which layers are updated
    bool exchanged = false;            // rate and momentum
    bool sum = false;                  // of the losses, in place of the mean
};

struct Result {
    double loss = 0;
    Numbers w1, w2, v1, v2;
};

void update(Numbers& w, Numbers& v, const Numbers& g, const Variant& variant) {
    const double r = variant.exchanged ? momentum : rate, m = variant.exchanged ? rate : momentum;
    for (std::size_t i = 0; i < w.size(); ++i) {
        v.data()[i] = m * v.data()[i] + g.data()[i];
        w.data()[i] -= r * v.data()[i];
    }
}

Result step(const Setting& s, const Variant& variant) {
    Result now{0, s.w1, s.w2, s.v1, s.v2};
    const Numbers z1 = product(s.x, s.w1);
    Numbers a1 = z1;
    if (variant.relu)
        for (double& value : a1) value = std::max(value, 0.0);
    Numbers g2 = product(a1, s.w2);
    const std::size_t classes = g2.shape(1);
    const auto samples = static_cast<double>(s.y.size());
    for (std::size_t i = 0; i < s.y.size(); ++i) {
        double* row = g2.data() + i * classes;
        const double at_label = row[s.y[i]], largest = *std::max_element(row, row + classes);
        double sum = 0;
        for (std::size_t j = 0; j < classes; ++j) sum += std::exp(row[j] - largest);
        now.loss += (largest + std::log(sum) - at_label) / (variant.sum ? 1 : samples);
        for (std::size_t j = 0; j < classes; ++j)
            row[j] = (std::exp(row[j] - largest) / sum - (int(j) == s.y[i])) / samples;
    }
    if (!variant.old_w2) update(now.w2, now.v2, product(turned(a1), g2), variant);
    Numbers g1 = product(g2, turned(now.w2));
    if (variant.relu_backward)
        for (std::size_t i = 0; i < g1.size(); ++i)
            if (z1.data()[i] <= 0) g1.data()[i] = 0;
    if (variant.first) update(now.w1, now.v1, product(turned(s.x), g1), variant);
    if (variant.second && variant.old_w2) update(now.w2, now.v2, product(turned(a1), g2), variant);
    return now;
}

Values all(const Result& result) {
    Values values{{0}, {}};
    for (const Numbers* m : {&result.w1, &result.w2, &result.v1, &result.v2})
        values.numbers.insert(values.numbers.end(), m->begin(), m->end());
    values.shape[0] = values.numbers.size();
    return values;
}

Values number(double value) { return {{1}, {value}}; }

Tensor tensor_of(const Numbers& m, const Device& device) { return Tensor::from(m, device); }

About about_weights(const Setting& s) {
    About about;
    about.what = "w1, w2, v1 and v2, one after the other";
    about.tolerance = {1e-4, 1e-3};
    const auto add = [&](const Variant& variant, const char* words) {
        about.known.push_back({all(step(s, variant)), words});
    };
    Variant wrong;
    wrong.relu_backward = false;
    add(wrong, "The gradient of the hidden layer has not passed relu_backward.");
    wrong = {}, wrong.relu = false;
    add(wrong, "The hidden layer has no ReLU in the forward pass: a1 = relu(z1).");
    wrong = {}, wrong.old_w2 = false;
    add(wrong, "w2 was updated before the gradient of the hidden layer was computed with it.");
    wrong = {}, wrong.second = false;
    add(wrong, "w2 is as it was: both layers are updated.");
    wrong = {}, wrong.first = false;
    add(wrong, "w1 is as it was: both layers are updated.");
    wrong = {}, wrong.first = wrong.second = false;
    add(wrong, "The weights are as they were: own.sgd_update changes them.");
    wrong = {}, wrong.exchanged = true;
    add(wrong, "rate and momentum are exchanged: sgd_update takes the rate first.");
    return about;
}

void judge_device(Judge& judge, OwnStep::Answer answer, const Case& one, const Device& device) {
    const Setting s = setting_of(one);
    const OwnKernels kernels(device);
    TwoLayers net;
    net.w1 = tensor_of(s.w1, device), net.w2 = tensor_of(s.w2, device);
    net.v1 = tensor_of(s.v1, device), net.v2 = tensor_of(s.v2, device);
    const Tensor x = tensor_of(s.x, device), y = Tensor::from(s.y, device);
    const LaunchTrace trace;
    const Tensor loss = judge.call([&] { return answer(kernels, net, x, y, rate, momentum); });
    judge.require(loss.defined() && loss.size() == 1, "the result is not one number.",
                  "Return the mean of the losses, a tensor on the device.");
    judge.require(trace.copies().empty(), "the step copied something between the memories.",
                  "Return a tensor on the device: item() and cpu() copy and wait.");
    Values got{{0}, {}};
    for (const Tensor& m : {net.w1, net.w2, net.v1, net.v2})
        for (const float value : m.cpu().to_vector()) got.numbers.push_back(value);
    got.shape[0] = got.numbers.size();
    const Result right = step(s, {});
    judge.same(got, all(right), about_weights(s));
    About about;
    about.what = "the loss";
    about.tolerance = {1e-4, 1e-3};
    Variant sum;
    sum.sum = true;
    about.known = {{number(step(s, sum).loss), "This is the sum of the losses, not their mean."}};
    judge.same(number(loss.item()), number(right.loss), about);
}

}  // namespace

OwnStep::OwnStep()
    : Exercise(text_of<OwnStep>(
          "own_step",
          "One training step of z = relu(x w1) w2 with three CUDA kernels: relu_backward, "
          "sgd_update and softmax_cross_entropy of `own`. Returns the mean loss.",
          "seven lines",
          "z1 = x w1, a1 = relu(z1); the losses and g2 of a1 w2; g1 = relu_backward(z1, g2 w2^T); "
          "then both updates, with x^T g1 and a1^T g2.")) {}

void OwnStep::check(Answer answer) const {
    const std::vector<Case> cases{{5, 4, 6, 3}, {1, 3, 2, 2}, {33, 7, 5, 10}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const Case& one) {
        judge_device(judge, answer, one, Device::simulator());
        if (Device::has_gpu()) judge_device(judge, answer, one, Device::best());
    });
}

}  // namespace lanes::exercises
