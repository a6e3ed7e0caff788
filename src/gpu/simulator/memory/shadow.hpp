// Shadow memory of device buffers: which bytes were written, and by whom. It is allocated by the
// first checked launch that uses a buffer, so that fast launches pay nothing for it. Buffers of the
// simulator call these functions when they change outside launches, from any thread.
#pragma once

#include "cell.hpp"

#include "gpu/simulator/interface/watcher.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace lanes::gpu::simulator {

void memory_allocated(const void* first, std::size_t bytes);
// Uploaded, set to zero, or passed to a CUDA kernel that was not watched: it counts as initialised.
void memory_written(const void* first, std::size_t bytes);
void memory_freed(const void* first, std::size_t bytes);

// Which bytes of a buffer are initialised.
struct Values {
    Holding holding = Holding::everything;
    // If holding is `something`: for each cell the bytes that are not initialised.
    std::vector<unsigned char> missing;
};

// Cells of one contiguous piece of memory. The system provides pages when they are first touched.
class Shadow {
public:
    explicit Shadow(std::size_t bytes);
    ~Shadow();
    Shadow(const Shadow&) = delete;
    Shadow& operator=(const Shadow&) = delete;

    cell::Word* writes() { return words_; }           // one per four bytes
    cell::Word* reads() { return words_ + count(); }  // likewise
    cell::Word* earlier() {
        return words_ + 2 * count();
    }  // a read word of an earlier block, valid if the word in reads() has the bit `earlier`
    std::size_t bytes() const { return bytes_; }
    bool is_initialised();  // every byte
    Values values();
    void set(const Values& values);
    void mark(std::size_t offset, std::size_t bytes, bool initialised);
    void clear(bool initialised);
    void forget_segments();  // keeps what is initialised

private:
    cell::Word of_last() const {
        return cell::uninitialised >> (4 * count() - bytes_);
    }  // the last cell may have fewer than four bytes
    std::size_t count() const { return (bytes_ + 3) / 4; }
    std::size_t bytes_, mapped_ = 0;
    cell::Word* words_ = nullptr;
    // Set by is_initialised(), until something is marked as uninitialised.
    bool known_initialised_ = false;
};

struct Allocation {
    const unsigned char* first = nullptr;
    std::size_t bytes = 0;
    std::shared_ptr<Shadow> shadow;
};

// The buffer that contains the address, with its shadow; first is null if there is none.
Allocation allocation_at(const void* address);
// Whether every byte of the buffer that begins there is initialised. Allocates no shadow.
bool is_initialised(const void* first);
// Of the buffer that begins there. Used to restore it after a launch that failed.
Values values_at(const void* first);
void set_values(const void* first, const Values& values);
void forget_all_segments();

}  // namespace lanes::gpu::simulator
