#include "exercise.hpp"

#include "../common/needs.hpp"
#include "lanes/nn/layers.hpp"
#include "lanes/tensor/ops.hpp"
#include "notebook/exercise/judge.hpp"

#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;
using notebook::Values;

constexpr std::size_t samples = 20;
constexpr std::size_t inputs = 6;
constexpr std::size_t classes = 4;

struct DeviceCase {
    Device device;
};

std::string words(const DeviceCase& one) {
    return "20 samples in batches of 8, on the device " + one.device.id();
}

// A model, its optimizer and the batches, always with the same numbers.
struct Setting {
    Sequential model;
    DataLoader<2> batches;

    Setting() : model(first_model()), batches(first_batches()) {}

    static Sequential first_model() {
        Sequential model{Linear(inputs, 5), ReLU(), Linear(5, classes)};
        Rng rng(808);
        for (Tensor& parameter : model.parameters())
            for (std::size_t i = 0; i < parameter.size(); ++i)
                parameter.data()[i] = static_cast<float>(rng.uniform(-1, 1));
        return model;
    }
    static DataLoader<2> first_batches() {
        Rng rng(809);
        Tensor x = Tensor::zeros({samples, inputs});
        Tensor y = Tensor::zeros({samples}, Device::cpu(), DType::int32);
        for (std::size_t i = 0; i < x.size(); ++i)
            x.data()[i] = static_cast<float>(rng.uniform(-1, 1));
        for (std::size_t i = 0; i < samples; ++i)
            y.data<int>()[i] = static_cast<int>(rng.integer(0, classes - 1));
        DataLoaderOptions options;
        options.batch_size(8);
        return DataLoader<2>(TensorDataset(x, y), options);
    }
};

struct Result {
    Values weights;  // all parameters, one after the other
    double loss = 0;
};

Values weights_of(const Sequential& model) {
    Values all{{0}, {}};
    for (const Tensor& parameter : model.parameters())
        for (const float value : parameter.cpu().to_vector()) all.numbers.push_back(value);
    all.shape[0] = all.numbers.size();
    return all;
}

// The right loop, and loops with the usual mistakes.
struct Loop {
    bool zero_grad = true;
    bool step = true;
    bool last_loss = false;  // in place of the mean
};

Result run(const Loop& loop) {
    Setting setting;
    SGD optimizer(setting.model.parameters(), 0.5, lanes::SGDOptions().momentum(0.9));
    double sum = 0;
    for (auto& [x, y] : setting.batches) {
        Tensor loss = cross_entropy(setting.model(x), y);
        if (loop.zero_grad) optimizer.zero_grad();
        loss.backward();
        if (loop.step) optimizer.step();
        sum = loop.last_loss ? loss.item() : sum + loss.item();
    }
    const auto batches = static_cast<double>(setting.batches.size());
    return {weights_of(setting.model), loop.last_loss ? sum : sum / batches};
}

Values number(double value) { return {{1}, {value}}; }

void judge_device(Judge& judge, TrainEpoch::Answer answer, const Device& device) {
    const Result right = run({});
    const Result without_zero = run({false, true, false});
    const Result without_step = run({true, false, false});

    Setting setting;
    setting.model.to(device);
    SGD optimizer(setting.model.parameters(), 0.5, lanes::SGDOptions().momentum(0.9));
    const double loss =
        judge.call([&] { return answer(setting.model, optimizer, setting.batches, device); });

    const Device now = setting.model.parameters().front().device();
    judge.require(now == device,
                  "the model was on " + device.id() + " and is on " + now.id() + " now.",
                  "Move the batches to the model, not the model to the batches.");
    About about;
    about.what = "the parameters after the epoch";
    about.tolerance = {1e-4, 1e-3};
    about.known = {{without_zero.weights,
                    "The gradients of all batches are added up: optimizer.zero_grad() is missing."},
                   {without_step.weights,
                    "The parameters have not changed: backward() computes the gradients, then "
                    "optimizer.step() uses them, and optimizer.zero_grad() comes before both."}};
    judge.same(weights_of(setting.model), right.weights, about);

    About about_loss;
    about_loss.what = "the mean loss";
    about_loss.tolerance = {1e-4, 1e-3};
    about_loss.known = {
        {number(right.loss * static_cast<double>(setting.batches.size())),
         "This is the sum over the batches. Divide it by batches.size()."},
        {number(run({true, true, true}).loss), "This is the loss of the last batch alone."}};
    judge.same(number(loss), number(right.loss), about_loss);
}

}  // namespace

TrainEpoch::TrainEpoch()
    : Exercise(text_of<TrainEpoch>(
          "train_epoch",
          "Trains the model for one epoch with cross-entropy and returns the mean loss of the "
          "batches. The model is on the device already; each batch comes in the CPU's memory.",
          "seven lines",
          "For each batch: x.to(device), y.to(device), the loss, zero_grad, backward, step.")) {}

void TrainEpoch::check(Answer answer) const {
    const std::vector<DeviceCase> cases{{Device::cpu()}, {Device::simulator()}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const DeviceCase& one) {
        judge_device(judge, answer, one.device);
    });
}

}  // namespace lanes::exercises
