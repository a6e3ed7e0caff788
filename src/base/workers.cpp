#include "lanes/base/workers.hpp"

#include "cgroup.hpp"

#include "lanes/base/error.hpp"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <thread>
#include <vector>

namespace lanes {

namespace {

int allowed_cores() {
    // cpu_set_t holds 1024 cores; larger machines answer EINVAL until the set is large enough.
    for (int sets = 1; sets <= 64; sets *= 2) {
        std::vector<cpu_set_t> allowed(sets);
        const std::size_t bytes = sets * sizeof(cpu_set_t);
        if (sched_getaffinity(0, bytes, allowed.data()) == 0)
            return CPU_COUNT_S(bytes, allowed.data());
        if (errno != EINVAL) break;
    }
    return static_cast<int>(std::thread::hardware_concurrency());
}

}  // namespace

int num_cores() {
    static const auto limit = cgroup_cores("/sys/fs/cgroup", "/proc/self/cgroup");
    return std::min(allowed_cores(), limit.value_or(std::numeric_limits<int>::max()));
}

int num_workers(int requested) {
    LANES_REQUIRE(
        requested >= 0, "num_workers: ", requested,
        " workers were asked for. Ask for at least 1, or for 0 to let the machine decide.");
    if (requested > 0) return requested;

    const char* slurm = std::getenv("SLURM_CPUS_PER_TASK");
    if (slurm != nullptr && *slurm != '\0') {
        char* end = nullptr;
        errno = 0;
        const long cores = std::strtol(slurm, &end, 10);
        LANES_REQUIRE(*end == '\0' && errno == 0 && cores >= 1 && cores <= 1'000'000,
                      "num_workers: SLURM_CPUS_PER_TASK is '", slurm,
                      "', which is no number of cores. Unset it or pass the number of workers.");
        return static_cast<int>(cores);
    }
    return std::max(2, num_cores());
}

}  // namespace lanes
