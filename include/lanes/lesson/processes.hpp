// A function that runs in another process. Introduced in the notebook 05_queue.
//
//   #include <iostream>
//   lanes::Child child([] { std::cout << "in another process\n"; });
//   child.join();
//   lanes::in_processes(4, [] {});  // four of them, at the same time
#pragma once

#include "lanes/parallel/process.hpp"

#include <functional>
#include <utility>

namespace lanes {

// Starts at once. If it still runs when the object is destroyed, it is ended.
class Child : public Process {
public:
    explicit Child(std::function<void()> work) : work_(std::move(work)) { start(); }
    void run() override { work_(); }

private:
    std::function<void()> work_;
};

// Runs `work` in so many processes, which begin at the same moment, and waits for their end. If one
// of them dies or throws, this throws Error.
void in_processes(int processes, const std::function<void()>& work);

}  // namespace lanes
