// Training with digits of MNIST on several ranks, for the notebook 10b_training_on_many_machines:
// batches, a network, and what its tables compare.
//
//   lanes::Sequential model = lanes::digits::network();
//   const lanes::digits::Batch batch = lanes::digits::batch(0, 64);
//   const lanes::Tensor logits = model(batch.x);
#pragma once

#include "lanes/distributed/spare_training.hpp"
#include "lanes/nn/layers.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace lanes::digits {

struct Batch {
    Tensor x;  // (count, 784)
    Tensor y;  // (count), labels
};

// Digits of the training set from number * count on; after the last ones, the first again. The data
// are read at the first call.
Batch batch(std::size_t number, std::size_t count);

// 784-hidden-10, with two hidden layers if `layers` is 2; the same weights at each call.
Sequential network(std::size_t hidden = 64, int layers = 1);

std::string accuracy(Module& model);  // of 2000 digits of the test set, as "80.5 %"

// All parameters, one after the other.
std::vector<float> weights_of(const Module& model);
void set_weights(Module& model, const std::vector<float>& weights);

// Trains the network with `train` on 1 to 4 simulated ranks: accuracy, and whether the weights are
// those of one rank, to rounding. Returns how far the accuracies of 4 ranks and of 1 are apart, in
// percentage points.
using TrainNetwork = std::function<void(const Communicator& comm, Sequential& model)>;
double compare_ranks(const TrainNetwork& train);

// All ranks of an MPI program call it; rank 0 prints. Times some steps of a training, as
// measure_scaling does: with global batches of 512 and of 32 examples (strong scaling), and with
// 256 examples per rank (weak scaling). Rank 0 stores the times in the file at `path`.
using Steps = std::function<void(const Communicator& comm, std::size_t batch_size)>;
void time_batches(const Communicator& comm, const Steps& steps, const std::string& path);

// One work of time_batches: Amdahl's law for a global batch, Gustafson's for a batch per rank.
struct FittedLaw {
    std::string work;
    double efficiency;  // measured on all ranks, as a fraction
    double serial;      // the share with which the law fits the measured speed-ups best
};

// Draws the file of time_batches: measured speed-ups, the ideal ones, and the laws that fit.
// Without such a file, as in a program of the lesson, which leaves cells with %%run out, it says
// so.
std::vector<FittedLaw> draw_scaling(const std::string& path);

// All ranks of an MPI program call it; rank 0 prints. Times of the backward pass with the average
// of the gradients, of a network with two hidden layers of 1024 neurons: `average`, `at_once`, and
// DataParallel without and with overlap, and the part of it in which a rank waits: both of the same
// step, the longest over all ranks. Returns the waiting with overlap, divided by that without.
using Average = std::function<void(const Communicator& comm, Module& model, std::size_t examples)>;
double compare_averages(const Communicator& comm, const Average& average, const Average& at_once);

// A server's loop, as in lanes::spare.
using Serve = std::function<void(const Communicator& comm, std::vector<float>& weights, int steps,
                                 float learning_rate)>;

// Trains a small network with 1 to 32 workers that are equally fast, with 512 gradients each time.
// Returns the mean staleness with 16 workers.
double compare_servers(const Serve& synchronous, const Serve& asynchronous);

// On three ranks of an MPI program: worker 1 pauses with each gradient. Rank 0 prints both times,
// and all return them, in seconds: that of the synchronous server first.
std::pair<double, double> time_slow_worker(const Communicator& comm, const Serve& synchronous,
                                           const Serve& asynchronous);

}  // namespace lanes::digits
