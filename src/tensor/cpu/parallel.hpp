// Loops over the elements of tensors, shared by the threads of the library.
#pragma once

#include "base/thread_pool.hpp"

#include <algorithm>
#include <cstddef>

namespace lanes::tensor {

// About how many simple steps are worth a thread: 10 to 50 microseconds. With a quarter
// of it, a step of a small network with a batch of 1 took 0.086 ms on four cores instead of 0.044.
constexpr std::size_t worth_a_thread = 131072;
constexpr std::size_t parts_per_thread = 2;  // a thread that is late leaves one to the others

// Calls part(first, last) for parts of 0 … count - 1; cost: steps per item. Each item is computed
// by one thread alone, so the result does not depend on the number of threads.
template <class Part>
void parallel_for(std::size_t count, std::size_t cost, const Part& part) {
    const std::size_t useful =
        std::min(count, count * std::max<std::size_t>(cost, 1) / worth_a_thread);
    const std::size_t threads = useful < 2 ? 1 : std::min(max_threads(), useful);
    if (threads == 1) return part(std::size_t{0}, count);
    const std::size_t parts = std::min(useful, parts_per_thread * threads);
    run_parts(parts, threads, [&](std::size_t number, std::size_t) {
        part(count * number / parts, count * (number + 1) / parts);
    });
}

}  // namespace lanes::tensor
