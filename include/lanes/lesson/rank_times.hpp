// What sums over ranks cost, for the notebook 10_many_machines: messages and bytes that are counted
// on simulated ranks, times that are computed by formulas, and times that are measured with MPI.
//
//   #include "lanes/distributed/spare_messages.hpp"
//   lanes::ranks::show_rounds({{"exchange", lanes::spare::pass_around}});
//   lanes::ranks::show_models(lanes::spare::ring_seconds, lanes::spare::tree_seconds);
#pragma once

#include "lanes/distributed/measure_network.hpp"
#include "lanes/distributed/simulated_ranks.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace lanes::ranks {

using PassAround =
    std::function<std::vector<float>(const Communicator& comm, const std::vector<float>& values)>;
using SumOverRanks = std::function<void(const Communicator& comm, std::vector<float>& values)>;
using SumSeconds = std::function<double(int ranks, double bytes, double latency, double bandwidth)>;
using SpeedUp = std::function<double(int gpus, double computing, double bytes, double latency,
                                     double bandwidth)>;
using Law = std::function<double(double serial, int ranks)>;

// Published latency and bandwidth of one GPU's network interface in a cluster; the notebook names
// the sources.
SimulatedNetwork cluster();

// How many messages one after the other each way takes on 2, 3, 8 and 64 ranks.
void show_rounds(const std::vector<std::pair<std::string, PassAround>>& ways);

// Bytes of the rank that sends most, divided by those of its array, and the time on a simulated
// network, for 2 to 16 ranks. Returns the bytes on 8 ranks of the last way.
double show_sums(const std::vector<std::pair<std::string, SumOverRanks>>& ways);

// Both formulas for 64 ranks of the cluster, from 1 kB to 1 GB. Returns the bytes from which on the
// ring is faster, to two digits.
double show_models(const SumSeconds& ring, const SumSeconds& tree);

// All ranks of an MPI program call it; rank 0 prints. The network is measured, and the formula is
// compared with the measured times of `sum` and of MPI's own all-reduce. Returns the time of `sum`
// divided by that of MPI's, for the last size.
double show_sum_times(const Communicator& comm, const PingPong& ping_pong,
                      const SumSeconds& formula, const SumOverRanks& sum,
                      const std::vector<std::size_t>& bytes = {4000, 1000000, 64000000});

// The formula against a simulation, for the arrays of ResNet-18 and of a network of 100 million
// parameters on the cluster. On 8 and 64 ranks `sum` is simulated message by message; on 1,024 the
// time is that of Communicator::all_reduce, which the simulation computes by a formula of its own.
void show_cluster(const SumSeconds& formula, const SumOverRanks& sum);

// Speed-up and efficiency of 8, 64 and 1,024 GPUs that train both networks, 32 pictures each.
// show_gains returns the speed-up of 1,024 GPUs for the fully connected network.
double show_gains(const SimulatedNetwork& network, const SpeedUp& speed_up);
void draw_gains(const SimulatedNetwork& network, const SpeedUp& speed_up);

// Both laws for two serial shares and up to 1,024 ranks.
void draw_laws(const Law& amdahl, const Law& gustafson);

}  // namespace lanes::ranks
