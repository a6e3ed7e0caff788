#include "loader_workers.hpp"

#include "base/math.hpp"
#include "base/thread_pool.hpp"
#include "lanes/base/error.hpp"
#include "lanes/base/interrupt.hpp"
#include "tensor/core/tensor_impl.hpp"

#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <utility>

namespace lanes::data {

namespace {

// At the beginning of each slot. If a worker failed, the text follows in place of the tensors.
struct SlotHeader {
    std::uint64_t examples;
    std::uint64_t error_bytes;  // 0: no error
};

constexpr std::size_t cache_line = 64;
constexpr std::size_t up_to_line(std::size_t bytes) { return round_up(bytes, cache_line); }

constexpr std::size_t job_header = 2;  // numbers in front of the indices

class LoaderWorker : public Process {
public:
    LoaderWorker(const std::string& name, Examples& examples, const BatchLayout& layout,
                 const SlotLayout& slot, std::uint64_t seed, JobQueue<LoaderJob>& jobs,
                 SharedRing& ring, CurrentExample& current)
        : Process(name),
          writer_(examples, layout, " in " + name),
          slot_(slot),
          seed_(seed),
          jobs_(jobs),
          ring_(ring),
          current_(current) {}

    void run() override {
        // One thread per worker: the cores are for all of them.
        use_one_thread();
        omp_set_max_active_levels(0);
        // Claims a slot before it takes a job: the worker with the oldest job then always has one.
        while (auto slot = ring_.claim()) {
            const auto job = jobs_.get();
            if (!job) return;
            make(*job, slot->data());
            slot->publish(slot->capacity(), (*job)[0]);
        }
    }

private:
    void make(const LoaderJob& job, unsigned char* slot) {
        const std::vector<std::size_t> rows(job.begin() + job_header, job.end());
        std::vector<unsigned char*> to(slot_.offsets.size());
        for (std::size_t i = 0; i < to.size(); ++i) to[i] = slot + slot_.offsets[i];
        SlotHeader header{rows.size(), 0};
        try {
            writer_.write(rows.data(), rows.size(), Rng(seed_).split(job[1]), to.data(),
                          [this](std::size_t index) { current_ = index; });
        } catch (const Error& error) {
            const std::string text = error.what();
            header.error_bytes = std::min(text.size(), slot_.bytes - sizeof header);
            std::memcpy(slot + sizeof header, text.data(), header.error_bytes);
        }
        std::memcpy(slot, &header, sizeof header);
    }

    BatchWriter writer_;
    const SlotLayout& slot_;
    std::uint64_t seed_;
    JobQueue<LoaderJob>& jobs_;
    SharedRing& ring_;
    CurrentExample& current_;
};

std::size_t job_bytes(const DataLoaderOptions& options, std::size_t jobs) {
    constexpr std::size_t record = 64;  // more than the queue keeps beside each job
    return jobs * (record + (job_header + options.batch_size()) * sizeof(std::uint64_t));
}

std::size_t workers_of(const DataLoaderOptions& options) {
    return static_cast<std::size_t>(options.num_workers());
}

}  // namespace

SlotLayout::SlotLayout(const BatchLayout& batch, std::size_t batch_size)
    : bytes(up_to_line(sizeof(SlotHeader))) {
    for (const std::size_t of_example : batch.bytes) {
        offsets.push_back(bytes);
        bytes += up_to_line(batch_size * of_example);
    }
    constexpr std::size_t longest_text = 4096;
    bytes = std::max(bytes, longest_text);
}

LoaderWorkers::LoaderWorkers(Examples& examples, const BatchLayout& layout,
                             const DataLoaderOptions& options)
    : layout_(layout),
      slot_(layout, options.batch_size()),
      max_in_flight_(options.prefetch() * workers_of(options)),
      jobs_(job_bytes(options, 2 * (max_in_flight_ + workers_of(options)))),
      // A worker that waits for a job holds a slot.
      ring_(max_in_flight_ + workers_of(options), slot_.bytes),
      current_("lanes-loader", workers_of(options) * sizeof(CurrentExample)),
      owner_(getpid()),
      group_(
          "DataLoader", options.num_workers(),
          [this, &examples, seed = options.seed()](int number) {
              auto* const current = static_cast<CurrentExample*>(current_.data()) + number;
              return std::make_unique<LoaderWorker>("worker " + std::to_string(number + 1),
                                                    examples, layout_, slot_, seed, jobs_, ring_,
                                                    *current);
          },
          [this](const Process& dead) { return on_death(dead); },
          [this](const Process& ended) { return jobs_.saw_end(ended.pid()); }, true) {}

bool LoaderWorkers::present() const { return owner_ == getpid(); }

// Ring and queue are still used by the process that started the workers.
void LoaderWorkers::require_present() const {
    LANES_REQUIRE(present(),
                  "DataLoader: its workers are gone. They belonged to the session before it was "
                  "restored after an error. Start the epoch again.");
}

void LoaderWorkers::put(std::uint64_t number, std::uint64_t epoch, const std::size_t* rows,
                        std::size_t count) {
    require_present();
    LoaderJob job{number, epoch};
    job.insert(job.end(), rows, rows + count);
    jobs_.put(job);  // there is room: the queue holds all jobs that may be in flight
}

void LoaderWorkers::take(std::uint64_t number, Tensor* batch) {
    require_present();
    while (early_.count(number) == 0) receive(number);
    const SharedRing::Filled slot = std::move(early_.extract(number).mapped());
    SlotHeader header{};
    std::memcpy(&header, slot.data(), sizeof header);
    if (header.error_bytes > 0)
        throw Error(std::string(slot.data<char>() + sizeof header, header.error_bytes));
    for (std::size_t i = 0; i < layout_.tensors(); ++i) {
        batch[i] =
            Tensor::empty(layout_.batch_shape(i, header.examples), Device::cpu(), layout_.types[i]);
        std::memcpy(tensor::address(batch[i]), slot.data() + slot_.offsets[i],
                    header.examples * layout_.bytes[i]);
    }
}

void LoaderWorkers::receive(std::uint64_t wanted) {
    constexpr double moment = 0.02;  // seconds
    // Not the ring's own check of workers: it is left out if this process is a worker itself.
    const std::function<void()> nothing = [] {};
    std::optional<SharedRing::Filled> slot;
    try {
        slot = ring_.get(moment, &nothing);
    } catch (const Error&) {
        LANES_REQUIRE(!interrupted(), "DataLoader: interrupted while it waited for its workers.");
        throw;
    }
    if (!slot) return check_workers();
    group_.progressed();
    // Dropped: batches of an epoch that was left, and those that two workers made because the first
    // one died right after it had published.
    if (slot->tag() >= wanted && slot->tag() < wanted + max_in_flight_)
        early_.emplace(slot->tag(), std::move(*slot));
}

void LoaderWorkers::check_workers() {
    try {
        group_.check_workers();
    } catch (const Error& error) {
        throw Error(error.what(), " It was reading example ", last_example_, ": try get(",
                    last_example_, ") of your dataset in a cell.");
    }
}

int LoaderWorkers::on_death(const Process& dead) {
    for (int number = 0; number < group_.size(); ++number)
        if (group_.worker(number).pid() == dead.pid())
            last_example_ = static_cast<CurrentExample*>(current_.data())[number];
    ring_.reclaim_slots_of(dead.pid());
    return jobs_.requeue_job_of(dead.pid());
}

void LoaderWorkers::drop_all() {
    early_.clear();
    jobs_.clear();
}

}  // namespace lanes::data
