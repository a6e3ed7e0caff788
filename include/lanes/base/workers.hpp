// How many workers to start.
//
//   const int workers = lanes::num_workers();  // SLURM_CPUS_PER_TASK if set, else the cores
//   const int four = lanes::num_workers(4);
#pragma once

namespace lanes {

// The first of: `requested` if it is above 0; SLURM_CPUS_PER_TASK; the cores that this process may
// use, but at least 2: a single worker is no parallel run. Throws Error for a negative request or a
// variable that holds no number.
int num_workers(int requested = 0);

}  // namespace lanes
