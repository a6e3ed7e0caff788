// A fixed number of workers; one that is killed or crashes is replaced. WorkerPool and
// AugmentedNetwork are built on it.
//
//   struct Printer : lanes::Process {
//       lanes::JobQueue<int>& jobs;
//       explicit Printer(lanes::JobQueue<int>& j) : jobs(j) {}
//       void run() override {
//           while (const auto job = jobs.get()) std::cout << *job << "\n";
//       }
//   };
//   lanes::JobQueue<int> jobs;
//   lanes::WorkerGroup group(
//       "print", 2, [&](int) { return std::make_unique<Printer>(jobs); },
//       [&](const lanes::Process& dead) { return jobs.requeue_job_of(dead.pid()); },
//       [&](const lanes::Process& ended) { return jobs.saw_end(ended.pid()); });
//   jobs.put(7);
//   jobs.close();
//   group.finish();
#pragma once

#include "lanes/parallel/process.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lanes {

class WorkerGroup {
public:
    using Make = std::function<std::unique_ptr<Process>(int number)>;

    // Called by check_workers for a worker that has died: takes care of the job that it held, and
    // returns how many workers have died with this job so far; 0 if it held none.
    using OnDeath = std::function<int(const Process& worker)>;

    // Whether a worker that has ended with exit code 0 was told to end. It was not if it called
    // exit, or returned after its first job: then its results would be waited for forever.
    using WasToldToEnd = std::function<bool(const Process& worker)>;

    // Starts `workers` of them, numbered 0 to workers - 1. name: used in error messages.
    // in_background: they run with lower priority than the process that started them.
    WorkerGroup(const char* name, int workers, Make make, OnDeath on_death,
                WasToldToEnd was_told_to_end, bool in_background = false);
    WorkerGroup(const WorkerGroup&) = delete;
    WorkerGroup& operator=(const WorkerGroup&) = delete;
    ~WorkerGroup();  // ends all of them

    // To be called again and again while the caller waits for results. Replaces workers that were
    // ended by a signal. Throws Error with the worker's name
    // - if a worker ended by itself (an exception, exit, a return before it was told to end);
    // - if one job has ended three workers;
    // - if workers die one after another without a job;
    // - if the session was restored from its snapshot after an error: then the workers are gone.
    void check_workers();

    void grow_to(int workers);  // starts more of them, if there are fewer

    // To be called when a result has come: deaths without a job are counted from 0 again.
    void progressed() { deaths_without_job_ = 0; }

    void require_present() const;  // throws Error if the workers are gone, see check_workers

    // Waits until all have ended by themselves; false if some still run after `seconds`.
    bool finish(double seconds = forever);

    int size() const { return static_cast<int>(workers_.size()); }
    // How the workers ended that were replaced, one text per worker.
    const std::vector<std::string>& worker_failures() const { return deaths_; }
    const Process& worker(int number) const { return *workers_[static_cast<std::size_t>(number)]; }

private:
    std::unique_ptr<Process> started(std::size_t number) const;

    const char* name_;
    Make make_;
    OnDeath on_death_;
    WasToldToEnd was_told_to_end_;
    std::vector<std::unique_ptr<Process>> workers_;
    std::vector<std::string> deaths_;
    int deaths_without_job_ = 0;
    int owner_;
    bool in_background_;
};

}  // namespace lanes
