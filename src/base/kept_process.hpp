// Tells the Jupyter kernel what a fork of the session would not have (worker processes, memory of a
// GPU), so that a cell that does not compile does not cost it. Does nothing in a program.
#pragma once

namespace lanes {

class KeptProcess {
public:
    explicit KeptProcess(const char* what);  // what the process holds: "GPU memory"
    ~KeptProcess();
    KeptProcess(const KeptProcess&) = delete;
    KeptProcess& operator=(const KeptProcess&) = delete;

private:
    int number_;
};

// By a thread of a pool that starts its threads again in a fork: it does not keep the process.
void this_thread_is_replaceable();

}  // namespace lanes
