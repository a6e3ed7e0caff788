#include "lanes/distributed/scaling.hpp"

#include "lanes/base/timer.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>

namespace lanes {

std::vector<Scaling> measure_scaling(const Communicator& comm,
                                     const std::function<void(const Communicator&)>& work) {
    std::vector<int> sizes;
    for (int ranks = 1; ranks < comm.size(); ranks *= 2) sizes.push_back(ranks);
    sizes.push_back(comm.size());
    std::vector<Scaling> rows;
    for (const int ranks : sizes) {
        const bool takes_part = comm.rank() < ranks;
        const Communicator group = comm.split(takes_part ? 0 : 1);
        double best = 1e300;
        for (int run = 0; run < 4; ++run) {
            comm.barrier();
            const Timer timer;
            if (takes_part) work(group);
            // The slowest rank counts; those without work have waited for no time.
            const double seconds = comm.all_reduce(takes_part ? timer.seconds() : 0, Reduce::max);
            if (run > 0) best = std::min(best, seconds);
        }
        const double speed_up = rows.empty() ? 1 : rows.front().seconds / best;
        rows.push_back({ranks, best, speed_up, speed_up / ranks});
    }
    return rows;
}

void show_scaling(const Communicator& comm, const std::function<void(const Communicator&)>& work) {
    const std::vector<Scaling> rows = measure_scaling(comm, work);
    if (comm.rank() > 0) return;
    std::string text = "ranks      time  speed-up  efficiency\n";
    for (const Scaling& row : rows) {
        char line[80];
        std::snprintf(line, sizeof line, "%5d  %6.3f s  %6.2f x  %8.0f %%\n", row.ranks,
                      row.seconds, row.speed_up, 100 * row.efficiency);
        text += line;
    }
    std::cout << text;
}

}  // namespace lanes
