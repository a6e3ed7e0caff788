#include "openmp.hpp"

#include <unistd.h>

namespace lanes {

std::size_t openmp_threads(std::size_t requested) {
#ifdef __clang__
    return requested;
#else
    static const pid_t first = getpid();  // the first process that calls this has the threads
    return getpid() == first ? requested : 1;
#endif
}

}  // namespace lanes
