#include "lanes/lesson/queue_times.hpp"

#include "lanes/base/error.hpp"
#include "lanes/base/machine.hpp"
#include "lanes/base/timer.hpp"
#include "lanes/data/mnist.hpp"
#include "lanes/lesson/processes.hpp"
#include "lanes/mlp/augmented_network.hpp"
#include "lanes/notebook/plot.hpp"
#include "lanes/notebook/progress.hpp"
#include "lanes/notebook/table.hpp"

#include <algorithm>
#include <cstring>
#include <iostream>
#include <numeric>
#include <thread>

namespace lanes {

namespace {

using Bytes = Queue<std::string>;

constexpr std::size_t batch = sizeof(float) * 16 * (784 + 10);  // images and labels
const std::vector<std::size_t> sizes{16, 1024, 16384, batch, 1U << 20U};

// The seconds that `read` takes while `writers` processes run `write`, which begin together.
double seconds(int writers, const std::function<void()>& write, const std::function<void()>& read) {
    const auto started = spare::shared_counter();
    std::vector<std::unique_ptr<Child>> children;
    children.reserve(static_cast<std::size_t>(writers));
    for (int i = 0; i < writers; ++i)
        children.push_back(std::make_unique<Child>([&] {
            while (*started == 0) std::this_thread::yield();
            write();
        }));
    *started = 1;
    const Timer timer;
    read();
    const double taken = timer.seconds();
    for (auto& child : children) child->join();
    return taken;
}

double fastest_of_three(const std::function<double()>& measure) {
    return std::min({measure(), measure(), measure()});
}

// Writers make each message new, as a worker does.
double seconds(Bytes& queue, int writers, int each, std::size_t size) {
    const auto write = [&] {
        for (int n = 0; n < each; ++n) queue.put(std::string(size, 'x'));
    };
    const auto read = [&] {
        for (int n = 0; n < writers * each; ++n) queue.get();
    };
    return fastest_of_three([&] { return seconds(writers, write, read); });
}

double seconds(Slots& slots, int each, std::size_t size) {
    const auto write = [&] {
        for (int n = 0; n < each; ++n) {
            std::memset(slots.claim(), 'x', size);
            slots.publish();
        }
    };
    const auto read = [&] {
        for (int n = 0; n < each; ++n) {
            slots.front();
            slots.release();
        }
    };
    return fastest_of_three([&] { return seconds(1, write, read); });
}

// From which size on the last series is faster than all others; -1: not even the largest.
int faster_from(const std::vector<std::vector<double>>& rates) {
    int from = -1;
    for (std::size_t i = sizes.size(); i-- > 0; from = static_cast<int>(i))
        for (std::size_t k = 0; k + 1 < rates.size(); ++k)
            if (rates[k][i] >= rates.back()[i]) return from;
    return from;
}

}  // namespace

double show_throughput(const NamedQueues& queues,
                       const std::function<std::shared_ptr<Slots>(std::size_t)>& slots) {
    std::vector<std::string> columns{"bytes per message"};
    for (const auto& [name, make] : queues) columns.push_back(name);
    columns.emplace_back("ring of slots");
    std::vector<std::vector<double>> rates(queues.size() + 1);  // MB/s, by queue and size
    Table table(columns);
    const int most = repetitions(20000);  // messages
    for (const std::size_t size : sizes) {
        const int each =
            std::clamp(static_cast<int>(most * 4096.0 / static_cast<double>(size)), 10, most);
        const double mb = 1e-6 * each * static_cast<double>(size);
        for (std::size_t k = 0; k < queues.size(); ++k)
            rates[k].push_back(mb / seconds(*queues[k].second(), 1, each, size));
        rates.back().push_back(mb / seconds(*slots(size), each, size));
        std::vector<std::string> row{std::to_string(size)};
        for (const auto& rate : rates) row.push_back(with_unit(rate.back(), "MB/s"));
        table.row(row);
    }
    table.note(machine_line()).show();
    Plot plot("Throughput: one writer, one reader");
    plot.x("message size in bytes").y("throughput in MB/s").log_x().log_y();
    for (std::size_t k = 0; k < rates.size(); ++k) plot.line(columns[k + 1], sizes, rates[k]);
    plot.rule_x("a batch", static_cast<double>(batch)).show();
    const int from = faster_from(rates);
    if (from < 0) {
        std::cout << "Not even for the longest messages is the ring faster than every queue: "
                     "here, copying costs less than waiting.\n";
        return 0;
    }
    const std::size_t size = sizes[static_cast<std::size_t>(from)];
    std::cout << "The ring is faster than every queue from " << size << " bytes per message on.\n";
    return static_cast<double>(size);
}

double show_contention(const NamedQueues& queues) {
    LANES_REQUIRE(!queues.empty(), "show_contention: no queues. Give at least one.");
    std::vector<std::string> columns{"writers"};
    for (const auto& [name, make] : queues) columns.push_back(name);
    Table table(columns, "time per message of 16 bytes");
    const int messages = repetitions(40000);
    std::vector<double> first;  // µs, of the first queue
    for (const int writers : {1, 2, 4, 8}) {
        std::vector<std::string> row{std::to_string(writers)};
        const int each = std::max(1, messages / writers);
        for (std::size_t k = 0; k < queues.size(); ++k) {
            const double us =
                1e6 * seconds(*queues[k].second(), writers, each, 16) / (writers * each);
            row.push_back(with_unit(us, "µs"));
            if (k == 0) first.push_back(us);
        }
        table.row(row);
    }
    table.note(machine_line()).show();
    const double ratio = first.back() / first.front();
    std::cout << queues[0].first << ": with 8 writers a message takes " << with_unit(ratio, "x")
              << " as long as with 1. "
              << (ratio > 1.15  ? "They get in each other's way: they wait for the lock or a core."
                  : ratio < 0.5 ? "They work in parallel."
                                : "They wait for the same lock or for the one reader, so more of "
                                  "them gain little or nothing.")
              << '\n';
    return ratio;
}

std::vector<double> round_trips(Queue<std::string>& there, Queue<std::string>& back) {
    const int times = repetitions(5000);
    Child echo([&] {
        for (int n = 0; n < times; ++n) back.put(there.get());
    });
    std::vector<double> taken;
    for (int n = 0; n < times; ++n) {
        const Timer timer;
        there.put("ping");
        back.get();
        taken.push_back(timer.seconds() * 1e6);
    }
    std::sort(taken.begin(), taken.end());
    return taken;
}

void show_percentiles(const std::vector<std::pair<std::string, std::vector<double>>>& sorted,
                      const Percentile& percentile) {
    Table table({"round trip", "median", "90th percentile", "99th percentile"});
    Plot plot("Percentiles of the round trip");
    plot.x("percentile: % of the messages that take at most this long");
    plot.y("round trip in µs").log_y();
    std::vector<double> percents(100);
    std::iota(percents.begin(), percents.end(), 0);
    for (const auto& [name, times] : sorted) {
        const auto at = [&, times = std::cref(times)](double p) {
            return percentile(times.get(), p);
        };
        table.row(name, with_unit(at(50), "µs"), with_unit(at(90), "µs"), with_unit(at(99), "µs"));
        std::vector<double> values;
        values.reserve(percents.size());
        for (const double p : percents) values.push_back(at(p));
        plot.line(name, percents, values);
    }
    table.note(machine_line()).show();
    plot.show();
}

QueueTrainings::QueueTrainings(const std::shared_ptr<Queue<std::string>>& queue, int epochs)
    : epochs_(epochs) {
    const auto data = load_mnist(MnistSplit::assignment_2);
    TrainingOptions options;
    options.batches_per_epoch(300).seed(1);
    const auto trained = [&](BatchPipeline pipeline, const std::shared_ptr<Bytes>& through) {
        AugmentedNetwork network({784, 128, 64, 10}, options);
        network.print_epochs(false);
        network.set_pipeline(pipeline);
        if (through) network.set_result_queue(through);
        network.fit(data.train, static_cast<std::size_t>(epochs));
        return network;
    };
    std::vector<Matrix> first;
    Progress progress("trainings", 3);
    const auto add = [&](const char* name, BatchPipeline pipeline,
                         const std::shared_ptr<Bytes>& through) {
        Run run{name};
        run.seconds = best_of(repetitions(2), [&] {
            const auto network = trained(pipeline, through);
            run.accuracy = network.accuracy(data.validation);
            if (first.empty()) first = network.weights();
            run.same = run.same && network.weights() == first;
        });
        runs_.push_back(run);
        progress.advance();
    };
    add("lanes::PipeQueue", BatchPipeline::pipeline, nullptr);
    add("your queue", BatchPipeline::pipeline, queue);
    add("lanes::SharedRing", BatchPipeline::shared_ring, nullptr);
}

void QueueTrainings::show() const {
    Table table({"batches come through", "time", "validation accuracy", "weights"},
                std::to_string(epochs_) + " epochs of 300 batches");
    for (const Run& run : runs_)
        table.row(run.name, with_unit(run.seconds, "s"), with_unit(100 * run.accuracy, "%"),
                  run.same ? "the same" : "others");
    table.note(machine_line()).show();
    const auto slower = [](const Run& a, const Run& b) { return a.seconds < b.seconds; };
    const auto [low, high] = std::minmax_element(runs_.begin(), runs_.end(), slower);
    std::cout << "Slowest and fastest differ by "
              << with_unit(100 * (high->seconds / low->seconds - 1), "%")
              << " of the fastest time.\n";
}

bool QueueTrainings::same_weights() const {
    return std::all_of(runs_.begin(), runs_.end(), [](const Run& run) { return run.same; });
}

}  // namespace lanes
