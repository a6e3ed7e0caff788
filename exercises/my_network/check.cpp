// MyNetwork: trains small networks with several numbers of workers, in processes of their own.
#include "exercise.hpp"

#include "../common/needs.hpp"
#include "../common/pipes.hpp"
#include "lanes/base/rng.hpp"
#include "lanes/mlp/augmented_network.hpp"
#include "notebook/exercise/isolated_check.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::IsolatedCheck;
using notebook::Judge;
using Make = MyNetworkClass::Make;

constexpr std::size_t pixels = 784;

Dataset images() {
    Dataset result{Matrix::from_shape({40, pixels}), xt::zeros<float>({40, 10})};
    Rng(6).fill_uniform(result.x.data(), result.x.size(), 0.1F, 0.9F);
    for (std::size_t i = 0; i < 40; ++i) result.y(i, (3 * i + 1) % 10) = 1;
    return result;
}

TrainingOptions options() {
    TrainingOptions result;
    result.learning_rate(0.1).batch_size(4).batches_per_epoch(30);
    result.seed(5);
    return result;
}

const Sizes sizes{pixels, 8, 10};

std::size_t children_of(int pid) {
    const std::string id = std::to_string(pid);
    std::ifstream file("/proc/" + id + "/task/" + id + "/children");
    std::size_t count = 0;
    for (int child = 0; file >> child;) ++count;
    return count;
}

// The batches that a plain network with the same seed would train on.
class Plain : public NeuralNetwork {
public:
    using NeuralNetwork::NeuralNetwork;
    std::vector<Batch> create_batches(const Dataset& training) override {
        auto batches = NeuralNetwork::create_batches(training);
        for (const Batch& batch : batches) labels.push_back(batch.gather().y);
        return batches;
    }
    std::vector<Matrix> labels;
};

constexpr const char* hangs =
    "fit starts the workers, trains, closes the jobs and joins the workers. create_batches puts "
    "one job per batch and gets one result per job.\nWithout jobs.close() the workers wait for "
    "more jobs, and join waits for the workers.";

struct Trained {
    Weights<float> weights;
    std::vector<std::vector<Batch>> epochs;
    std::size_t most_workers = 0;
    std::size_t before_training = 0;  // processes in the first create_batches
};

Trained trained(IsolatedCheck& check, const Make& make, const Dataset& training, std::size_t epochs,
                int workers) {
    Trained result;
    const int self = getpid();
    auto made = make(sizes, options(), [&](const std::vector<Batch>& batches) {
        const std::size_t now = children_of(self);
        if (result.epochs.empty()) result.before_training = now;
        result.most_workers = std::max(result.most_workers, now);
        result.epochs.push_back(batches);
        check.alive();
    });
    check.require(dynamic_cast<AugmentedNetwork*>(made.network.get()) == nullptr,
                  "it derives from lanes::AugmentedNetwork.",
                  "Passing the work on to the library is no answer: derive from "
                  "lanes::NeuralNetwork and write fit and create_batches yourself.");
    made.network->print_epochs(false);
    check.step("fit with " + count_of(static_cast<std::size_t>(workers), "worker"), hangs,
               "It crashed. Is there one element per job in what create_batches returns?");
    made.fit(training, epochs, workers);
    result.weights = made.network->weights();
    check.require(!result.epochs.empty(), "create_batches was never called.",
                  "fit calls NeuralNetwork::fit(training, epochs), and that calls create_batches "
                  "once per epoch.");
    check.require(result.epochs.size() == epochs,
                  "create_batches was called " + std::to_string(result.epochs.size()) +
                      " times for " + count_of(epochs, "epoch") + ".",
                  "Give NeuralNetwork::fit the number of epochs.");
    const std::size_t left = children_of(self);
    check.require(left == 0,
                  "fit has returned, and " + count_of(left, "worker") +
                      (left == 1 ? " is" : " are") + " still there.",
                  "After the training: jobs.close(), then join each worker.");
    return result;
}

void batches_in_order(IsolatedCheck& check, const Make& make) {
    const Dataset training = images();
    const Trained got = trained(check, make, training, 2, 3);
    Plain plain(sizes, options());
    plain.print_epochs(false);
    plain.fit(training, 2);
    bool changed = false;
    for (std::size_t epoch = 0; epoch < 2; ++epoch) {
        const auto& batches = got.epochs[epoch];
        check.require(batches.size() == 30,
                      count_of(batches.size(), "batch") + " in epoch " + std::to_string(epoch + 1) +
                          ", expected 30.",
                      "One job for each batch of NeuralNetwork::create_batches(training), and one "
                      "batch for each job.");
        for (std::size_t i = 0; i < batches.size(); ++i) {
            check.require(batches[i].size() == 4,
                          "batch " + std::to_string(i) + " has " +
                              count_of(batches[i].size(), "image") + ", expected 4.",
                          "A job names all rows of its batch: batch.rows().");
            const Dataset own = batches[i].gather();
            check.require(own.y == plain.labels[30 * epoch + i],
                          "batch " + std::to_string(i) + " of epoch " + std::to_string(epoch + 1) +
                              " has the labels of another batch.",
                          "Batches arrive in any order: put each to its place by batch.index. In "
                          "the second epoch the first index is no longer 0.");
            changed = changed || !batches[i].is_of(training);
        }
    }
    check.require(changed, "the batches are those of the plain network: no worker made them.",
                  "Return the batches that came through result.");
}

// All images are alike: batches differ only by what the workers draw.
void new_images_in_each_epoch(IsolatedCheck& check, const Make& make) {
    Dataset training = images();
    for (std::size_t i = 1; i < training.size(); ++i) {
        std::copy_n(training.x.data(), pixels, training.x.data() + i * pixels);
        std::copy_n(training.y.data(), 10, training.y.data() + i * 10);
    }
    const Trained got = trained(check, make, training, 2, 2);
    check.require(got.epochs[0][0].gather().x != got.epochs[1][0].gather().x,
                  "both epochs begin with the same images.",
                  "The index of a job counts through all epochs: workers draw from it.");
}

void same_weights(IsolatedCheck& check, const Make& make) {
    const Dataset training = images();
    const Trained one = trained(check, make, training, 2, 1);
    for (const int workers : {2, 4}) {
        const Trained more = trained(check, make, training, 2, workers);
        check.require(more.weights == one.weights,
                      "with " + std::to_string(workers) +
                          " workers the network learns something else than with one.",
                      "All workers get the same seed, options().seed(), and batches are ordered by "
                      "their index.");
    }
    NeuralNetwork plain(sizes, options());
    plain.print_epochs(false);
    plain.fit(training, 2);
    check.require(plain.weights() != one.weights,
                  "the weights are those of the plain network: the images are not changed.",
                  "Return the batches that the workers made.");
}

void started_once(IsolatedCheck& check, const Make& make) {
    const Dataset training = images();
    const Trained got = trained(check, make, training, 3, 4);
    check.require(got.most_workers >= 4,
                  "4 workers were asked for, and " + count_of(got.most_workers, "process") +
                      " ran after an epoch's batches were made.",
                  "Start all workers before the training and end them after it: one start per fit, "
                  "not one per epoch.");
    check.require(
        got.most_workers == 4,
        "4 workers were asked for, and " + count_of(got.most_workers, "process") + " ran.",
        "One start per fit, not one per epoch.");
}

void gone_after_an_exception(IsolatedCheck& check, const Make& make) {
    const Dataset training = images();
    auto made = make(sizes, options(), {});
    made.network->print_epochs(false);
    made.network->on_epoch([](const EpochReport&) { throw Error("stop here"); });
    check.step("fit, which is left by an exception", hangs);
    bool passed_on = false;
    try {
        made.fit(training, 2, 3);
    } catch (const Error& error) {
        passed_on = std::string(error.what()).find("stop here") != std::string::npos;
    }
    check.require(passed_on, "an exception of the training did not leave fit.",
                  "Do not catch it: the caller of fit must learn of it.");
    const std::size_t left = children_of(getpid());
    check.require(left == 0,
                  "the training threw an exception, and " + count_of(left, "worker") +
                      (left == 1 ? " is" : " are") + " still there.",
                  "Keep the workers in a local variable of fit, a std::vector of "
                  "std::unique_ptr<Worker>: leaving fit destroys it and ends them.");
}

}  // namespace

MyNetworkClass::MyNetworkClass()
    : Exercise(text_of<MyNetworkClass>(
          "my_network",
          {"MyNetwork", "class MyNetwork : public lanes::NeuralNetwork",
           "fit(training, epochs, workers) starts so many workers, trains by NeuralNetwork::fit "
           "and ends the workers.\n"
           "create_batches(training) puts a job for each batch of NeuralNetwork::create_batches "
           "and returns the batches of the workers, in the order of the jobs.",
           "fit: nine lines, create_batches: ten lines",
           "A batch of NeuralNetwork::create_batches has batch.rows() and batch.gather().y, the "
           "labels. The place of a result is batch.index minus\nthe index of the epoch's first "
           "job."})) {}

void MyNetworkClass::check_made(const Make& make) const {
    Judge judge(text());
    judge.look_at_type();
    const auto play = [&](const char* what, const auto& scene) {
        judge.begin(what);
        notebook::run_isolated(judge, [&](IsolatedCheck& isolated) { scene(isolated, make); });
    };
    play("two epochs of 30 batches, three workers", batches_in_order);
    play("an epoch after the first", new_images_in_each_epoch);
    play("1, 2 and 4 workers", same_weights);
    play("four workers, three epochs", started_once);
    play("an exception in the training", gone_after_an_exception);
    judge.pass();
}

}  // namespace lanes::exercises
