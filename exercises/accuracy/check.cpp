#include "exercise.hpp"

#include "../common/needs.hpp"
#include "lanes/data/mnist.hpp"
#include "notebook/exercise/judge.hpp"

#include <algorithm>
#include <cstdio>

namespace lanes::exercises {

namespace {

using notebook::Judge;

// Whether the part is a plain function, and the one that passed its exercise.
template <class Result, class... Arguments>
void judge_part(Judge& judge, const std::function<Result(Arguments...)>& part,
                const std::string& name) {
    const auto passed = notebook::passed_functions(name);
    const std::string plugged_in =
        name == "add_elementwise" ? "parts.add_elementwise = {add_elementwise, add_elementwise};"
                                  : "parts." + name + " = " + name + ";";
    judge.require(!passed.empty(), name + " has not passed its check.",
                  "Run the cell with your " + name + " and the check behind it, then train again.");
    judge.require(static_cast<bool>(part),
                  "the network uses the library's " + name + ", not yours.",
                  "Write " + plugged_in + " then network.use(parts), before it is trained.");
    using Function = Result (*)(Arguments...);
    const auto* function = part.template target<Function>();
    judge.require(function != nullptr,
                  "parts." + name + " is something else than your function " + name + ".",
                  "Plug it in as it is: " + plugged_in);
    judge.require(std::find(passed.begin(), passed.end(),
                            reinterpret_cast<const void*>(*function)) != passed.end(),
                  "the network uses another " + name + " than the one that passed its check.",
                  "Run the check of " + name + " again, plug it in again, and train.");
}

void judge_parts(Judge& judge, const NetworkParts& parts) {
    judge_part(judge, parts.sigmoid, "sigmoid");
    judge_part(judge, parts.sigmoid_prime, "sigmoid_prime");
    judge_part(judge, parts.random_weights, "random_weights");
    judge_part(judge, parts.zeros_weights, "zeros_weights");
    judge_part(judge, parts.zeros_biases, "zeros_biases");
    judge_part(judge, parts.create_batches, "create_batches");
    judge_part(judge, parts.add_elementwise.for_weights(), "add_elementwise");
    judge_part(judge, parts.add_elementwise.for_biases(), "add_elementwise");
}

}  // namespace

Accuracy::Accuracy()
    : Exercise(text_of<Accuracy>(
          "accuracy", {"accuracy", "lanes::NeuralNetwork network({784, 128, 64, 10}, options)",
                       "Make a network of your own seven functions: network.use(parts) with "
                       "parts.sigmoid = sigmoid and so on.\n"
                       "Train it on the 50,000 training images. Above 95 % of the 10,000 test "
                       "images must be right.",
                       "ten lines",
                       "Learning rate 0.1, batches of 16, all images in each epoch and 5 epochs "
                       "reach 96 %."})) {}

void Accuracy::check(const NeuralNetwork& network) const {
    Judge judge(text());
    judge.begin("its parts");
    judge_parts(judge, network.parts());
    judge.begin("its training");
    judge.require(network.sizes().front() == 784 && network.sizes().back() == 10,
                  "its sizes are " + lanes::detail::Part(network.sizes()).text() + ".",
                  "Images of MNIST have 784 pixels and 10 classes: {784, 128, 64, 10}.");
    judge.require(network.is_from_scratch(), "its weights were set from outside.",
                  "Train it from the weights that your random_weights draws.");
    judge.require(!network.history().empty(), "it was not trained since its parts were plugged in.",
                  "Call network.fit(data.train, data.validation).");
    judge.require(!network.options().batches_per_epoch(),
                  "it draws batches at random and never calls your create_batches.",
                  "Do not set options.batches_per_epoch: each epoch then takes all images once.");
    judge.begin("the 10,000 test images");
    const double accuracy = judge.call([&] { return network.accuracy(load_mnist().test); });
    char seen[32];
    std::snprintf(seen, sizeof seen, "%.2f", 100 * accuracy);
    judge.require(accuracy > 0.95, std::string("accuracy ") + seen + " %, expected above 95 %.",
                  accuracy < 0.2 ? "That is guessing: nothing was learnt. Try a learning rate of "
                                   "0.1; with 10 it runs away."
                                 : "Train longer, or look for a better learning rate.");
    judge.pass_with("above 95 %");
}

}  // namespace lanes::exercises
