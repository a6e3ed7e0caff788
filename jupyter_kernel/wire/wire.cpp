#include "wire.hpp"

#include "send_lock.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

namespace xcpp_wire {
namespace {

std::string why(const char* operation) {
    return std::string(operation) + ": " + std::strerror(errno);
}

void write_all(int fd, const char* data, std::size_t size) {
    while (size > 0) {
        const ssize_t written = ::send(fd, data, size, MSG_NOSIGNAL);
        if (written < 0) {
            if (errno == EINTR) continue;
            throw Broken(why("send"));
        }
        data += written;
        size -= static_cast<std::size_t>(written);
    }
}

void read_all(int fd, char* data, std::size_t size) {
    while (size > 0) {
        const ssize_t got = ::recv(fd, data, size, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw Broken(why("receive"));
        if (got == 0) throw Broken("receive: the other end is closed");
        data += got;
        size -= static_cast<std::size_t>(got);
    }
}

// One system call for a whole frame, as a rule: two would wake the other end for four bytes. The
// descriptor, if there is one, rides on the first of them.
void write_frame(int fd, const std::string& frame, int descriptor) {
    iovec data{const_cast<char*>(frame.data()), frame.size()};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    msghdr header{};
    header.msg_iov = &data;
    header.msg_iovlen = 1;
    if (descriptor >= 0) {
        header.msg_control = control;
        header.msg_controllen = sizeof control;
        cmsghdr* control_message = CMSG_FIRSTHDR(&header);
        control_message->cmsg_level = SOL_SOCKET;
        control_message->cmsg_type = SCM_RIGHTS;
        control_message->cmsg_len = CMSG_LEN(sizeof(int));
        std::memcpy(CMSG_DATA(control_message), &descriptor, sizeof descriptor);
    }
    ssize_t written = 0;
    do written = ::sendmsg(fd, &header, MSG_NOSIGNAL);
    while (written < 0 && errno == EINTR);
    if (written < 0) throw Broken(why("send"));
    write_all(fd, frame.data() + written, frame.size() - static_cast<std::size_t>(written));
}

std::uint32_t read_start(int fd, Descriptor& descriptor) {
    std::uint32_t parts = 0;
    iovec data{&parts, sizeof parts};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    msghdr header{};
    header.msg_iov = &data;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = sizeof control;
    ssize_t got = 0;
    do got = ::recvmsg(fd, &header, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    if (got < 0) throw Broken(why("receive"));
    if (got == 0) throw Broken("receive: the other end is closed");
    for (cmsghdr* control_message = CMSG_FIRSTHDR(&header); control_message != nullptr;
         control_message = CMSG_NXTHDR(&header, control_message)) {
        if (control_message->cmsg_level != SOL_SOCKET || control_message->cmsg_type != SCM_RIGHTS)
            continue;
        int fd_received = -1;
        std::memcpy(&fd_received, CMSG_DATA(control_message), sizeof fd_received);
        descriptor = Descriptor(fd_received);
    }
    if (got < static_cast<ssize_t>(sizeof parts))
        read_all(fd, reinterpret_cast<char*>(&parts) + got,
                 sizeof parts - static_cast<std::size_t>(got));
    return parts;
}

}  // namespace

void Descriptor::reset() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
}

void Channel::send(const nlohmann::json& body, const std::vector<std::string>& buffers,
                   int descriptor) const {
    std::string frame;
    const auto append_number = [&frame](std::size_t number) {
        const auto value = static_cast<std::uint32_t>(number);
        frame.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    const auto append = [&](const std::string& part) {
        append_number(part.size());
        frame.append(part);
    };
    append_number(1 + buffers.size());
    append(body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    for (const auto& buffer : buffers) append(buffer);
    const SendLock lock(lock_);
    write_frame(fd(), frame, descriptor);
}

bool Channel::receive(Message& message, int timeout_ms) const {
    if (timeout_ms >= 0) {
        pollfd waiting{fd(), POLLIN, 0};
        const timespec time{timeout_ms / 1000, timeout_ms % 1000 * 1'000'000L};
        // Not poll: an interrupted cell stops in that, and would leave an answer unread.
        const int ready = ::ppoll(&waiting, 1, &time, nullptr);
        if (ready == 0 || (ready < 0 && errno == EINTR)) return false;
    }
    message = Message{};
    const std::uint32_t parts = read_start(fd(), message.descriptor);
    if (parts == 0 || parts > max_parts) throw Broken("receive: no frame starts here");
    for (std::uint32_t part = 0; part < parts; ++part) {
        std::uint32_t size = 0;
        read_all(fd(), reinterpret_cast<char*>(&size), sizeof size);
        if (size > max_part_bytes) throw Broken("receive: no frame starts here");
        std::string bytes;
        while (bytes.size() < size) {
            const std::size_t read = bytes.size();
            bytes.resize(std::min<std::size_t>(size, read + max_read_bytes));
            read_all(fd(), bytes.data() + read, bytes.size() - read);
        }
        if (part > 0) {
            message.buffers.push_back(std::move(bytes));
            continue;
        }
        message.body = nlohmann::json::parse(bytes, nullptr, false);
        if (!message.body.is_object()) throw Broken("receive: the frame holds no JSON object");
    }
    return true;
}

ChannelPair make_channel_pair() {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        throw Broken(why("socketpair"));
    return {Channel(Descriptor(ends[0])), Channel(Descriptor(ends[1]))};
}

}  // namespace xcpp_wire
