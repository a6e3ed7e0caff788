// A small process beside the front. When the front is killed it does what the front could not: it
// ends what cells have started and removes the temporary folder. (The session and its copy end by
// themselves when the front does; their children do not.)
#pragma once

#include "temporary_folder.hpp"

#include "wire/wire.hpp"

#include <sys/types.h>

namespace xcpp_front {

class OrphanCleaner {
public:
    // Forks: to be made while this process has one thread. Sessions are started afterwards, so that
    // they carry the folder's name in their environment. Throws std::runtime_error.
    explicit OrphanCleaner(const TemporaryFolder& folder);
    ~OrphanCleaner() { dismiss(); }
    OrphanCleaner(const OrphanCleaner&) = delete;
    OrphanCleaner& operator=(const OrphanCleaner&) = delete;

    pid_t pid() const { return pid_; }  // 0: it is gone
    // Everything is in order: it goes, and looks after nothing.
    void dismiss();
    // Somebody has waited for a child and it was this one.
    void has_ended() { pid_ = 0; }

private:
    pid_t pid_ = 0;
    xcpp_wire::Descriptor
        front_lives_;  // closed by the system when the front ends, however it ends
};

}  // namespace xcpp_front
