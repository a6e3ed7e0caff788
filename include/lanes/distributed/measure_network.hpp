// Latency and bandwidth between two ranks, measured by a message that goes to and fro (ping-pong).
// The result describes the network to simulate_ranks, or to a formula.
//
//   const auto comm = lanes::Communicator::world();
//   if (comm.size() > 1) {
//       const lanes::SimulatedNetwork network = lanes::measure_network(comm);
//   }
#pragma once

#include "lanes/distributed/simulated_ranks.hpp"

#include <functional>
#include <vector>

namespace lanes {

// All ranks call it and get the same values; ranks 0 and 1 exchange the messages. The latency is
// half a round trip of 4 bytes, the bandwidth that of 4 MiB without the latency; of many round
// trips the fastest counts. Throws Error if there is one rank only.
SimulatedNetwork measure_network(const Communicator& comm);

// The same with a ping-pong of one's own: in so many rounds, rank 0 sends the message to rank 1,
// which sends it back.
using PingPong =
    std::function<void(const Communicator& comm, std::vector<float>& message, int rounds)>;
SimulatedNetwork measure_network(const Communicator& comm, const PingPong& ping_pong);

}  // namespace lanes
