#include "lanes/lesson/spare_queue.hpp"

#include "lanes/base/error.hpp"
#include "lanes/base/interrupt.hpp"
#include "parallel/robust_mutex.hpp"
#include "parallel/shared_memory.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>
#include <thread>

namespace lanes::spare {

namespace {

using parallel::Shared;

// Throws for an error and for the interrupt button; a signal alone is no error.
void check_result(const char* operation, ssize_t done) {
    if (done >= 0) return;
    const int error = errno;
    LANES_REQUIRE(error == EINTR && !interrupted(), operation, ": ",
                  error == EINTR ? "interrupted" : std::strerror(error),
                  ". Check the file descriptor.");
}

// Not robust: the lesson shows what that means.
class PlainMutex {
public:
    PlainMutex() {
        pthread_mutexattr_t attributes;
        pthread_mutexattr_init(&attributes);
        pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
        pthread_mutex_init(&mutex_, &attributes);
    }
    void lock() { pthread_mutex_lock(&mutex_); }
    void unlock() { pthread_mutex_unlock(&mutex_); }

private:
    pthread_mutex_t mutex_;
};

class SpareQueue : public Queue<std::string> {
public:
    SpareQueue() : writing_("lock"), count_(shared_counter()) {
        LANES_REQUIRE(pipe2(ends_.data(), O_CLOEXEC) == 0,
                      "queue: the system gave no pipe. Close other programs.");
    }
    SpareQueue(const SpareQueue&) = delete;
    SpareQueue& operator=(const SpareQueue&) = delete;
    ~SpareQueue() override {
        close(ends_[0]);
        close(ends_[1]);
    }

    void put(const std::string& message) override {
        const std::lock_guard alone(*writing_);
        send_message(ends_[1], message);
        ++*count_;
    }
    std::string get() override {
        std::string message = receive_message(ends_[0]);
        --*count_;
        return message;
    }
    std::size_t length() const override {
        return static_cast<std::size_t>(std::max(0L, count_->load()));
    }

private:
    std::array<int, 2> ends_{};
    Shared<PlainMutex> writing_;
    std::shared_ptr<std::atomic<long>> count_;
};

struct Counters {
    std::atomic<long> published{0}, released{0};
};

class SpareSlots : public Slots {
public:
    explicit SpareSlots(std::size_t slot_size)
        : slot_size_(slot_size), shared_("slots", number * slot_size) {}

    char* claim() override {
        while (shared_->published - shared_->released == number) wait();
        return slot(shared_->published);
    }
    void publish() override { ++shared_->published; }
    const char* front() override {
        while (shared_->published == shared_->released) wait();
        return slot(shared_->released);
    }
    void release() override { ++shared_->released; }

private:
    static constexpr long number = 8;

    static void wait() {
        LANES_REQUIRE(!interrupted(), "slots: interrupted while waiting for another process.");
        std::this_thread::yield();
    }
    char* slot(long i) const {
        return reinterpret_cast<char*>(shared_.extra()) +
               static_cast<std::size_t>(i % number) * slot_size_;
    }

    std::size_t slot_size_;
    Shared<Counters> shared_;
};

}  // namespace

void write_all(int fd, const void* data, std::size_t size) {
    const char* next = static_cast<const char*>(data);
    for (const char* const end = next + size; next != end;) {
        const ssize_t done = write(fd, next, static_cast<std::size_t>(end - next));
        check_result("write_all", done);
        next += std::max<ssize_t>(done, 0);
    }
}

void read_all(int fd, void* data, std::size_t size) {
    char* next = static_cast<char*>(data);
    for (char* const end = next + size; next != end;) {
        const ssize_t done = read(fd, next, static_cast<std::size_t>(end - next));
        check_result("read_all", done);
        LANES_REQUIRE(done != 0, "read_all: the stream ended ", end - next,
                      " bytes early. Is a writer still there?");
        next += std::max<ssize_t>(done, 0);
    }
}

void send_message(int fd, const std::string& message) {
    const std::size_t size = message.size();
    write_all(fd, &size, sizeof size);
    write_all(fd, message.data(), size);
}

std::string receive_message(int fd) {
    std::size_t size = 0;
    read_all(fd, &size, sizeof size);
    LANES_REQUIRE(size <= 1U << 30U, "receive_message: ", size,
                  " cannot be a length. Are the bytes of several messages mixed?");
    std::string message(size, '\0');
    read_all(fd, message.data(), size);
    return message;
}

std::shared_ptr<std::atomic<long>> shared_counter() {
    const auto shared = std::make_shared<Shared<std::atomic<long>>>("counter");
    return {shared, &**shared};
}

void put_in_turn(int fd, const std::string& bytes) {
    static Shared<parallel::RobustMutex> turn("turn");
    const parallel::Guard alone(
        *turn, parallel::Wait("put_in_turn", std::numeric_limits<double>::infinity()));
    write_all(fd, bytes.data(), bytes.size());
}

std::shared_ptr<Queue<std::string>> queue() { return std::make_shared<SpareQueue>(); }

std::shared_ptr<Slots> slots(std::size_t slot_size) {
    return std::make_shared<SpareSlots>(slot_size);
}

double percentile(const std::vector<double>& sorted, double p) {
    LANES_REQUIRE(!sorted.empty() && p >= 0 && p <= 100, "percentile ", p, " of ", sorted.size(),
                  " values: give at least one value, and a percentile from 0 to 100.");
    const double position = p / 100 * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] +
           (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace lanes::spare
