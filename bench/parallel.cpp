// Messages per second through the library's queues, one line per run. Called by parallel.py.
//
//   parallel pipe WRITERS MESSAGES      PipeQueue<int>
//   parallel pipe_50k WRITERS MESSAGES  PipeQueue<std::string>, 50,176 bytes each: a batch of 16
//                                       images
//   parallel ring_50k WRITERS MESSAGES  SharedRing, the same bytes
//   parallel latency 1 MESSAGES         there and back, microseconds
#include "lanes/parallel.hpp"
#include "lanes/base/timer.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace {

constexpr std::size_t batch_bytes = 16 * 784 * sizeof(float);

class Doing : public lanes::Process {
public:
    explicit Doing(std::function<void()> work) : work_(std::move(work)) {}
    void run() override { work_(); }

private:
    std::function<void()> work_;
};

// Seconds until the reader has all that `writers` writers have written.
double seconds(int writers, const std::function<void()>& write, const std::function<void()>& read) {
    std::vector<std::unique_ptr<Doing>> workers;
    for (int i = 0; i < writers; ++i) workers.push_back(std::make_unique<Doing>(write));
    const lanes::Timer timer;
    for (auto& worker : workers) worker->start();
    read();
    const double time = timer.seconds();
    for (auto& worker : workers) worker->join();
    return time;
}

int wrong(const char* what) { return std::fprintf(stderr, "%s\n", what), 1; }

}  // namespace

int main(int count, char** arguments) {
    if (count != 4) return wrong("parallel pipe|pipe_50k|ring_50k|latency WRITERS MESSAGES");
    const std::string what = arguments[1];
    const int writers = std::atoi(arguments[2]), each = std::atoi(arguments[3]) / writers,
              all = each * writers;
    double time = 0;
    long long sum = 0;
    if (what == "pipe") {
        lanes::PipeQueue<int> queue;
        time = seconds(
            writers,
            [&] {
                for (int i = 0; i < each; ++i) queue.put(i);
            },
            [&] {
                for (int i = 0; i < all; ++i) sum += queue.get();
            });
        if (sum != static_cast<long long>(writers) * each * (each - 1) / 2)
            return wrong("messages were lost");
    } else if (what == "pipe_50k") {
        lanes::PipeQueue<std::string> queue;
        const std::string batch(batch_bytes, 'b');
        time = seconds(
            writers,
            [&] {
                for (int i = 0; i < each; ++i) queue.put(batch);
            },
            [&] {
                for (int i = 0; i < all; ++i) sum += queue.get()[batch_bytes - 1];
            });
        if (sum != 'b' * static_cast<long long>(all)) return wrong("messages were changed");
    } else if (what == "ring_50k") {
        lanes::SharedRing ring(16, batch_bytes);
        const std::string batch(batch_bytes, 'b');
        time = seconds(
            writers,
            [&] {
                for (int i = 0; i < each; ++i) {
                    auto slot = ring.claim();
                    std::memcpy(slot->data(), batch.data(), batch_bytes);
                    slot->publish(batch_bytes);
                }
            },
            [&] {
                for (int i = 0; i < all; ++i) sum += ring.get()->data()[batch_bytes - 1];
            });
        if (sum != 'b' * static_cast<long long>(all)) return wrong("messages were changed");
    } else if (what == "latency") {
        lanes::PipeQueue<int> there, back;
        time = seconds(
            1,
            [&] {
                for (int i = 0; i < all; ++i) back.put(there.get());
            },
            [&] {
                for (int i = 0; i < all; ++i) {
                    there.put(i);
                    sum += back.get() == i ? 1 : 0;
                }
            });
        if (sum != all) return wrong("messages were changed");
        std::printf("%.3f\n", 1e6 * time / all);
        return 0;
    } else {
        return wrong("no such measurement");
    }
    std::printf("%.0f\n", all / time);
}
