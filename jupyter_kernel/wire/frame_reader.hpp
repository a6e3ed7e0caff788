// Reads frames without ever waiting. The front uses it: a session may die, or be stopped, in the
// middle of a frame, while children that a cell forked keep the channel open; a blocking read would
// never return.
#pragma once

#include "wire.hpp"

#include <cstdint>
#include <string>

namespace xcpp_wire {

class FrameReader {
public:
    // True: a whole frame is in `message`. False: there is none yet; what came of it is kept.
    // Throws Broken.
    bool read(int fd, Message& message);

private:
    enum class Step { start, size, part };

    bool fill(int fd);
    void expect(Step step, std::size_t bytes);

    Step step_ = Step::start;
    std::size_t expected_ = sizeof(std::uint32_t);
    std::string bytes_;  // of `expected_`, those that came
    std::uint32_t parts_left_ = 0;
    bool first_part_ = true;
    Message coming_;
};

}  // namespace xcpp_wire
