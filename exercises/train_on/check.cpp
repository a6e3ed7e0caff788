#include "exercise.hpp"

#include "../common/needs.hpp"
#include "lanes/base/rng.hpp"
#include "lanes/lesson/device_training.hpp"
#include "lanes/nn/layers.hpp"
#include "lanes/nn/optim.hpp"
#include "lanes/tensor/ops.hpp"
#include "notebook/exercise/judge.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;
using notebook::Values;

constexpr std::size_t inputs = 4, classes = 3;

struct Case {
    Device device;
    int epochs;
};

std::string words(const Case& one) {
    return std::to_string(one.epochs) + (one.epochs == 1 ? " epoch" : " epochs") +
           " on the device " + one.device.id();
}

// A model and batches, always with the same numbers. The class of an example is that of the
// largest of its first three numbers.
struct Setting {
    Sequential model{Linear(inputs, 5), ReLU(), Linear(5, classes)};
    DataLoader<2> training = batches_of(40, 821), validation = batches_of(30, 822);

    Setting() {
        Rng rng(820);
        for (Tensor& parameter : model.parameters())
            for (std::size_t i = 0; i < parameter.size(); ++i)
                parameter.data()[i] = static_cast<float>(rng.uniform(-1, 1));
    }
    static DataLoader<2> batches_of(std::size_t samples, std::uint64_t seed) {
        Rng rng(seed);
        Tensor x = Tensor::zeros({samples, inputs});
        Tensor y = Tensor::zeros({samples}, Device::cpu(), DType::int32);
        for (std::size_t i = 0; i < x.size(); ++i)
            x.data()[i] = static_cast<float>(rng.uniform(-1, 1));
        for (std::size_t i = 0; i < samples; ++i) {
            const float* row = x.data() + i * inputs;
            y.data<int>()[i] = static_cast<int>(std::max_element(row, row + classes) - row);
        }
        return DataLoader<2>(TensorDataset(x, y), DataLoaderOptions().batch_size(8));
    }
};

struct Result {
    std::vector<double> accuracies;
    Values weights;
};

Values weights_of(const Module& model) {
    Values all{{0}, {}};
    for (const Tensor& parameter : model.parameters())
        for (const float value : parameter.cpu().to_vector()) all.numbers.push_back(value);
    all.shape[0] = all.numbers.size();
    return all;
}

// The right training, and trainings with a mistake.
struct Variant {
    double rate = 0.05, momentum = 0.9;
    bool optimizer_per_epoch = false;
    bool on_validation = false;  // trains with the images of the validation
    bool exchanged = false;      // the accuracy of the training images
    bool before = false;         // the accuracy before each epoch
};

Result run(const Variant& variant, int epochs) {
    Setting s;
    const auto make = [&] {
        return std::make_unique<SGD>(s.model.parameters(), variant.rate,
                                     SGDOptions().momentum(variant.momentum));
    };
    std::unique_ptr<SGD> optimizer = make();
    Result result;
    const auto look = [&] {
        result.accuracies.push_back(spare::accuracy_on(
            s.model, variant.exchanged ? s.training : s.validation, Device::cpu()));
    };
    for (int epoch = 0; epoch < epochs; ++epoch) {
        if (variant.optimizer_per_epoch) optimizer = make();
        if (variant.before) look();
        for (auto& [x, y] : variant.on_validation ? s.validation : s.training) {
            Tensor loss = cross_entropy(s.model(x), y);
            optimizer->zero_grad();
            loss.backward();
            optimizer->step();
        }
        if (!variant.before) look();
    }
    result.weights = weights_of(s.model);
    return result;
}

Values list(const std::vector<double>& numbers) { return {{numbers.size()}, numbers}; }

void judge_case(Judge& judge, TrainOn::Answer answer, const Case& one) {
    const Result right = run({}, one.epochs);
    Setting s;
    const Values first = weights_of(s.model);
    const std::vector<double> got = judge.call(
        [&] { return answer(s.model, s.training, s.validation, one.epochs, one.device); });

    const Device now = s.model.parameters().front().device();
    judge.require(now == one.device,
                  "the model is on " + now.id() + " after the training on " + one.device.id() + ".",
                  "Move the model once, before the loop: model.to(device).");
    About about;
    about.what = "the parameters after the training";
    about.tolerance = {1e-3, 1e-3};
    const auto add = [&](const Variant& variant, const char* words) {
        about.known.push_back({run(variant, one.epochs).weights, words});
    };
    Variant wrong;
    about.known.push_back({first, "The parameters have not changed: call train_epoch."});
    wrong.momentum = 0;
    add(wrong, "The momentum is missing: lanes::SGDOptions().momentum(0.9).");
    wrong = {}, wrong.optimizer_per_epoch = true;
    add(wrong, "A new optimizer in each epoch forgets its velocities: make it before the loop.");
    wrong = {}, wrong.on_validation = true;
    add(wrong, "It was trained with the images of the validation.");
    about.known.push_back({run({}, 1).weights, "These are the parameters after one epoch."});
    about.known.push_back(
        {run({}, one.epochs + 1).weights, "These are the parameters after one epoch more."});
    judge.same(weights_of(s.model), right.weights, about);

    judge.same_count(got.size(), static_cast<std::size_t>(one.epochs), "accuracies",
                     "One per epoch.");
    About about_list;
    about_list.what = "the list of accuracies";
    about_list.tolerance = {1e-6, 1e-5};
    wrong = {}, wrong.exchanged = true;
    about_list.known.push_back(
        {list(run(wrong, one.epochs).accuracies),
         "These are accuracies of the images that the training has seen: use `validation`."});
    wrong = {}, wrong.before = true;
    about_list.known.push_back({list(run(wrong, one.epochs).accuracies),
                                "These are the accuracies before each epoch, not after it."});
    judge.same(list(got), list(right.accuracies), about_list);
}

}  // namespace

TrainOn::TrainOn()
    : Exercise(text_of<TrainOn>(
          "train_on",
          "Moves the model to the device, trains it there with SGD (rate 0.05, momentum 0.9), and "
          "returns the accuracy of the validation after each epoch.",
          "eight lines",
          "model.to(device); one optimizer; in each epoch train_epoch, then "
          "accuracies.push_back(accuracy_on(model, validation, device)).")) {}

void TrainOn::check(Answer answer) const {
    const std::vector<Case> cases{{Device::cpu(), 3}, {Device::cpu(), 1}, {Device::simulator(), 2}};
    notebook::judge_cases(text(), answer, cases,
                          [&](Judge& judge, const Case& one) { judge_case(judge, answer, one); });
}

}  // namespace lanes::exercises
