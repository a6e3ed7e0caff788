#include "mlp/augmented/worker_stream.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>
#include <utility>

namespace lanes::augmented {

namespace {

// Space for the jobs that are under way, or for an epoch of small ones, but not for many more:
// touching memory for the first time takes as long as writing the jobs.
std::size_t job_bytes(const Plan& plan) {
    constexpr std::size_t least = 512 << 10, most = 16 << 20, around = 128;
    const std::size_t of_job =
        around +
        plan.largest_batch * (sizeof(std::uint64_t) + plan.images.y.shape(1) * sizeof(float));
    return std::clamp(plan.slots * of_job, least, most);
}

}  // namespace

WorkerStream::WorkerStream(const Plan& plan)
    : jobs_(job_bytes(plan)), first_(plan.first_job), next_(first_), end_(first_) {}

void WorkerStream::put(const std::vector<BatchJob>& jobs) {
    for (std::size_t done = 0; done < jobs.size();) {
        const std::size_t some = jobs_.put_some(jobs, done, 0.001);
        done += some;
        if (done > 0) end_ = std::max(end_, jobs[done - 1].index + 1);
        // While the queue of jobs is full, receive batches: a worker whose batch nobody receives
        // does not take the next job.
        while (some == 0 && receive(0)) {
        }
    }
}

// A batch may arrive once more for each worker that died after sending it: another one made it
// again. Both are equal. Any other index is a mistake in a worker that the user has written; if it
// was ignored, take() could wait forever.
void WorkerStream::arrived(std::uint64_t index, Batch batch) {
    const auto fail = [&](const char* what) {
        throw Error("AugmentedNetwork: a batch with index ", index, " arrived", what,
                    ". The workers were given jobs ", first_, " to ", end_ - 1, ", and batch ",
                    next_,
                    " is next. Give each batch the index of its job, as in "
                    "lanes::ImageBatch{job->index, x, job->labels}, and put it once.");
    };
    if (index < first_ || index >= end_) fail(", but no such job was given to the workers");
    const bool is_new = index >= next_ && reorder_buffer_.emplace(index, std::move(batch)).second;
    if (!is_new && ++repeated_ > worker_failures().size())
        fail(" twice, although its worker has not died");
}

bool WorkerStream::ready() {
    while (reorder_buffer_.count(next_) == 0 && receive(0)) {
    }
    return reorder_buffer_.count(next_) > 0;
}

Batch WorkerStream::take() {
    while (reorder_buffer_.count(next_) == 0) receive(forever);
    return std::move(reorder_buffer_.extract(next_++).mapped());
}

}  // namespace lanes::augmented
