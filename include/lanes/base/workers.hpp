// How many workers to start.
//
//   const int workers = lanes::num_workers();  // SLURM_CPUS_PER_TASK if set, else the cores
//   const int four = lanes::num_workers(4);
//   const int cores = lanes::num_cores();      // 1 on a machine with one core
#pragma once

namespace lanes {

// The cores that this process may use: those it may run on, or fewer if its cgroup (a container, a
// batch system) gives it less time.
int num_cores();

// The first of: `requested` if it is above 0; SLURM_CPUS_PER_TASK; num_cores(), but at least 2,
// because a single worker runs nothing in parallel. Throws Error for a negative request or a
// variable that holds no number.
int num_workers(int requested = 0);

}  // namespace lanes
