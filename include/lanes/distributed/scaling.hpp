// How much faster the same work is on more ranks: speed-up and efficiency, measured.
//
//   const auto comm = lanes::Communicator::world();
//   lanes::show_scaling(comm, [](const lanes::Communicator& group) {
//       std::vector<float> share((1 << 20) / group.size(), 1);
//       group.all_reduce(share);
//   });
#pragma once

#include "lanes/distributed/communicator.hpp"

#include <functional>
#include <vector>

namespace lanes {

struct Scaling {
    int ranks;
    double seconds;
    double speed_up;    // the time on one rank divided by this one
    double efficiency;  // the speed-up divided by the ranks
};

// Runs `work` on 1, 2, 4, … ranks of comm and on all of them, while the others wait; it divides
// the same amount of work among the ranks of the group that it is given. All ranks of comm call
// this and get the same values. The fastest of three runs counts, and one more warms up before.
std::vector<Scaling> measure_scaling(const Communicator& comm,
                                     const std::function<void(const Communicator& group)>& work);

// The same as a table, which rank 0 prints.
void show_scaling(const Communicator& comm,
                  const std::function<void(const Communicator& group)>& work);

}  // namespace lanes
