#include "exercise.hpp"

#include "../common/needs.hpp"
#include "../common/phases.hpp"
#include "lanes/base/timer.hpp"
#include "lanes/lesson/spare_transfer.hpp"
#include "lanes/tensor/autograd.hpp"
#include "lanes/tensor/ops.hpp"

#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;
using notebook::Values;
using phase_check::batches_of;
using phase_check::Watched;

struct PicturesCase {
    std::size_t pictures;
    Device device;
};

std::string words(const PicturesCase& one) {
    return std::to_string(one.pictures) + " pictures in batches of 8, on " + one.device.id();
}

enum class Way { right, logits, logarithms, over_the_batch, first_batch, last_batch };

Values result(const PicturesCase& one, Way way) {
    const NoGrad no_grad;
    Watched model;
    model.eval();
    DataLoader<2> loader = batches_of(one.pictures);
    std::vector<Tensor> parts;
    for (auto& [x, y] : loader) {
        const Tensor logits = model(x);
        parts.push_back(way == Way::logits           ? logits
                        : way == Way::logarithms     ? log_softmax(logits)
                        : way == Way::over_the_batch ? softmax(logits, 0)
                                                     : softmax(logits));
    }
    if (way == Way::first_batch) parts = {parts.front()};
    if (way == Way::last_batch) parts = {parts.back()};
    return notebook::values_of(cat(parts).to_xtensor<2>());
}

void judge_prediction(Judge& judge, PredictPictures::Answer answer, const PicturesCase& one) {
    Watched model;
    model.train();
    model.to(one.device);
    DataLoader<2> loader = batches_of(one.pictures);
    // So that a time of nearly 0 s can be told from one that was measured.
    model.on_call = [] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); };
    const Timer timer;
    const plates::Predicted got = judge.call([&] { return answer(model, loader); });
    const double seconds = timer.seconds();
    for (const Watched::Call& call : model.calls()) {
        judge.require(!call.training, "the model was in training mode.",
                      "Call model.eval() before the loop, else the probabilities of a picture "
                      "depend on the other pictures of its batch.");
        judge.require(!call.recorded, "operations were recorded for gradients that nobody needs.",
                      "A lanes::NoGrad must exist while the model computes.");
    }
    About about;
    about.what = "the probabilities";
    about.tolerance = {1e-4, 1e-3};
    about.known = {
        {result(one, Way::logits),
         "These are the outputs of the model. lanes::softmax makes probabilities of them."},
        {result(one, Way::logarithms), "These are the logarithms of the probabilities."},
        {result(one, Way::over_the_batch),
         "The probabilities of a column add up to 1. Those of a row must: softmax along the "
         "classes, axis 1."}};
    if (one.pictures > 8) {
        about.known.push_back({result(one, Way::first_batch), "This is the first batch alone."});
        about.known.push_back({result(one, Way::last_batch), "This is the last batch alone."});
    }
    judge.same(notebook::values_of(got.probabilities), result(one, Way::right), about);
    const double waited = 2e-3 * static_cast<double>((one.pictures + 7) / 8);
    judge.require(got.seconds >= waited && got.seconds <= seconds,
                  "the time is given as " + to_text(got.seconds) + " s, and the call took " +
                      to_text(seconds) + " s.",
                  got.seconds > seconds ? "Timer::seconds() is in seconds."
                                        : "Make a lanes::Timer before the loop, and take "
                                          "timer.seconds() after it.");
}

}  // namespace

PredictPictures::PredictPictures()
    : Exercise(text_of<PredictPictures>(
          "predict",
          "Runs the model on all pictures, in evaluation mode and without gradients, and returns "
          "the probabilities of the classes by softmax, one row per picture, and the time of the "
          "whole in seconds.",
          "ten lines",
          "model.eval(), a lanes::NoGrad and a lanes::Timer come before the loop. Collect "
          "lanes::softmax(model(x.to(device))).cpu() in a std::vector<Tensor>; lanes::cat joins "
          "them, .to_xtensor<2>() makes a matrix.")) {}

void PredictPictures::check(Answer answer) const {
    const std::vector<PicturesCase> cases{
        {20, Device::cpu()}, {8, Device::cpu()}, {11, Device::simulator()}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const PicturesCase& one) {
        judge_prediction(judge, answer, one);
    });
}

}  // namespace lanes::exercises
