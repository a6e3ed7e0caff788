// A fixed number of workers; one that is killed or crashes is replaced. WorkerPool and
// AugmentedNetwork are built on it.
//
//   struct Sleeper : lanes::Process {
//       void run() override {}
//   };
//   lanes::WorkerGroup group(
//       "sleep", 2, [](int) { return std::make_unique<Sleeper>(); },
//       [](const lanes::Process&) { return 0; });
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

    // What to do about the job of a worker that has died; gives how many workers have died with it
    // so far, 0 for none.
    using OnDeath = std::function<int(const Process& worker)>;

    // Starts `workers` of them, numbered 0 to workers - 1. name: used in error messages.
    // in_background: they get the processor only when nobody else needs it.
    WorkerGroup(const char* name, int workers, Make make, OnDeath on_death,
                bool in_background = false);
    WorkerGroup(const WorkerGroup&) = delete;
    WorkerGroup& operator=(const WorkerGroup&) = delete;
    ~WorkerGroup();  // ends all of them

    // To be called while results are waited for: replaces workers that were ended by a signal.
    // Throws Error, which names the worker, where one ended by itself (an exception, exit), where
    // one job has ended three of them, where workers die one after another without a job, and where
    // the group belongs to the session as it was before an error was taken back: then its workers
    // are gone.
    void check_workers();

    void grow_to(int workers);  // starts more of them, if there are fewer

    void progressed() {
        deaths_without_job_ = 0;
    }  // to be called when a result has come: the workers work

    void require_present() const;  // throws Error if the workers are gone, see check_workers

    bool finish(double seconds = forever);  // waits until all have ended by themselves; false where
                                            // the time was not enough

    int size() const { return static_cast<int>(workers_.size()); }
    const std::vector<std::string>& deaths() const {
        return deaths_;
    }  // how workers ended that were replaced
    const Process& worker(int number) const { return *workers_[static_cast<std::size_t>(number)]; }

private:
    std::unique_ptr<Process> started(std::size_t number) const;

    const char* name_;
    Make make_;
    OnDeath on_death_;
    std::vector<std::unique_ptr<Process>> workers_;
    std::vector<std::string> deaths_;
    int deaths_without_job_ = 0;
    int owner_;
    bool in_background_;
};

}  // namespace lanes
