#include "openmp.hpp"

#include <unistd.h>

namespace lanes {

std::size_t openmp_threads(std::size_t wished) {
#ifdef __clang__
    return wished;
#else
    static const pid_t first = getpid();  // whoever computes first has threads
    return getpid() == first ? wished : 1;
#endif
}

}  // namespace lanes
