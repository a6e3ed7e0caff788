// The threads that share the loops of the library. There is one set of them per process: loops of
// several modules follow each other without threads that wait beside each other.
//
// Parts of a loop are claimed, not assigned: a thread that sleeps, or whose core another process
// uses, leaves its parts to the others, and nobody waits for it. A barrier of OpenMP would wait.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace lanes {

// How many threads a loop may have: the cores of this process, or SLURM_CPUS_PER_TASK if that is
// less. 1 inside a parallel region of OpenMP, where the other cores have work already.
std::size_t max_threads();

// Loops of this process run on the thread that calls them. For one of many worker processes.
void use_one_thread();

namespace detail {

using RunPart = void (*)(const void* task, std::size_t part, std::size_t thread);
void run_parts(std::size_t parts, std::size_t threads, RunPart run, const void* task);

}  // namespace detail

// Calls task(part, thread) once for each part below `parts`, on the calling thread and up to
// threads - 1 others; `thread` is the number of the thread, below `threads`. Returns when all parts
// are done. The task must not throw. Inside a task, or while another thread uses the pool, all
// parts run on the calling thread. A forked process starts threads of its own.
template <class Task>
void run_parts(std::size_t parts, std::size_t threads, const Task& task) {
    detail::run_parts(
        parts, threads,
        [](const void* same, std::size_t part, std::size_t thread) {
            (*static_cast<const Task*>(same))(part, thread);
        },
        &task);
}

}  // namespace lanes
