#include "lanes/distributed/measure_network.hpp"

#include "lanes/base/error.hpp"
#include "lanes/base/timer.hpp"
#include "lanes/distributed/spare_messages.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace lanes {

namespace {

// Seconds of one message of so many floats between ranks 0 and 1: the fastest round trip counts.
double seconds_per_message(const Communicator& comm, const PingPong& ping_pong, std::size_t count,
                           int round_trips) {
    std::vector<float> values(count, 1);
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < round_trips; ++i) {
        const Timer timer;
        ping_pong(comm, values, 1);
        best = std::min(best, timer.seconds() / 2);
    }
    return best;
}

}  // namespace

SimulatedNetwork measure_network(const Communicator& comm) {
    return measure_network(comm, spare::ping_pong);
}

SimulatedNetwork measure_network(const Communicator& comm, const PingPong& ping_pong) {
    LANES_REQUIRE(comm.size() > 1,
                  "measure_network: there is one rank, a message needs two. Start the program with "
                  "mpirun -n 2.");
    constexpr std::size_t large = 1 << 20;
    std::vector<double> measured(2);
    comm.barrier();
    if (comm.rank() < 2) {
        measured[0] = seconds_per_message(comm, ping_pong, 1, 1000);
        // Where the latency is as long as the whole message, the difference says nothing.
        const double seconds = seconds_per_message(comm, ping_pong, large, 20);
        measured[1] = large * sizeof(float) / std::max(seconds - measured[0], seconds / 2);
    }
    comm.broadcast(measured);
    return {measured[0], measured[1]};
}

}  // namespace lanes
