// The interface of a queue of messages. PipeQueue implements it, and so does the queue that a
// student writes in lesson 05_queue.
//
//   const auto drain = [](lanes::Queue<std::string>& queue) {
//       while (!queue.empty()) queue.get();
//   };
//   lanes::PipeQueue<std::string> queue;
//   queue.put("a message");
//   drain(queue);
#pragma once

#include <cstddef>

namespace lanes {

template <class T>
class Queue {
public:
    virtual ~Queue() = default;

    virtual void put(const T& message) = 0;
    virtual T get() = 0;                     // waits for a message
    virtual std::size_t length() const = 0;  // messages written as a whole and not yet read
    virtual bool empty() const { return length() == 0; }
};

}  // namespace lanes
