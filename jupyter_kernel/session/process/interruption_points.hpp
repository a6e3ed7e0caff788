// Where a cell that the user has interrupted stops: when it next prints, sleeps, waits for a
// thread, a condition or a future, or waits in read, poll or select. Cells and libraries find the
// functions of this file (nanosleep, usleep, printf, pthread_cond_wait, …) before those of glibc;
// std::cout and std::cerr ask, too (session/run/streams.cpp). Only the thread that runs the cell
// stops, and only where the cell's own code calls, not a library that it has called. Nothing that a
// function calls which may not throw is such a point (terminating_frames.*): a region of OpenMP, a
// destructor, pthread_mutex_lock, the waits of C++20 (barrier, latch, semaphore, atomic).
#pragma once

#include "wire/shared_state.hpp"

namespace xcpp_session {

// As long as it lives, the thread that made it stops.
class InterruptionPoints {
public:
    // stop: throws
    InterruptionPoints(const xcpp_wire::SharedState& page, void (*stop)());
    ~InterruptionPoints();
    InterruptionPoints(const InterruptionPoints&) = delete;
    InterruptionPoints& operator=(const InterruptionPoints&) = delete;
};

bool stops_at_interruption_points();  // this thread
bool must_stop();                     // this thread, now
void interruption_point();            // stops, if it must

}  // namespace xcpp_session
