#include "pool.hpp"

#include "faults.hpp"

#include "base/kept_process.hpp"
#include "lanes/base/workers.hpp"

#include <time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace lanes::gpu::simulator {

struct Pool::Shared {
    std::mutex one_launch, mutex;
    std::condition_variable begin, end;
    const std::function<void(int)>* work = nullptr;
    std::uint64_t run = 0;  // number of the current run
    int asked = 0, running = 0;
    std::vector<std::unique_ptr<BlockRunner>> runners;
    std::vector<pthread_t> threads;
    std::deque<std::atomic<bool>> asked_to_stop;  // by worker: asked, but not yet seen

    void serve(int worker) {
        this_thread_is_replaceable();
        prepare_thread_for_faults(asked_to_stop[static_cast<std::size_t>(worker)]);
        std::uint64_t seen = 0;
        std::unique_lock<std::mutex> lock(mutex);
        for (;;) {
            begin.wait(lock, [&] { return run != seen; });
            seen = run;
            if (worker >= asked) continue;
            const auto* mine = work;
            lock.unlock();
            (*mine)(worker);
            lock.lock();
            if (--running == 0) end.notify_all();
        }
    }
};

Pool& Pool::get() {
    static std::mutex mutex;
    static Pool* pool = nullptr;
    static pid_t process = 0;
    const std::lock_guard<std::mutex> lock(mutex);
    if (process != getpid()) {
        // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): never freed, because its threads use it
        // until the process ends; after a fork the old one is left as it is
        pool = new Pool();
        process = getpid();
    }
    return *pool;
}

Pool::Pool() : shared_(std::make_unique<Shared>().release()) {
    const int count = num_workers();
    for (int i = 0; i < count; ++i) shared_->runners.push_back(std::make_unique<BlockRunner>());
    for (int i = 0; i < count; ++i) shared_->asked_to_stop.emplace_back(false);
    const SignalsWait wait;
    for (int i = 0; i < count; ++i) {
        std::thread thread(&Shared::serve, shared_, i);
        shared_->threads.push_back(thread.native_handle());
        thread.detach();
    }
}

int Pool::workers() const { return static_cast<int>(shared_->runners.size()); }

BlockRunner& Pool::runner(int worker) {
    return *shared_->runners[static_cast<std::size_t>(worker)];
}

std::unique_lock<std::mutex> Pool::reserve() {
    return std::unique_lock<std::mutex>(shared_->one_launch);
}

void Pool::run(int count, const std::function<void(int)>& work,
               const std::function<void()>& watch) {
    std::unique_lock<std::mutex> lock(shared_->mutex);
    shared_->work = &work;
    shared_->asked = shared_->running = count;
    ++shared_->run;
    shared_->begin.notify_all();
    while (!shared_->end.wait_for(lock, std::chrono::milliseconds(10),
                                  [&] { return shared_->running == 0; })) {
        lock.unlock();
        watch();
        lock.lock();
    }
    lock.unlock();
    // A worker that left just before it was asked still has the signal pending, and only this
    // launch can catch it.
    for (const auto& asked : shared_->asked_to_stop)
        while (asked) std::this_thread::sleep_for(std::chrono::microseconds(100));
}

void Pool::ask_worker_to_leave(int worker) {
    const auto index = static_cast<std::size_t>(worker);
    request_stop(shared_->threads[index], shared_->asked_to_stop[index]);
}

double Pool::cpu_seconds(int worker) const {
    clockid_t clock{};
    timespec now{};
    if (pthread_getcpuclockid(shared_->threads[static_cast<std::size_t>(worker)], &clock) == 0)
        clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace lanes::gpu::simulator
