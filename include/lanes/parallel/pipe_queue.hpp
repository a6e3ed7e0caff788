// A queue of messages between processes: many writers, one reader. Introduced in the notebook
// 05_queue.
//
//   lanes::PipeQueue<int> queue;  // make it before the workers are started: they inherit it
//   queue.put(42);                // in any process
//   int x = queue.get();          // in one process at a time
//
// What it promises when a worker dies:
// - A message is delivered once if its put has returned, even if the writer dies later.
// - A writer that dies inside put blocks nobody: the next writer takes over the lock. The
//  unfinished message is skipped and counted in torn(), or delivered if it was complete already.
// - A reader that waits in get never hangs: get throws Error with the worker's name if a worker
//  was killed, crashed or threw; if all workers have ended and the queue stays empty; and if the
//  notebook's interrupt button is pressed.
// - If the reader dies, messages that it has not yet given out stay in the queue for the next
//  reader. The one exception: a message above 4 kB that it had begun to read is lost (counted in
//  torn()).
//
// How: put holds a lock and cuts a message into pieces of at most 4096 bytes (PIPE_BUF: the system
// writes so many bytes to a pipe completely or not at all). Each piece has the message's number and
// length, its own position and a checksum. What the reader has taken from the pipe and not yet
// given out is kept in shared memory. A second reader at the same time gets an Error.
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

    // False after `seconds`. on_wait: called while it waits, in place of the look at all workers;
    // may throw.
    bool get(std::string& message, double seconds, const std::function<void()>* on_wait = nullptr);

    std::size_t length() const;
    std::size_t torn() const;

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
        pipe_.get(bytes, forever);  // comes back with a message, or throws
        return Message<T>::from(std::move(bytes));
    }

    // Empty if no message came within `seconds`; 0 does not wait.
    std::optional<T> get_for(double seconds) { return get_for(seconds, nullptr); }

    // For those who look after their workers themselves: on_wait is called while it waits, in place
    // of the look at all workers; it may throw.
    std::optional<T> get_for(double seconds, const std::function<void()>* on_wait) {
        std::string bytes;
        if (!pipe_.get(bytes, seconds, on_wait)) return {};
        return Message<T>::from(std::move(bytes));
    }

    std::size_t length() const override { return pipe_.length(); }
    std::size_t torn() const { return pipe_.torn(); }  // messages whose writer died inside put

private:
    BytePipe pipe_;
};

}  // namespace lanes
