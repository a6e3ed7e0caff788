// Time as the front sees it. XCPP_SLOW stretches every limit, for a slow machine.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>

namespace xcpp_front {

using Clock = std::chrono::steady_clock;
using TimePoint = Clock::time_point;
using Milliseconds = std::chrono::milliseconds;

constexpr TimePoint never = TimePoint::max();

inline double number_from_environment(const char* name, double otherwise) {
    const char* text = std::getenv(name);
    if (text == nullptr) return otherwise;
    char* end = nullptr;
    const double value = std::strtod(text, &end);
    return end != text && value > 0 ? value : otherwise;
}

inline double slowness() {
    static const double factor = number_from_environment("XCPP_SLOW", 1);
    return factor;
}

// How long something may take that is at work.
inline Milliseconds limit(double seconds) {
    return Milliseconds(static_cast<long long>(seconds * slowness() * 1000));
}

// How long a person waits for the outcome: stretched as well, but at most three times.
inline Milliseconds user_wait(double seconds) {
    return Milliseconds(static_cast<long long>(seconds * std::min(slowness(), 3.0) * 1000));
}

}  // namespace xcpp_front
