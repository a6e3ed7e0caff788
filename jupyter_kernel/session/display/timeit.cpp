// The compiled side of %timeit (xcpp/detail/timeit.hpp): picks the number of loops, measures,
// prints IPython's line.
#include "xcpp/detail/timeit.hpp"

#include "xcpp/capi.h"
#include "xcpp/detail/write.hpp"

#include <chrono>
#include <cmath>
#include <iostream>
#include <vector>

namespace xcpp::detail {

namespace {

constexpr int default_repeats = 7;
constexpr double enough_seconds = 0.2;  // of one run, as IPython's

double seconds_of(void (*run)(void*, long long), void* callable, long long loops) {
    const auto start = std::chrono::steady_clock::now();
    run(callable, loops);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

void print_timing(void (*run)(void*, long long), void* callable, long long loops, int repeats) {
    if (repeats <= 0) repeats = default_repeats;
    if (loops <= 0)
        for (loops = 1; loops < 1'000'000'000 &&
                        seconds_of(run, callable, loops) < enough_seconds && !xcpp_interrupted();)
            loops *= 10;
    std::vector<double> times;
    for (int i = 0; i < repeats && !xcpp_interrupted(); ++i)
        times.push_back(seconds_of(run, callable, loops) / static_cast<double>(loops));
    if (times.empty()) return;  // interrupted: the cell ends as an error
    double mean = 0, variance = 0;
    for (double time : times) mean += time / static_cast<double>(times.size());
    for (double time : times)
        variance += (time - mean) * (time - mean) / static_cast<double>(times.size());
    std::cout << duration_text(mean, 3) << " ± " << duration_text(std::sqrt(variance), 3)
              << " per loop (mean ± std. dev. of " << times.size()
              << (times.size() == 1 ? " run, " : " runs, ") << loops
              << (loops == 1 ? " loop each)" : " loops each)") << '\n'
              << std::flush;
}

}  // namespace xcpp::detail
