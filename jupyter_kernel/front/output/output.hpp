// The session's stdout and stderr: two pipes, read by the front's poll loop. The same pipes serve
// every session and copy, so nothing is lost when one takes over from another; the front keeps the
// ends for writing, so no pipe ever ends.
#pragma once

#include "stream_text.hpp"
#include "wire/wire.hpp"

#include <zmq.h>

#include <string>
#include <vector>

namespace xcpp_front {

class Output {
public:
    explicit Output(StreamText::Publish publish);

    int end_for_writing(Stream stream) const { return pipe(stream).write.get(); }

    // For the poll loop: what to wait for and until when, and what to do after the wait.
    void add_poll_items(std::vector<zmq_pollitem_t>& items, TimePoint& until) const;
    void on_poll(const std::vector<zmq_pollitem_t>& items);

    // Publishes everything that was written until now. Called before any message of the session is
    // acted on: that keeps the order.
    void drain();

    void begin_cell() { text_.begin_cell(); }
    void end_cell();

    // While a session loads, its text is not output of a cell: it is kept, for the case
    // that the session does not start.
    void hold(bool on);
    const std::string& unshown_text() const { return held_; }

private:
    struct Pipe {
        xcpp_wire::Descriptor read, write;
        std::size_t capacity = 65536;
        TimePoint next_read = TimePoint::min();  // many tiny writes should not wake us each
    };

    static Pipe make_pipe();
    const Pipe& pipe(Stream stream) const { return pipes_[static_cast<std::size_t>(stream)]; }
    std::size_t read_some(Stream stream);
    void read_waiting(Stream stream);

    std::array<Pipe, 2> pipes_;
    StreamText text_;
    bool holding_ = true;
    std::string held_;
    std::string buffer_;
};

}  // namespace xcpp_front
