// The sizes of the processor's caches, for code that treats data differently when it does not fit.
#pragma once

#include <cstddef>
#include <string>

namespace lanes {

struct CacheSizes {
    std::size_t second = 0;  // bytes of the second level, which each core has for itself
    std::size_t last = 0;    // bytes of the last level, which cores share
};

// Of the first core of this machine. What the system does not report is 1 MiB for the second level
// and 8 MiB for the last one, as in a small desktop machine.
const CacheSizes& cache_sizes();

// As the folder describes them, for example /sys/devices/system/cpu/cpu0/cache; 0 for what it does
// not say.
CacheSizes cache_sizes_in(const std::string& folder);

}  // namespace lanes
