// What arrives of several writers in one pipe, and the plan of the queue.
#include "lanes/base/error.hpp"
#include "lanes/lesson/processes.hpp"
#include "lanes/lesson/queue_times.hpp"
#include "lanes/notebook/drawing.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <memory>

namespace lanes {

namespace {

constexpr int writers = 4, each = 5;
constexpr std::size_t large = 300000;  // bytes per message: more than a pipe holds

class PipeEnds {
public:
    PipeEnds() {
        LANES_REQUIRE(pipe2(fd_.data(), O_CLOEXEC) == 0,
                      "show_writers: the system has no pipe left. Close other programs.");
    }
    PipeEnds(const PipeEnds&) = delete;
    PipeEnds& operator=(const PipeEnds&) = delete;
    ~PipeEnds() { close(fd_[0]), close(fd_[1]); }

    int reading() const { return fd_[0]; }
    int writing() const { return fd_[1]; }

private:
    std::array<int, 2> fd_{};
};

using Children = std::vector<std::unique_ptr<Child>>;

// Waits for bytes; throws if the writers have ended and none are left.
void wait_for_bytes(int fd, const Children& children, std::size_t missing) {
    pollfd one{fd, POLLIN, 0};
    while (poll(&one, 1, 20) == 0)
        for (const auto& child : children)
            LANES_REQUIRE(child->alive() || child->exit_code() == 0,
                          "show_writers: ", child->exit_description(), "; ", missing,
                          " bytes are missing. Try your function in a process of its own first.");
}

std::string bytes_of_writers(const PutBytes& put) {
    PipeEnds ends;
    Children children;
    for (int i = 0; i < writers; ++i)
        children.push_back(std::make_unique<Child>([&, i] {
            for (int n = 0; n < each; ++n)
                put(ends.writing(), std::string(large, static_cast<char>('A' + i)));
        }));
    std::string bytes(large * writers * each, '\0');
    for (std::size_t got = 0; got < bytes.size();) {
        wait_for_bytes(ends.reading(), children, bytes.size() - got);
        const ssize_t done = read(ends.reading(), bytes.data() + got, bytes.size() - got);
        got += static_cast<std::size_t>(std::max<ssize_t>(done, 0));
    }
    return bytes;
}

std::size_t end_of_run(const std::string& bytes, std::size_t begin) {  // of one letter
    return std::min(bytes.find_first_not_of(bytes[begin], begin), bytes.size());
}

// Whether letters change only between messages.
bool all_whole(const std::string& bytes) {
    for (std::size_t begin = 0; begin < bytes.size(); begin = end_of_run(bytes, begin))
        if ((end_of_run(bytes, begin) - begin) % large != 0) return false;
    return true;
}

void draw(const std::string& bytes, const std::string& title) {
    const std::array<const char*, writers> colours{"#0072B2", "#E69F00", "#009E73", "#CC79A7"};
    Drawing band(660, 112);
    Style left, right;
    left.align = "left", right.align = "right", left.font_size = right.font_size = 13;
    for (int i = 0; i < writers; ++i) {
        band.rectangle(20 + 110 * i, 6, 14, 14, {colours.at(static_cast<std::size_t>(i)), "none"});
        band.text(40 + 110 * i, 13, "writer " + std::string(1, static_cast<char>('A' + i)), left);
    }
    const double scale = 620.0 / static_cast<double>(bytes.size());
    const auto x = [&](std::size_t byte) { return 20 + scale * static_cast<double>(byte); };
    for (std::size_t begin = 0, end = 0; begin < bytes.size(); begin = end) {
        end = end_of_run(bytes, begin);
        const auto writer = static_cast<std::size_t>(bytes[begin] - 'A') % writers;
        band.rectangle(x(begin), 40, x(end) - x(begin), 36, {colours.at(writer), "none"});
    }
    for (std::size_t at = 0; at <= bytes.size(); at += large)  // where messages should end
        band.line(x(at), 34, x(at), 82);
    band.text(20, 98, "first byte", left).text(640, 98, "last byte", right).show(title);
}

}  // namespace

void show_writers(const std::string& title, const PutBytes& put) {
    {
        const PipeEnds trial;  // what put throws is thrown here, and what it makes is shared
        put(trial.writing(), "x");
    }
    const std::string bytes = bytes_of_writers(put);
    draw(bytes, title);
    std::cout << "Is every message whole? " << (all_whole(bytes) ? "yes" : "no") << '\n';
}

void show_queue_plan() {
    Drawing plan(660, 220);
    const Style box{"#cfe5f3"}, shared_box{"#fde3c0"}, plain_box{"#d5eddb"};
    for (int i = 0; i < 3; ++i) {
        plan.rectangle(20, 20 + 45 * i, 90, 32, box);
        plan.text(65, 36 + 45 * i, "writer " + std::to_string(i + 1));
        plan.arrow(110, 36 + 45 * i, 176, 76 + 6 * i);
    }
    plan.rectangle(178, 60, 70, 44, shared_box).text(213, 82, "lock");
    plan.arrow(248, 82, 300, 82);
    plan.rectangle(302, 60, 180, 44).text(392, 82, "pipe");
    for (const double x : {330.0, 455.0}) plan.rectangle(x, 62, 22, 40, box);  // messages
    plan.arrow(482, 82, 548, 82);
    plan.rectangle(550, 60, 90, 44, plain_box).text(595, 82, "reader");
    plan.rectangle(330, 150, 124, 34, shared_box).text(392, 167, "counter");
    plan.arrow(213, 104, 328, 160).text(240, 142, "++");
    plan.arrow(595, 104, 458, 164).text(560, 142, "--");
    plan.text(392, 205, "orange: in shared memory; blue in the pipe: messages");
    plan.show("writers pass a lock one by one; the counter is shared, the reader is alone");
}

}  // namespace lanes
