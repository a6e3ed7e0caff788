#include "thread_limits.hpp"

#include "lanes/base/workers.hpp"

#include <cstdlib>
#include <string>
#include <thread>

// Of OpenBLAS; null if another BLAS is linked.
extern "C" {
__attribute__((weak)) int openblas_get_num_threads();
__attribute__((weak)) void openblas_set_num_threads(int threads);
}

namespace lanes {

void limit_threads(int cores) {
    const bool openmp_is_set = std::getenv("OMP_NUM_THREADS") != nullptr;
    if (!openmp_is_set && cores < static_cast<int>(std::thread::hardware_concurrency()))
        setenv("OMP_NUM_THREADS", std::to_string(cores).c_str(), 1);
    // libomp's threads spin 200 ms after each loop: beside another pool's, on the same cores.
    setenv("KMP_BLOCKTIME", "1", 0);

    if (openmp_is_set || std::getenv("OPENBLAS_NUM_THREADS") != nullptr) return;
    if (openblas_get_num_threads && openblas_set_num_threads && openblas_get_num_threads() > cores)
        openblas_set_num_threads(cores);
}

namespace {

[[maybe_unused]] const bool limited = (limit_threads(num_cores()), true);

}  // namespace

}  // namespace lanes
