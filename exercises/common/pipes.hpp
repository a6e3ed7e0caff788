// For checks of what goes through a pipe.
#pragma once

#include <sys/resource.h>

#include <string>

namespace lanes::exercises {

// The two ends of a pipe. An end that is closed is -1.
class CheckPipe {
public:
    CheckPipe();
    CheckPipe(const CheckPipe&) = delete;
    CheckPipe& operator=(const CheckPipe&) = delete;
    ~CheckPipe();

    int reading() const { return reading_; }
    int writing() const { return writing_; }
    void close_reading();
    void close_writing();

private:
    int reading_ = -1, writing_ = -1;
};

// From now on a signal comes every few milliseconds: a read or write that waits returns early, with
// a part of its bytes or with EINTR. A write to a pipe without readers is an error, no death.
void disturb_by_signals();

void pause(int milliseconds);

// No byte is 0, and no two neighbours are alike.
std::string bytes_of(int number, std::size_t size);

// "a message of 5 bytes was sent; what came differs from it at byte 3."
std::string difference_of(const std::string& got, const std::string& sent);

std::string count_of(std::size_t n, const std::string& what);  // "1 byte", "2 bytes"

// How many memory mappings this process shares with others.
std::size_t shared_mappings();

// As long as this exists, the system gives this process no new memory: mmap fails. Stack and heap
// can still grow by what touch_memory has touched before.
class NoNewMemory {
public:
    NoNewMemory();
    ~NoNewMemory();
    NoNewMemory(const NoNewMemory&) = delete;
    NoNewMemory& operator=(const NoNewMemory&) = delete;

private:
    rlimit before_{};
};
void touch_memory();

}  // namespace lanes::exercises
