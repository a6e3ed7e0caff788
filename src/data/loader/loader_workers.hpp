// The worker processes of a DataLoader. Jobs go to them through a JobQueue; batches come back in
// slots of a SharedRing and are taken in the order of their numbers, whichever worker is faster.
#pragma once

#include "batch_layout.hpp"

#include "base/kept_process.hpp"
#include "lanes/parallel/job_queue.hpp"
#include "lanes/parallel/shared_ring.hpp"
#include "lanes/parallel/worker_group.hpp"
#include "parallel/shared_memory.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lanes::data {

// A batch that a worker is to make: its number and epoch, then the indices of its examples.
using LoaderJob = std::vector<std::uint64_t>;

// Where the parts of a batch are in a slot of the ring.
struct SlotLayout {
    SlotLayout(const BatchLayout& batch, std::size_t batch_size);

    std::vector<std::size_t> offsets;  // bytes, for each tensor
    std::size_t bytes;                 // of the slot
};

// The example that a worker is reading, in shared memory: known even after its death.
using CurrentExample = std::atomic<std::uint64_t>;

class LoaderWorkers {
public:
    LoaderWorkers(Examples& examples, const BatchLayout& layout, const DataLoaderOptions& options);

    // After a fork the workers belong to the other process.
    bool present() const;

    std::size_t max_in_flight() const { return max_in_flight_; }  // batches put and not taken

    void put(std::uint64_t number, std::uint64_t epoch, const std::size_t* rows, std::size_t count);

    // Waits for the batch with this number; those with smaller ones are not needed any more.
    // Throws Error if get threw, if a worker called exit, if three workers died with the same
    // batch, and if the interrupt button is pressed. All but the first need new workers.
    void take(std::uint64_t number, Tensor* batch);

    void drop_all();  // forgets all batches that were put and not taken

    const std::vector<std::string>& worker_failures() const { return group_.worker_failures(); }

private:
    void require_present() const;
    void receive(std::uint64_t wanted);
    void check_workers();
    int on_death(const Process& dead);

    BatchLayout layout_;
    SlotLayout slot_;
    std::size_t max_in_flight_;
    JobQueue<LoaderJob> jobs_;
    SharedRing ring_;
    parallel::SharedMemory current_;                     // a CurrentExample per worker
    std::map<std::uint64_t, SharedRing::Filled> early_;  // batches that have come, by number
    std::uint64_t last_example_ = 0;                     // of the worker that died last
    int owner_;
    const KeptProcess kept_{"worker processes"};
    WorkerGroup group_;  // last: its workers use the members above
};

}  // namespace lanes::data
