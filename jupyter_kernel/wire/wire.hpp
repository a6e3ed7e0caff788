// How front and session talk: frames over a stream socket pair.
//
// A frame is one JSON text and any number of byte strings (the buffers of a comm message). One
// descriptor may ride on a frame: the session hands the front the channel of a frozen copy that
// way. The table of messages is in jupyter_kernel/README.md.
#pragma once

#include <nlohmann/json.hpp>

#include <pthread.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace xcpp_wire {

// A frame that claims to be larger is not a frame.
constexpr std::uint32_t max_parts = 4096;
constexpr std::uint32_t max_part_bytes = 1U << 30;
// A part is read in steps of this size: bytes that are not a frame may claim a gigabyte and not
// send it.
constexpr std::size_t max_read_bytes = 1U << 18;

// The other end has gone away, or what came over the channel is not a frame.
struct Broken : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Owns one descriptor.
class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int fd) : fd_(fd) {}
    ~Descriptor() { reset(); }
    Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        if (this != &other) {
            reset();
            fd_ = other.release();
        }
        return *this;
    }

    int get() const { return fd_; }
    explicit operator bool() const { return fd_ >= 0; }
    int release() {
        const int fd = fd_;
        fd_ = -1;
        return fd;
    }
    void reset();

private:
    int fd_ = -1;
};

struct Message {
    nlohmann::json body;
    std::vector<std::string> buffers;
    Descriptor descriptor;  // empty unless one came along
};

// One end of a channel. Not thread-safe without a lock.
class Channel {
public:
    Channel() = default;
    explicit Channel(Descriptor fd) : fd_(std::move(fd)) {}

    int fd() const { return fd_.get(); }
    explicit operator bool() const { return static_cast<bool>(fd_); }
    void close() { fd_.reset(); }
    // Held while a frame is written. Borrowed; see send_lock.hpp.
    void use_lock(pthread_mutex_t& lock) { lock_ = &lock; }

    // Blocks until all of it is written. Never raises SIGPIPE. Throws Broken.
    // Bytes that are not UTF-8 are replaced by U+FFFD, not refused.
    void send(const nlohmann::json& body, const std::vector<std::string>& buffers = {},
              int descriptor = -1) const;

    // Blocks until a whole frame is there, at most timeout_ms (-1: for ever). False: nothing came
    // in time. Throws Broken.
    bool receive(Message& message, int timeout_ms = -1) const;

private:
    Descriptor fd_;
    pthread_mutex_t* lock_ = nullptr;
};

struct ChannelPair {
    Channel mine, theirs;
};

// Both ends close on exec.
ChannelPair make_channel_pair();

}  // namespace xcpp_wire
