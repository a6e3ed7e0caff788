// How many threads OpenMP and OpenBLAS start. Both count the cores that a process may run on, and
// neither knows the limit of a container or a batch job (cpu.max): with 64 cores and a limit of 2,
// 64 threads would share the time of two. The library corrects this when it is loaded.
#pragma once

namespace lanes {

// Lets both start at most `cores` threads, unless OMP_NUM_THREADS or OPENBLAS_NUM_THREADS is set,
// and lets the threads of OpenMP rest one millisecond after a loop, unless KMP_BLOCKTIME is set.
// OpenMP reads its variables before its first loop; processes started later get them, too.
void limit_threads(int cores);

}  // namespace lanes
