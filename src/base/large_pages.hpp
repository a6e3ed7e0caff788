// Large pages for memory that is about to be written for the first time.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

namespace lanes {

// Fresh memory is handed out page by page as it is touched; pages of 2 MiB make that 512 times
// rarer, and the places of pages are looked up as much more seldom. A process that has a set of
// images forks in a fraction of the time, because far fewer pages have to be noted for the worker.
// NumPy asks for them from the same size on. A hint: where it is not taken, all is as before.
inline void prefer_large_pages([[maybe_unused]] void* start, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
    constexpr std::uintptr_t small = 4096, worth_it = std::uintptr_t{4} << 20;
    if (bytes < worth_it) return;
    const auto begin = reinterpret_cast<std::uintptr_t>(start),
               first = (begin + small - 1) / small * small;
    madvise(static_cast<char*>(start) + (first - begin), bytes - (first - begin), MADV_HUGEPAGE);
#endif
}

}  // namespace lanes
