#include "output.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace xcpp_front {
namespace {

constexpr std::size_t pipe_bytes = 1 << 20;
constexpr std::size_t unshown_bytes = 4096;
constexpr Milliseconds read_interval(10);

std::size_t output_limit() {
    return static_cast<std::size_t>(number_from_environment("XCPP_OUTPUT_LIMIT", 10e6));
}

}  // namespace

Output::Output(StreamText::Publish publish)
    : pipes_{make_pipe(), make_pipe()},
      text_(output_limit(), std::move(publish)),
      buffer_(pipe_bytes, '\0') {}

Output::Pipe Output::make_pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        throw std::runtime_error(std::string("pipe: ") + std::strerror(errno));
    Pipe pipe;
    pipe.read = xcpp_wire::Descriptor(ends[0]);
    pipe.write = xcpp_wire::Descriptor(ends[1]);
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    ::fcntl(ends[0], F_SETPIPE_SZ,
            pipe_bytes);  // an ordinary user may have used up the allowance: then it stays small
    pipe.capacity = static_cast<std::size_t>(std::max(::fcntl(ends[0], F_GETPIPE_SZ), 4096));
    return pipe;
}

void Output::add_poll_items(std::vector<zmq_pollitem_t>& items, TimePoint& until) const {
    const TimePoint now = Clock::now();
    for (const Pipe& pipe : pipes_) {
        if (pipe.next_read > now) {
            until = std::min(until, pipe.next_read);
        } else {
            items.push_back({nullptr, pipe.read.get(), ZMQ_POLLIN, 0});
        }
    }
    until = std::min(until, text_.due());
}

void Output::on_poll(const std::vector<zmq_pollitem_t>& items) {
    const auto readable = [&items](const Pipe& pipe) {
        return std::any_of(items.begin(), items.end(), [&](const auto& item) {
            return item.socket == nullptr && item.fd == pipe.read.get() && item.revents != 0;
        });
    };
    const bool out = readable(pipe(Stream::out));
    const bool err = readable(pipe(Stream::err));
    // What was printed to stdout before an error message comes before it, as far as two pipes can
    // tell.
    if (out || err) read_waiting(Stream::out);
    if (err) read_waiting(Stream::err);
    const TimePoint now = Clock::now();
    if (text_.due() <= now) text_.flush(now);
}

// What is in the pipe now; not what a busy writer adds meanwhile, or this would never end.
void Output::read_waiting(Stream stream) {
    int waiting = 0;
    if (::ioctl(pipe(stream).read.get(), FIONREAD, &waiting) != 0) return;
    auto left = static_cast<std::size_t>(waiting);
    const bool nearly_full = left > pipe(stream).capacity / 2;
    while (left > 0) {
        const std::size_t got = read_some(stream);
        if (got == 0) break;
        left -= std::min(left, got);
    }
    pipes_[static_cast<std::size_t>(stream)].next_read =
        nearly_full ? TimePoint::min() : Clock::now() + read_interval;
}

std::size_t Output::read_some(Stream stream) {
    ssize_t got = 0;
    do got = ::read(pipe(stream).read.get(), buffer_.data(), buffer_.size());
    while (got < 0 && errno == EINTR);
    if (got <= 0) return 0;
    const std::string_view bytes(buffer_.data(), static_cast<std::size_t>(got));
    if (holding_) {
        held_.append(bytes);
        if (held_.size() > unshown_bytes) held_.erase(0, held_.size() - unshown_bytes);
    } else {
        text_.add(stream, bytes, Clock::now());
    }
    return bytes.size();
}

void Output::drain() {
    read_waiting(Stream::out);
    read_waiting(Stream::err);
    text_.flush(Clock::now());
}

void Output::end_cell() {
    drain();
    text_.end_cell(Clock::now());
}

void Output::hold(bool on) {
    if (on) held_.clear();
    holding_ = on;
}

}  // namespace xcpp_front
