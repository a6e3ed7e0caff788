#include "lanes/base/timer.hpp"

#include "lanes/base/machine.hpp"

#include <algorithm>
#include <cstdlib>

namespace lanes {

int repetitions(int n) {
    const bool all = !is_unattended() || std::getenv("LANES_FULL");
    return all ? n : std::max(1, n / 10);
}

}  // namespace lanes
