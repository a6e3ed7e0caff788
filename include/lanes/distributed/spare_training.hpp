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

#include <string>
#include <vector>

namespace lanes::spare {

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

}  // namespace lanes::spare
