// The library's versions of what students write in the notebook 10_many_machines, plain and without
// checks of their arguments: cells go on with them while an answer is missing.
//
//   lanes::simulate_ranks(3, [](const lanes::Communicator& comm) {
//       std::vector<float> values(5, comm.rank());
//       lanes::spare::ring_all_reduce(comm, values);
//   });
//   const double seconds = lanes::spare::ring_seconds(8, 4e6, 2e-6, 25e9);
#pragma once

#include "lanes/distributed/communicator.hpp"

#include <vector>

namespace lanes::spare {

// What comes from the left neighbour, after `values` was sent to the right one.
std::vector<float> pass_around(const Communicator& comm, const std::vector<float>& values);

// The sum over all ranks: rank 0 receives, adds and sends; around a ring; and the ring's first
// half, after which part rank + 1 of each rank is the sum.
void central_all_reduce(const Communicator& comm, std::vector<float>& values);
void ring_all_reduce(const Communicator& comm, std::vector<float>& values);
void reduce_scatter(const Communicator& comm, std::vector<float>& values);

// Between ranks 0 and 1.
void ping_pong(const Communicator& comm, std::vector<float>& message, int rounds);

// Seconds of an all-reduce of so many bytes on each rank.
double ring_seconds(int ranks, double bytes, double latency, double bandwidth);
double tree_seconds(int ranks, double bytes, double latency, double bandwidth);

// GPUs that compute for so many seconds, each on its own batch, and then add up their gradients.
double training_speed_up(int gpus, double computing, double bytes, double latency,
                         double bandwidth);

}  // namespace lanes::spare
