// Ranks without MPI: a function with a Communicator runs on several ranks of a simulated network,
// inside of this process. Mistakes that make MPI wait forever are explained, messages are counted,
// and the time that the messages would take is computed.
//
//   #include <iostream>
//   const lanes::SimulatedRun run = lanes::simulate_ranks(4, [](const lanes::Communicator& comm) {
//       std::vector<float> values(1000, comm.rank());
//       comm.all_reduce(values);
//   });
//   std::cout << run.ranks[0].bytes_sent << " bytes, " << run.seconds << " s";
//
// One rank runs at a time, until it has to wait for another one: results do not depend on chance.
// send always waits until the other side receives; MPI does so for large messages. Ranks that wait
// for each other are an error that names what each of them waits for. So are messages of another
// size than the receiver expects, messages that nobody receives, ranks that call different
// collective operations, and values that are changed while start_send still sends them.
//
// Global variables are shared by all simulated ranks; with MPI each process has its own.
#pragma once

#include "lanes/distributed/communicator.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace lanes {

// A message of n bytes takes latency + n / bandwidth seconds. Computing takes no time. A rank sends
// one message at a time, and receives one at a time.
struct SimulatedNetwork {
    double latency = 1e-6;
    double bandwidth = 10e9;
};

struct SimulatedRank {
    std::size_t messages_sent = 0;
    std::size_t bytes_sent = 0;
    double seconds = 0;  // until this rank had ended
};

struct SimulatedRun {
    std::vector<SimulatedRank> ranks;
    double seconds = 0;  // until the last one had ended

    std::size_t most_bytes_sent() const;  // by one rank
};

// Throws Error if the ranks wait for each other. An exception of one rank ends all of them and is
// thrown again. Collective operations count no messages: their time is that of the fastest common
// method.
SimulatedRun simulate_ranks(int ranks, const std::function<void(const Communicator&)>& program,
                            const SimulatedNetwork& network = {});

}  // namespace lanes
