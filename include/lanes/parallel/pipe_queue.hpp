// A queue of messages between processes: many writers, one reader. Introduced in the notebook
// 05_queue.
//
//   lanes::PipeQueue<int> queue;  // make it before the workers are started: they inherit it
//   queue.put(42);                // in any process
//   int x = queue.get();          // in one process at a time
//
// What it promises when a worker dies:
// - A message is delivered once if its put has returned, even if the writer dies later.
// - A writer that dies inside put does not block the others: the next writer takes over the lock.
//  Its message is delivered if all of it was in the pipe already. If only a part was (of a
//  message above 4 kB), that part is skipped and counted in damaged_messages().
// - A reader that waits in get never hangs: get throws Error with the worker's name if a worker
//  was killed, crashed, threw or called exit; if all workers have ended and the queue stays empty;
//  and if the notebook's interrupt button is pressed.
// - If the reader dies, messages that it has not yet returned stay in the queue for the next
//  reader. The one exception: a message above 4 kB that it had begun to read is lost and counted
//  in damaged_messages().
//
// How: put holds a lock and cuts a message into pieces of at most 4096 bytes (PIPE_BUF: the system
// writes so many bytes to a pipe completely or not at all). Each piece has the message's number and
// length, its own position and a checksum. What the reader has taken from the pipe and not yet
// returned is kept in shared memory. A second reader at the same time gets an Error.
#pragma once

#include "lanes/parallel/message.hpp"
#include "lanes/parallel/process.hpp"
#include "lanes/parallel/queue.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace lanes {

// The queue beneath PipeQueue<T>: messages are bytes.
class BytePipe {
public:
    BytePipe();
    BytePipe(BytePipe&&) noexcept;
    BytePipe& operator=(BytePipe&&) noexcept;
    ~BytePipe();

    void put(const void* data, std::size_t size);

    // False if no message came within `seconds`. on_wait: see PipeQueue::get_for.
    bool get(std::string& message, double seconds, const std::function<void()>* on_wait = nullptr);

    std::size_t length() const;
    std::size_t damaged_messages() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

template <class T>
class PipeQueue : public Queue<T> {
public:
    void put(const T& message) override {
        std::string scratch;
        const std::string_view bytes = Message<T>::bytes(message, scratch);
        pipe_.put(bytes.data(), bytes.size());
    }

    T get() override {
        std::string bytes;
        pipe_.get(bytes, forever);  // returns a message or throws
        return Message<T>::from(std::move(bytes));
    }

    // Empty if no message came within `seconds`; 0 does not wait.
    std::optional<T> get_for(double seconds) { return get_for(seconds, nullptr); }

    // A get that leaves the care for workers to its caller. on_wait is called in the thread that
    // called get_for, about every 20 ms while there is no message, instead of the check of all
    // workers. It may replace workers, and it may throw: get_for passes the exception on. It must
    // not read from this queue. In a worker process it is not called.
    std::optional<T> get_for(double seconds, const std::function<void()>* on_wait) {
        std::string bytes;
        if (!pipe_.get(bytes, seconds, on_wait)) return {};
        return Message<T>::from(std::move(bytes));
    }

    std::size_t length() const override { return pipe_.length(); }

    // Messages that were skipped because a part of them is missing: their writer died or was
    // interrupted inside put, or a reader died after it had begun to read them.
    std::size_t damaged_messages() const { return pipe_.damaged_messages(); }

private:
    BytePipe pipe_;
};

}  // namespace lanes
