// Experiments with queues between processes: what arrives, how fast, and what a training makes of
// it. Introduced in the notebook 05_queue.
//
//   #include "lanes/parallel.hpp"
//   const auto make = [] { return std::make_shared<lanes::PipeQueue<std::string>>(); };
//   lanes::show_contention({{"PipeQueue", make}});
//   const auto there = make(), back = make();
//   const std::vector<double> sorted = lanes::round_trips(*there, *back);  // in µs
#pragma once

#include "lanes/lesson/spare_queue.hpp"
#include "lanes/parallel/queue.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lanes {

using MakeQueue = std::function<std::shared_ptr<Queue<std::string>>()>;
using NamedQueues = std::vector<std::pair<std::string, MakeQueue>>;
using PutBytes = std::function<void(int fd, const std::string& bytes)>;
using Percentile = std::function<double(const std::vector<double>& sorted, double p)>;

// Four writer processes put five messages of their own letter into one pipe. Draws the bytes in
// the order in which they arrive, and says whether every message is whole. `put` is called in this
// process first.
void show_writers(const std::string& title, const PutBytes& put);

// The parts of the queue of lesson 05: writers, lock, pipe, counter, reader.
void show_queue_plan();

// One writer, one reader, messages from 16 bytes to 1 MiB: MB/s as a table and a plot; and from
// which size on the slots are faster than every queue. Returns that size, or 0 for none.
double show_throughput(const NamedQueues& queues,
                       const std::function<std::shared_ptr<Slots>(std::size_t)>& slots);

// The time per message of 16 bytes with 1, 2, 4 and 8 writers, and what more writers gain or cost.
// Returns the time with 8 writers divided by that with 1, for the first queue.
double show_contention(const NamedQueues& queues);

// The times in µs, sorted, in which a message goes to another process through `there` and comes
// back through `back`.
std::vector<double> round_trips(Queue<std::string>& there, Queue<std::string>& back);

// Median, 90th and 99th percentile, and a plot of all percentiles.
void show_percentiles(const std::vector<std::pair<std::string, std::vector<double>>>& sorted,
                      const Percentile& percentile);

// Trains the network of lesson 04b three times, with seed 1: its batches come through PipeQueue,
// through `queue` and through SharedRing.
class QueueTrainings {
public:
    explicit QueueTrainings(const std::shared_ptr<Queue<std::string>>& queue, int epochs = 15);

    void show() const;
    bool same_weights() const;  // after all three, bit by bit

private:
    struct Run {
        std::string name;
        double seconds = 0;  // the fastest of two trainings
        double accuracy = 0;
        bool same = true;  // weights as in the first run
    };
    std::vector<Run> runs_;
    int epochs_;
};

}  // namespace lanes
