// What a queue of messages can do, for those that take any: PipeQueue is one, and so is a queue of
// one's own.
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
