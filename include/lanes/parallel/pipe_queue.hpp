// A queue of messages from many writers to one reader: a pipe, and a lock around writing.
// Introduced in the notebook 05_queue.
//
//   lanes::PipeQueue<int> queue;      // before the workers are started
//   queue.put(42);                    // in any of them
//   int x = queue.get();              // in one process at a time
//
// A message counts once put has returned. A writer that dies inside put leaves at most a torn
// message: it is passed over, and counted in torn(). A get that waits ends with an Error where a
// worker has died, where nobody is left to write, or where the notebook's interrupt button is
// pressed.
//
// How: a message is cut into pieces of at most 4096 bytes (PIPE_BUF: so much the system writes to a
// pipe as a whole or not at all), each with the message's number, its length, the piece's place and
// a checksum. What the reader has taken from the pipe and not yet given out lies in shared memory,
// so that a reader's death or replacement loses nothing either. Only put takes the lock; a second
// reader at the same time is refused.
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

    // Empty where no message came within `seconds`; 0 does not wait.
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
