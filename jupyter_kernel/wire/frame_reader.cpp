#include "frame_reader.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace xcpp_wire {
namespace {

std::uint32_t number(const std::string& bytes) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
}

}  // namespace

void FrameReader::expect(Step step, std::size_t bytes) {
    step_ = step;
    expected_ = bytes;
    bytes_.clear();
}

// True once everything expected is there. A descriptor rides on the first bytes of a frame, which
// are read alone.
bool FrameReader::fill(int fd) {
    while (bytes_.size() < expected_) {
        const std::size_t filled = bytes_.size();
        bytes_.resize(std::min<std::size_t>(expected_, filled + max_read_bytes));
        iovec data{bytes_.data() + filled, bytes_.size() - filled};
        alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
        msghdr header{};
        header.msg_iov = &data;
        header.msg_iovlen = 1;
        header.msg_control = control;
        header.msg_controllen = sizeof control;
        const ssize_t got = ::recvmsg(fd, &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
        bytes_.resize(filled + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return false;
        if (got < 0) throw Broken(std::string("receive: ") + std::strerror(errno));
        for (cmsghdr* control_message = CMSG_FIRSTHDR(&header); control_message != nullptr;
             control_message = CMSG_NXTHDR(&header, control_message)) {
            if (control_message->cmsg_level != SOL_SOCKET ||
                control_message->cmsg_type != SCM_RIGHTS)
                continue;
            int received = -1;
            std::memcpy(&received, CMSG_DATA(control_message), sizeof received);
            coming_.descriptor = Descriptor(received);
        }
        if (got == 0) throw Broken("receive: the other end is closed");
    }
    return true;
}

bool FrameReader::read(int fd, Message& message) {
    while (fill(fd)) {
        switch (step_) {
            case Step::start:
                parts_left_ = number(bytes_);
                first_part_ = true;
                if (parts_left_ == 0 || parts_left_ > max_parts)
                    throw Broken("receive: no frame starts here");
                expect(Step::size, sizeof(std::uint32_t));
                break;
            case Step::size: {
                const std::uint32_t size = number(bytes_);
                if (size > max_part_bytes) throw Broken("receive: no frame starts here");
                expect(Step::part, size);
                break;
            }
            case Step::part:
                if (first_part_) {
                    coming_.body = nlohmann::json::parse(bytes_, nullptr, false);
                    if (!coming_.body.is_object())
                        throw Broken("receive: the frame holds no JSON object");
                    first_part_ = false;
                } else {
                    coming_.buffers.push_back(std::move(bytes_));
                }
                if (--parts_left_ > 0) {
                    expect(Step::size, sizeof(std::uint32_t));
                    break;
                }
                expect(Step::start, sizeof(std::uint32_t));
                message = std::move(coming_);
                coming_ = Message{};
                return true;
        }
    }
    return false;
}

}  // namespace xcpp_wire
