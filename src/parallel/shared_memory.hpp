// Memory that forked workers share with the process that started them: a memfd, which has no name
// in any folder and is freed when its last user ends. The descriptor is closed at once; the mapping
// is enough. Pages cost memory only after they were written.
#pragma once

#include <cstddef>
#include <new>
#include <utility>

namespace lanes::parallel {

class SharedMemory {
public:
    SharedMemory(const char* name, std::size_t bytes);  // zeros; the name shows in /proc/PID/maps
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;
    ~SharedMemory();

    void* data() const { return data_; }
    std::size_t size() const { return bytes_; }

private:
    std::size_t bytes_;
    void* data_;
};

// A T in shared memory, followed by `extra` bytes. Its destructor never runs: other processes
// may still use it.
template <class T>
class Shared {
public:
    explicit Shared(const char* name, std::size_t extra = 0)
        : memory_(name, sizeof(T) + extra), value_(new(memory_.data()) T) {}

    T* operator->() const { return value_; }
    T& operator*() const { return *value_; }
    unsigned char* extra() const { return reinterpret_cast<unsigned char*>(value_ + 1); }

private:
    SharedMemory memory_;
    T* value_;
};

}  // namespace lanes::parallel
