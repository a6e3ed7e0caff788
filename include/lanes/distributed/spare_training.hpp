// The library's versions of what students write in the notebook 10b: cells go on with them while an
// answer is missing. Weights and gradients are plain vectors here; ParameterServer and
// save_training are for models.
//
//   lanes::simulate_ranks(2, [](const lanes::Communicator& comm) {
//       std::vector<float> weights(3, 1);
//       if (comm.rank() == 0) lanes::spare::serve_asynchronous(comm, weights, 1, 0.5);
//       if (comm.rank() == 1) comm.send(weights, 0);
//       if (comm.rank() == 1) comm.receive(weights, 0);
//   });
#pragma once

#include "lanes/distributed/simulated_ranks.hpp"
#include "lanes/nn/module.hpp"
#include "lanes/nn/optim.hpp"

#include <functional>
#include <string>
#include <vector>

namespace lanes {

// The gradient of a worker's batch number `batch`, with these weights.
using GradientAt = std::function<std::vector<float>(const std::vector<float>& weights, int batch)>;

namespace spare {

// A step with n examples, which all ranks have: rank r of p computes those from n * r / p to
// n * (r + 1) / p.
void train_step(const Communicator& comm, Module& model, Optimizer& optimizer, const Tensor& x,
                const Tensor& y);

// The mean of every gradient, weighted by the examples of each rank: one message per tensor, or one
// for all of them.
void average_gradients(const Communicator& comm, Module& model, std::size_t examples);
void average_at_once(const Communicator& comm, Module& model, std::size_t examples);

// A worker of one of the servers below: `count` times, sends a gradient and receives weights.
// Returns the sum of the staleness: the last weight counts the server's steps.
double send_gradients(const Communicator& comm, std::vector<float>& weights, int count,
                      const GradientAt& gradient_at);

// Rank 0 keeps the weights. Each step takes a gradient of every other rank and answers all of them
// with the new weights; or, asynchronous, takes one gradient and answers its sender.
void serve_synchronous(const Communicator& comm, std::vector<float>& weights, int steps,
                       float learning_rate);
void serve_asynchronous(const Communicator& comm, std::vector<float>& weights, int steps,
                        float learning_rate);

// The file holds the step as an int and the weights as floats. It is replaced in one step, by rank
// 0. Throws Error if it cannot be written.
void save_checkpoint(const Communicator& comm, const std::string& path, int step,
                     const std::vector<float>& weights);
// All ranks get the weights of the file that rank 0 reads, and its step; 0 and the weights of rank
// 0 if there is none. Throws Error if the file does not hold as many weights.
int load_checkpoint(const Communicator& comm, const std::string& path, std::vector<float>& weights);

}  // namespace spare

}  // namespace lanes
