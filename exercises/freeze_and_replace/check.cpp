#include "exercise.hpp"

#include "../common/needs.hpp"
#include "lanes/tensor/ops.hpp"
#include "notebook/exercise/judge.hpp"

#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::Judge;

struct ClassesCase {
    std::size_t classes;
};

std::string words(const ClassesCase& one) { return std::to_string(one.classes) + " classes"; }

double sum_of(const Tensor& tensor) {
    double sum = 0;
    for (const float value : tensor.to_vector()) sum += static_cast<double>(value);
    return sum;
}

void judge_net(Judge& judge, FreezeAndReplace::Answer answer, std::size_t classes) {
    manual_seed(9);
    ResNet net = resnet18(20);
    const Tensor before = net.fc.weight();
    const std::size_t below = net.parameter_count() - 513 * 20;
    const double first = sum_of(net.parameter("conv1.weight"));
    judge.call([&] { answer(net, classes); });
    const Shape shape = net.fc.weight().shape();
    judge.require(shape == Shape{classes, 512},
                  "the weight of net.fc has the shape " + shape.text() + ", and " +
                      Shape{classes, 512}.text() + " is right.",
                  shape == Shape{512, classes} || shape == Shape{20, 512}
                      ? "net.fc = lanes::Linear(512, classes): 512 features in, one number per "
                        "class out."
                      : "The last layer has 512 inputs and `classes` outputs.");
    const std::size_t trained = net.parameter_count(true);
    const std::size_t all = net.parameter_count();
    judge.require(all == below + 513 * classes,
                  "the network has " + std::to_string(all) + " numbers now, and " +
                      std::to_string(below + 513 * classes) + " is right.",
                  "Replace net.fc alone; it has a weight and a bias.");
    judge.require(trained == 513 * classes,
                  std::to_string(trained) + " numbers are trained, and 513 x " +
                      std::to_string(classes) + " is right.",
                  trained == 0     ? "The new layer is frozen, too: freeze first, then replace."
                  : trained == all ? "Nothing is frozen: net.requires_grad_(false)."
                                   : "Freeze all layers but the new one, also those of batch "
                                     "normalisation.");
    judge.require(net.fc.weight().impl() != before.impl(), "net.fc is the old layer.",
                  "Replace it, even if the number of classes is the same: its weights know the "
                  "old classes.");
    judge.require(sum_of(net.parameter("conv1.weight")) == first,
                  "the weights of the first layer have changed.",
                  "Keep the pretrained weights: do not make a new network.");
}

}  // namespace

FreezeAndReplace::FreezeAndReplace()
    : Exercise(text_of<FreezeAndReplace>(
          "freeze_and_replace",
          "Freezes all parameters of the network, then puts a new linear layer, from 512 features "
          "to `classes` outputs, in the place of net.fc. The new layer is not frozen.",
          "two lines", "net.requires_grad_(false) freezes; net.fc = lanes::Linear(…) replaces.")) {}

void FreezeAndReplace::check(Answer answer) const {
    const std::vector<ClassesCase> cases{{2}, {7}, {20}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const ClassesCase& one) {
        judge_net(judge, answer, one.classes);
    });
}

}  // namespace lanes::exercises
