// A stack of its own for the handlers of crash_record.hpp: the thread's may be full. The session's
// thread has one, and so has every thread that is started.
#pragma once

#include <cstddef>

namespace xcpp_session {

class HandlerStack {
public:
    HandlerStack();
    ~HandlerStack();
    HandlerStack(const HandlerStack&) = delete;
    HandlerStack& operator=(const HandlerStack&) = delete;

    void use() const;  // by the thread that asks

private:
    static constexpr std::size_t size_ =
        256 << 10;  // of addresses; memory is taken when a handler runs
    void* memory_;
};

}  // namespace xcpp_session
