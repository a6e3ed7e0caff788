// What must hold for any bytes on the channel between front and session: the check behind the fuzz
// target frame_reader, and behind the unit test that replays its corpus. A broken rule throws.
#pragma once

#include "wire/frame_reader.hpp"
#include "wire/wire.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace fuzz {

struct ReadFrames {
    std::vector<xcpp_wire::Message> messages;
    bool broken = false;  // what followed was no frame
};

// The front's way: the bytes come in parts, and nothing waits.
inline ReadFrames read_in_parts(std::string_view bytes, std::size_t part) {
    const xcpp_wire::ChannelPair pair = xcpp_wire::make_channel_pair();
    xcpp_wire::FrameReader reader;
    ReadFrames read;
    try {
        for (std::size_t at = 0; at < bytes.size(); at += part) {
            const std::string_view now = bytes.substr(at, part);
            if (::send(pair.mine.fd(), now.data(), now.size(), MSG_NOSIGNAL) !=
                static_cast<ssize_t>(now.size()))
                throw std::runtime_error("the socket takes no more");
            xcpp_wire::Message message;
            while (reader.read(pair.theirs.fd(), message))
                read.messages.push_back(std::move(message));
        }
    } catch (const xcpp_wire::Broken&) {
        read.broken = true;
    }
    return read;
}

// The session's way: it waits for a whole frame, and for the end of the channel.
inline ReadFrames read_at_once(std::string_view bytes) {
    xcpp_wire::ChannelPair pair = xcpp_wire::make_channel_pair();
    if (::send(pair.mine.fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL) !=
        static_cast<ssize_t>(bytes.size()))
        throw std::runtime_error("the socket takes no more");
    pair.mine.close();
    ReadFrames read;
    try {
        xcpp_wire::Message message;
        while (pair.theirs.receive(message)) read.messages.push_back(std::move(message));
    } catch (const xcpp_wire::Broken&) {
        read.broken = true;
    }
    return read;
}

// The first byte says in parts of which size the rest comes. Both ways must read the same.
inline void check_frames(std::string_view input) {
    if (input.empty() || input.size() > 60000) return;  // what a socket takes without a reader
    const std::string_view bytes = input.substr(1);
    const auto part = std::max<std::size_t>(1, static_cast<unsigned char>(input[0]));
    const ReadFrames one = read_in_parts(bytes, part);
    const ReadFrames other = read_at_once(bytes);
    if (one.messages.size() != other.messages.size())
        throw std::logic_error("front and session read a different number of frames");
    for (std::size_t i = 0; i < one.messages.size(); ++i) {
        const xcpp_wire::Message &a = one.messages[i], &b = other.messages[i];
        if (a.body != b.body || a.buffers != b.buffers)
            throw std::logic_error("front and session read different frames");
    }
    if (!other.broken) throw std::logic_error("the end of the channel is noticed");
}

}  // namespace fuzz
