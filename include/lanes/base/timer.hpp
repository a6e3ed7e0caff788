// Wall-clock time. Timer measures from its construction. best_of is how the course times a
// function: the best of some repeats counts, because whatever else the machine does can only add
// time. A fast function is called many times per repeat.
//
//   #include <cmath>
//   #include <iostream>
//   volatile double sum = 0;
//   const auto root = [&] { sum = sum + std::sqrt(2.0); };
//   const double seconds = lanes::best_of(5, lanes::Calls{1000}, root);  // best of 5 repeats
//   std::cout << 1e9 * seconds << " ns per call\n";
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

struct Calls {  // per repeat
    int number = 1;
};

// Seconds per call of f in the best of `repeats` repeats.
template <class F>
double best_of(int repeats, Calls calls, F&& f) {
    LANES_REQUIRE(repeats > 0 && calls.number > 0, "best_of: ", repeats, " repeats of ",
                  calls.number, " calls. Both must be at least 1.");
    double best = std::numeric_limits<double>::infinity();
    for (int repeat = 0; repeat < repeats; ++repeat) {
        const Timer timer;
        for (int call = 0; call < calls.number; ++call) f();
        const double seconds = timer.seconds() / calls.number;
        if (seconds < best) best = seconds;
    }
    return best;
}

template <class F>
double best_of(int repeats, F&& f) {
    return best_of(repeats, Calls{1}, f);
}

// How often a measurement is repeated: n times. In CI, which checks results and not times: a tenth
// of it, at least once, unless LANES_FULL is set (as `make outputs` does).
int repetitions(int n);

// Seconds per call of f: the fastest of three rounds of `calls` calls. Anything that disturbs a
// measurement makes it longer, so the fastest round is the least disturbed one.
template <class F>
double seconds_per_call(int calls, F&& f) {
    return best_of(3, Calls{repetitions(calls)}, f);
}

}  // namespace lanes
