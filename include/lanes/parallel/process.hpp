// A worker process: derive from Process, override run, call start.
//
//   struct Square : lanes::Process {
//       lanes::JobQueue<int>& jobs;
//       lanes::PipeQueue<int>& results;
//       Square(lanes::JobQueue<int>& j, lanes::PipeQueue<int>& r) : jobs(j), results(r) {}
//       void run() override {
//           while (const auto x = jobs.get()) results.put(*x * *x);
//       }
//   };
//   lanes::JobQueue<int> jobs;
//   lanes::PipeQueue<int> results;
//   Square worker(jobs, results);
//   worker.start();
//   jobs.put(7);
//   int square = results.get();  // 49
//   jobs.close();
//   worker.join();
//
// The worker is forked: it sees all variables as they were at start, and its changes are invisible
// to others, except in queues and shared memory. It ends when run returns, and at the latest when
// the process that started it ends. Introduced in the notebook 04a_augmentation.
//
// If a worker is killed, crashes, throws or calls exit, the process that started it learns of it
// while it waits for a queue: get and put of all queues then throw Error with the worker's name,
// once per worker. join does not throw for it; exit_code and exit_description say how it ended.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>

namespace lanes {

constexpr double forever = std::numeric_limits<double>::infinity();

namespace parallel {
struct ChildProcess;
}

class Process {
public:
    explicit Process(std::string name = "worker");  // as errors call it
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;
    virtual ~Process();  // a worker that still runs is ended

    virtual void run() = 0;  // in the worker

    void start();  // once

    // Waits until the worker has ended; false if it still runs after `seconds`. Does not throw if
    // the worker was killed or threw.
    bool join(double seconds = forever);

    void terminate();  // asks the system to end the worker, and returns at once (SIGTERM)
    void kill();       // the same with SIGKILL, which the worker cannot handle or ignore

    bool alive() const;

    // Empty while it runs; 0 after a run that returned, 1 after an exception, the argument of
    // exit(), or minus the number of the signal that ended it.
    std::optional<int> exit_code() const;

    // The type and text of the exception that left run; empty if the worker ended otherwise.
    std::string exception_text() const;

    // How it ended, for error messages: "worker ended by signal 9 (Killed)". The process id is not
    // in the text, so that the text is the same in every run.
    std::string exit_description() const;

    const std::string& name() const { return name_; }
    int pid() const;  // 0 before start

private:
    friend class WorkerGroup;

    std::string name_;
    // Shared with the list of all workers, which every wait checks.
    std::shared_ptr<parallel::ChildProcess> started_;
    bool listed_ = true;
    bool in_background_ = false;
};

}  // namespace lanes
