// Loops over the elements of tensors, shared by the threads of OpenMP.
#pragma once

#include "base/openmp.hpp"
#include "lanes/base/workers.hpp"

#ifdef _OPENMP
#include <omp.h>
#endif

#include <algorithm>
#include <cstddef>

namespace lanes::tensor {

// About how many simple steps are worth waking the threads for.
constexpr std::size_t worth_threads = 32768;

inline std::size_t thread_count() {
    static const auto threads = static_cast<std::size_t>(num_workers());
    return openmp_threads(threads);
}

// Calls part(first, last) for parts of 0 … count - 1, one per thread; cost: steps per item. Each
// item is computed by one thread alone, so the result does not depend on the number of threads.
template <class Part>
void parallel_for(std::size_t count, std::size_t cost, const Part& part) {
    const std::size_t work = count * std::max<std::size_t>(cost, 1);
    const std::size_t threads = std::min({thread_count(), work / worth_threads + 1, count});
#ifdef _OPENMP
    if (threads > 1 && !omp_in_parallel()) {
#pragma omp parallel num_threads(static_cast<int>(threads))
        {
            const auto number = static_cast<std::size_t>(omp_get_thread_num());
            const auto team = static_cast<std::size_t>(omp_get_num_threads());
            part(count * number / team, count * (number + 1) / team);
        }
        return;
    }
#endif
    part(std::size_t{0}, count);
}

}  // namespace lanes::tensor
