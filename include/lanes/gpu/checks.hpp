// What the simulator checks. Everything is on by default; Checks::off() is the fast mode.
//
//   lanes::Checks checks;
//   checks.schedules = 5;  // five orders of threads and blocks must give the same result
//   const lanes::Device device = lanes::Device::simulator().with(checks);
#pragma once

#include <cstdint>

namespace lanes {

struct Checks {
    bool bounds = true;  // every access lies inside the buffer or the shared array it started from
    bool races = true;   // two threads, one of them writing, with no barrier or atomic between
    bool uninitialised = true;  // reads of global or shared memory that nothing has written
    bool counters = true;       // loads, stores, sectors, bank conflicts, divergent branches
    // How many orders of threads and blocks must give the same result. 1: forward. 2: also reverse.
    // 3: also shuffled by the seed. More: further shuffled ones.
    int schedules = 3;
    std::uint64_t seed = 1;
    // Without progress for so long, an endless loop is stopped and reported. In fast mode, too.
    double stop_after_seconds = 10;

    // CPU time after which a launch prints, once, how to make it faster.
    double slow_after_seconds = 10;

    bool any() const { return bounds || races || uninitialised || counters || schedules > 1; }
    static Checks off() {
        Checks none;
        none.bounds = none.races = none.uninitialised = none.counters = false;
        none.schedules = 1;
        return none;
    }
    static Checks one_schedule() {
        Checks checks;
        checks.schedules = 1;
        return checks;
    }
    friend bool operator==(const Checks& a, const Checks& b) {
        return a.bounds == b.bounds && a.races == b.races && a.uninitialised == b.uninitialised &&
               a.counters == b.counters && a.schedules == b.schedules && a.seed == b.seed &&
               a.stop_after_seconds == b.stop_after_seconds &&
               a.slow_after_seconds == b.slow_after_seconds;
    }
    friend bool operator!=(const Checks& a, const Checks& b) { return !(a == b); }
};

}  // namespace lanes
