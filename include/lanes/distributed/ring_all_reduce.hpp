// The sum over all ranks, with messages between neighbours only. Each rank sends 2 (p - 1) / p
// times its values, however many ranks there are: nearly the least that any method needs. MPI's own
// all-reduce chooses between several methods; this one is the textbook's for large arrays, and the
// plain version of what Communicator::all_reduce does.
//
//   const auto comm = lanes::Communicator::world();
//   std::vector<float> gradient(1000, 1);
//   lanes::ring_all_reduce(comm, gradient);
//
// The values are p parts. In p - 1 steps each rank sends one part to its right neighbour and adds
// the one that comes from the left to its own: then each rank has one part of the sum. In p - 1
// more steps these travel around the ring. A step goes on in segments, so that one is added while
// the next arrives.
#pragma once

#include "lanes/distributed/communicator.hpp"

#include <cstddef>

namespace lanes {

namespace distributed {
void ring_all_reduce(const Communicator& comm, const Numbers& values, std::size_t segment);
}

// Of float, double or int, in place. segment: elements per message at most.
template <class Values>
void ring_all_reduce(const Communicator& comm, Values& values, std::size_t segment = 1 << 16) {
    distributed::Access access(values);
    distributed::ring_all_reduce(comm, access.numbers(), segment);
    access.put_back();
}

}  // namespace lanes
