#include "exercise.hpp"

#include "../common/needs.hpp"
#include "lanes/base/rng.hpp"
#include "lanes/lesson/device_training.hpp"
#include "lanes/nn/layers.hpp"
#include "lanes/tensor/autograd.hpp"
#include "lanes/tensor/ops.hpp"
#include "notebook/exercise/judge.hpp"

#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;
using notebook::Values;

constexpr std::size_t inputs = 6, classes = 3;

struct Case {
    Device device;
    std::size_t samples, batch;
};

std::string words(const Case& one) {
    return std::to_string(one.samples) + " samples in batches of " + std::to_string(one.batch) +
           ", on the device " + one.device.id();
}

// A model that notes how it was called.
struct Witness : Module {
    Linear linear = register_module("linear", Linear(inputs, classes));
    int calls = 0;
    bool in_training = false, records = false;
    Tensor forward(const Tensor& x) override {
        ++calls;
        in_training |= training();
        records |= grad_enabled();
        return linear(x);
    }
};

struct Setting {
    Witness model;
    DataLoader<2> batches;

    explicit Setting(const Case& one) : batches(first_batches(one)) {
        Rng rng(811);
        for (Tensor& parameter : model.parameters())
            for (std::size_t i = 0; i < parameter.size(); ++i)
                parameter.data()[i] = static_cast<float>(rng.uniform(-1, 1));
    }
    static DataLoader<2> first_batches(const Case& one) {
        Rng rng(812);
        Tensor x = Tensor::zeros({one.samples, inputs});
        Tensor y = Tensor::zeros({one.samples}, Device::cpu(), DType::int32);
        for (std::size_t i = 0; i < x.size(); ++i)
            x.data()[i] = static_cast<float>(rng.uniform(-1, 1));
        for (std::size_t i = 0; i < one.samples; ++i)
            y.data<int>()[i] = static_cast<int>(rng.integer(0, classes - 1));
        return DataLoader<2>(TensorDataset(x, y), DataLoaderOptions().batch_size(one.batch));
    }
};

Values number(double value) { return {{1}, {value}}; }

About about_accuracy(const Case& one, double right) {
    Setting setting(one);
    double of_batches = 0, last = 0;
    for (auto& [x, y] : setting.batches) {
        last = static_cast<double>(accuracy(setting.model(x), y));
        of_batches += last;
    }
    const auto samples = static_cast<double>(one.samples);
    const auto batches = static_cast<double>(setting.batches.size());
    About about;
    about.tolerance = {1e-6, 1e-5};
    about.known = {
        {number(of_batches / batches),
         "This is the mean over the batches. The last one is smaller, so its images count more: "
         "count right images and all images."},
        {number(100 * right), "This is in percent. Give a number from 0 to 1."},
        {number(right * samples), "This is a number of images: divide it by all images."},
        {number(of_batches), "This is the sum over the batches."},
        {number(last), "This is the accuracy of the last batch alone."},
        {number(1 - right), "This is the share of wrong images."},
        {number(right * samples / static_cast<double>(one.batch) / batches),
         "The last batch is smaller than the others: count the images of each batch."}};
    return about;
}

void judge_case(Judge& judge, AccuracyOn::Answer answer, const Case& one) {
    Setting reference(one), setting(one);
    const double right = spare::accuracy_on(reference.model, reference.batches, Device::cpu());
    setting.model.to(one.device);
    const double got =
        judge.call([&] { return answer(setting.model, setting.batches, one.device); });
    const Device now = setting.model.parameters().front().device();
    judge.require(now == one.device,
                  "the model was on " + one.device.id() + " and is on " + now.id() + " now.",
                  "Move the batches to the model, not the model to the batches.");
    judge.same(number(got), number(right), about_accuracy(one, right));
    const int batches = static_cast<int>(setting.batches.size());
    judge.require(setting.model.calls == batches,
                  "the model was called " + std::to_string(setting.model.calls) + " times for " +
                      std::to_string(batches) + " batches.",
                  "Call model(x) once per batch.");
    judge.require(!setting.model.in_training, "the model was in training mode.",
                  "Call model.eval() before the loop.");
    judge.require(!setting.model.records, "the operations were recorded for gradients.",
                  "Nothing is trained here: begin with `const lanes::NoGrad no_grad;`.");
    judge.require(setting.model.training(), "the model is in evaluation mode after the call.",
                  "Call model.train() after the loop: the training goes on.");
}

}  // namespace

AccuracyOn::AccuracyOn()
    : Exercise(text_of<AccuracyOn>(
          "accuracy_on",
          "Gives the share of right images, from 0 to 1, over all batches: without gradients, in "
          "evaluation mode. Afterwards the model is in training mode again.",
          "ten lines",
          "Add up lanes::accuracy(model(x.to(device)), y.to(device)) * y.size(), which is the "
          "number of right images of a batch, and y.size().")) {}

void AccuracyOn::check(Answer answer) const {
    const std::vector<Case> cases{{Device::cpu(), 16, 8},
                                  {Device::cpu(), 20, 8},
                                  {Device::cpu(), 3, 8},
                                  {Device::simulator(), 13, 5}};
    notebook::judge_cases(text(), answer, cases,
                          [&](Judge& judge, const Case& one) { judge_case(judge, answer, one); });
}

}  // namespace lanes::exercises
