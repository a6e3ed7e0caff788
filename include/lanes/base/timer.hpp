// Wall-clock time. Timer measures from its construction. best_of is how the course times a
// function: many calls per repeat, and the best repeat counts.
//
//   #include <cmath>
//   #include <iostream>
//   volatile double sum = 0;
//   const int calls = 1000;
//   const double seconds = lanes::best_of(5, calls, [&] { sum = sum + std::sqrt(2.0); });
//   std::cout << 1e9 * seconds / calls << " ns per call\n";
#pragma once

#include "lanes/base/error.hpp"

#include <chrono>
#include <limits>

namespace lanes {

class Timer {
public:
    Timer() : start_(Clock::now()) {}

    void restart() { start_ = Clock::now(); }
    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
    double milliseconds() const { return 1e3 * seconds(); }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_;
};

// Seconds that `calls` calls of f took in the best of `repeats` repeats.
template <class F>
double best_of(int repeats, int calls, F&& f) {
    LANES_REQUIRE(repeats > 0 && calls > 0, "best_of: ", repeats, " repeats of ", calls,
                  " calls. Both must be at least 1.");
    double best = std::numeric_limits<double>::infinity();
    for (int repeat = 0; repeat < repeats; ++repeat) {
        const Timer timer;
        for (int call = 0; call < calls; ++call) f();
        const double seconds = timer.seconds();
        if (seconds < best) best = seconds;
    }
    return best;
}

}  // namespace lanes
