// Lesson 05: messages of any length through a pipe, as a pair of functions.
#pragma once

#include "lanes/notebook/exercise.hpp"

#include <string>

namespace lanes::exercises {

class ReceiveMessage : public Exercise {
public:
    using Send = void (*)(int fd, const std::string& message);
    using Receive = std::string (*)(int fd);
    ReceiveMessage();
    void check(Send send, Receive receive) const;
};
inline ReceiveMessage receive_message() { return {}; }

}  // namespace lanes::exercises
