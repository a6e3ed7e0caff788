#include "lanes/parallel/worker_pool.hpp"

#include "base/kept_process.hpp"
#include "lanes/base/error.hpp"
#include "lanes/base/workers.hpp"
#include "lanes/parallel/job_queue.hpp"
#include "lanes/parallel/pipe_queue.hpp"
#include "lanes/parallel/worker_group.hpp"
#include "wait.hpp"
#include "worker_registry.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <unordered_set>

namespace lanes {

namespace {

using parallel::Wait;

// Before the bytes of a job and of a result.
struct Label {
    std::uint64_t job;
    std::uint32_t worker;  // its number
    std::uint32_t failed;  // the bytes are the text of the exception
};

std::string labelled(const Label& label, const void* data, std::size_t size) {
    std::string bytes(sizeof label + size, '\0');
    std::memcpy(bytes.data(), &label, sizeof label);
    if (size > 0) std::memcpy(bytes.data() + sizeof label, data, size);
    return bytes;
}

Label label_of(const std::string& bytes) {
    Label label{};
    std::memcpy(&label, bytes.data(), sizeof label);
    return label;
}

std::string worker_name(std::uint32_t number) { return "worker " + std::to_string(number + 1); }

class PoolWorker : public Process {
public:
    PoolWorker(std::uint32_t number, const BytePool::Work& work, ByteJobs& jobs, BytePipe& results)
        : Process(worker_name(number)),
          number_(number),
          work_(work),
          jobs_(jobs),
          results_(results) {}

    void run() override {
        std::string job;
        while (jobs_.get(job, forever)) {
            Label label{label_of(job).job, number_, 0};
            std::string result;
            try {
                result = work_(job.substr(sizeof label));
            } catch (...) {
                label.failed = 1;
                result = parallel::exception_text();
            }
            const std::string bytes = labelled(label, result.data(), result.size());
            results_.put(bytes.data(), bytes.size());
        }
    }

private:
    std::uint32_t number_;
    const BytePool::Work& work_;
    ByteJobs& jobs_;
    BytePipe& results_;
};

}  // namespace

struct BytePool::State {
    State(Work work_, int workers)
        : work(std::move(work_)),
          jobs(64 << 20),
          group(
              "WorkerPool", workers,
              [this](int number) {
                  return std::make_unique<PoolWorker>(static_cast<std::uint32_t>(number), work,
                                                      jobs, results);
              },
              [this](const Process& dead) { return jobs.requeue_job_of(dead.pid()); },
              [this](const Process& ended) { return jobs.saw_end(ended.pid()); }) {}

    ~State() {
        jobs.close();
        try {
            if (owner == getpid()) group.finish(0.1);
        } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): interrupted, the workers
                                           // are ended at once
        }
    }

    void check_workers() {
        workers_checked = Wait::Clock::now();
        group.check_workers();
    }

    // Takes a result from the queue, if there is one; false: there is none, or it belongs to no
    // pending job.
    bool receive(double seconds, const std::function<void()>& on_wait) {
        std::string bytes;
        // get does not call on_wait as long as results keep coming
        if (Wait::Clock::now() - workers_checked > parallel::poll_interval) check_workers();
        if (!results.get(bytes, seconds, &on_wait)) return false;
        group.progressed();
        if (unanswered.erase(label_of(bytes).job) == 0)
            return false;  // its worker died after it was sent, and the job was done again; or it
                           // was cancelled
        ready.push_back(std::move(bytes));
        return true;
    }

    Work work;
    ByteJobs jobs;
    BytePipe results;
    std::unordered_set<std::uint64_t> unanswered;  // jobs whose results have not come
    std::deque<std::string> ready;                 // results that have come
    std::uint64_t next = 0;
    Wait::Clock::time_point workers_checked = Wait::Clock::now();
    pid_t owner = getpid();
    const KeptProcess kept{"worker processes"};
    WorkerGroup group;  // last: its workers use the members above
};

BytePool::BytePool(Work work, int workers)
    : state_(std::make_unique<State>(std::move(work),
                                     workers > 0 ? workers : std::max(2, num_workers(workers)))) {}
BytePool::BytePool(BytePool&&) noexcept = default;
BytePool& BytePool::operator=(BytePool&&) noexcept = default;
BytePool::~BytePool() = default;

std::size_t BytePool::put(const void* data, std::size_t size) {
    State& state = *state_;
    state.group.require_present();
    const std::uint64_t number = state.next++;
    std::string bytes = labelled({number, 0, 0}, data, size);
    const std::function<void()> on_wait = [&state] { state.check_workers(); };
    state.unanswered.insert(number);
    // While there is no room for the job, results are received: a worker that cannot send its
    // result takes no job.
    while (state.jobs.put(&bytes, 1, 0.001, &on_wait) == 0)
        while (state.receive(0, on_wait)) {
        }
    return number;
}

std::size_t BytePool::get(std::string& result) {
    State& state = *state_;
    state.group.require_present();
    LANES_REQUIRE(pending() > 0, "WorkerPool::get: no job is pending. Put one first.");
    const std::function<void()> on_wait = [&state] { state.check_workers(); };
    while (state.ready.empty()) state.receive(forever, on_wait);
    const std::string bytes = std::move(state.ready.front());
    state.ready.pop_front();
    const Label label = label_of(bytes);
    result.assign(bytes, sizeof label);
    if (label.failed)
        throw Error("WorkerPool: job " + std::to_string(label.job) + " failed in " +
                    worker_name(label.worker) + ": " + result);
    return label.job;
}

void BytePool::cancel() {
    state_->unanswered.clear();
    state_->ready.clear();
    state_->jobs.clear();  // last: it may be interrupted
}

std::size_t BytePool::pending() const { return state_->unanswered.size() + state_->ready.size(); }
int BytePool::workers() const { return state_->group.size(); }
const std::vector<std::string>& BytePool::worker_failures() const {
    return state_->group.worker_failures();
}

}  // namespace lanes
