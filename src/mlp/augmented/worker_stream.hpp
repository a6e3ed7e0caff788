// Between an augmented network and its workers: jobs go in, batches come out in the order of their
// indices, in whatever order the workers finish.
#pragma once

#include "lanes/mlp/augmented_network.hpp"
#include "lanes/parallel/worker_group.hpp"
#include "mlp/augmented/settings.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lanes::augmented {

struct Plan {
    const Settings& settings;
    const Dataset& images;
    std::uint64_t seed;
    std::uint64_t first_job;    // its index
    std::size_t largest_batch;  // images
    std::size_t slots;          // batches
};

class WorkerStream {
public:
    virtual ~WorkerStream() = default;

    void put(const std::vector<BatchJob>& jobs);  // their indices follow each other
    Batch take();                                 // the next batch in order; waits for it
    bool ready();                                 // take() would return at once

    // No more jobs will be put: workers may end while the last batches are trained on.
    virtual void close_jobs() {}

    virtual int workers() const = 0;
    virtual void grow_to(int workers) = 0;  // starts more of them, if there are fewer

    // Replaces workers that have died, also idle ones. Rethrows the exception of a worker.
    virtual void replace_dead_workers() = 0;

    virtual const std::vector<std::string>& worker_failures() const = 0;

protected:
    explicit WorkerStream(const Plan& plan);

    // Receives a batch, if one comes within `seconds`, and calls arrived; false: none came.
    virtual bool receive(double seconds) = 0;
    void arrived(std::uint64_t index, Batch batch);

    Worker::Jobs jobs_;

private:
    const std::uint64_t first_;  // index of the first job
    std::uint64_t next_;         // index of the batch that take() returns next
    std::uint64_t end_;          // index after that of the last job that was put
    std::size_t repeated_ = 0;   // batches that arrived once more
    std::map<std::uint64_t, Batch> reorder_buffer_;  // batches that arrived and were not taken yet
};

std::unique_ptr<WorkerStream> make_by_queue(const Plan& plan);
std::unique_ptr<WorkerStream> make_by_ring(const Plan& plan);
std::unique_ptr<WorkerStream> make_by_threads(const Plan& plan);

}  // namespace lanes::augmented
