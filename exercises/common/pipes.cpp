#include "pipes.hpp"

#include "lanes/base/error.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <new>
#include <thread>
#include <utility>
#include <vector>

namespace lanes::exercises {

CheckPipe::CheckPipe() {
    std::array<int, 2> ends{};
    LANES_REQUIRE(pipe2(ends.data(), O_CLOEXEC) == 0,
                  "The check got no pipe from the system. Close other programs.");
    reading_ = ends[0];
    writing_ = ends[1];
}

CheckPipe::~CheckPipe() {
    close_reading();
    close_writing();
}

void CheckPipe::close_reading() {
    if (reading_ >= 0) close(std::exchange(reading_, -1));
}

void CheckPipe::close_writing() {
    if (writing_ >= 0) close(std::exchange(writing_, -1));
}

void disturb_by_signals() {
    struct sigaction quiet{};
    quiet.sa_handler = [](int) {};  // and no SA_RESTART: calls end with EINTR
    sigaction(SIGALRM, &quiet, nullptr);
    signal(SIGPIPE, SIG_IGN);
    const itimerval often{{0, 7000}, {0, 7000}};
    setitimer(ITIMER_REAL, &often, nullptr);
}

void pause(int milliseconds) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
    std::this_thread::sleep_until(until);
}

std::string bytes_of(int number, std::size_t size) {
    std::string bytes(size, '\0');
    for (std::size_t i = 0; i < size; ++i)
        bytes[i] =
            static_cast<char>(1 + (i * 7 + i / 251 + static_cast<std::size_t>(number) * 83) % 255);
    return bytes;
}

std::string count_of(std::size_t n, const std::string& what) {
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

std::string difference_of(const std::string& got, const std::string& sent) {
    if (got.size() != sent.size())
        return count_of(sent.size(), "byte") + " were sent, and " + count_of(got.size(), "byte") +
               " came.";
    const auto at = std::mismatch(got.begin(), got.end(), sent.begin()).first - got.begin();
    return count_of(sent.size(), "byte") + " were sent; what came differs from byte " +
           std::to_string(at) + " on.";
}

std::size_t shared_mappings() {
    std::size_t count = 0;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);)
        count += line.find("rw-s") != std::string::npos ? 1 : 0;
    return count;
}

NoNewMemory::NoNewMemory() {
    getrlimit(RLIMIT_AS, &before_);
    const rlimit none{0, before_.rlim_max};
    setrlimit(RLIMIT_AS, &none);
}

NoNewMemory::~NoNewMemory() { setrlimit(RLIMIT_AS, &before_); }

void touch_memory() {
    std::array<char, 256 * 1024> stack;
    std::vector<char> heap(64 * 1024);  // below the size that goes back to the system
    for (std::size_t i = 0; i < stack.size(); i += 1024)
        *static_cast<volatile char*>(&stack[i]) = 0;
    *static_cast<volatile char*>(heap.data()) = 0;
    try {
        throw std::bad_alloc();  // the first one takes memory
    } catch (const std::bad_alloc&) {
    }
}

}  // namespace lanes::exercises
