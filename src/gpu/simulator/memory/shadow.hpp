// Shadow memory of device buffers: which bytes were written, and by whom. It comes with the first
// checked launch that uses a buffer, so that fast launches pay nothing for it. Buffers of the
// simulator tell here what happens to them outside of launches; any thread may.
#pragma once

#include "cell.hpp"

#include "gpu/simulator/interface/watcher.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace lanes::gpu::simulator {

void memory_allocated(const void* first, std::size_t bytes);
void memory_written(const void* first,
                    std::size_t bytes);  // uploaded, set to zero, or passed to a CUDA kernel that
                                         // nobody watched: initialised from now on
void memory_freed(const void* first, std::size_t bytes);

// Which bytes of a buffer have a value.
struct Values {
    Holding holding = Holding::everything;
    std::vector<unsigned char>
        missing;  // where something has: the bytes that have none, of each cell
};

// Cells of one stretch of memory, in pages that the system gives as they are touched.
class Shadow {
public:
    explicit Shadow(std::size_t bytes);
    ~Shadow();
    Shadow(const Shadow&) = delete;
    Shadow& operator=(const Shadow&) = delete;

    cell::Word* writes() { return words_; }           // one for four bytes
    cell::Word* reads() { return words_ + count(); }  // likewise
    cell::Word* earlier() {
        return words_ + 2 * count();
    }  // a read word of an earlier block, valid where the one in reads() says so
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
    }  // there may be no more than one byte of the last cell
    std::size_t count() const { return (bytes_ + 3) / 4; }
    std::size_t bytes_, mapped_ = 0;
    cell::Word* words_ = nullptr;
    bool known_initialised_ = false;  // looked for before, and nothing was marked otherwise since
};

struct Allocation {
    const unsigned char* first = nullptr;
    std::size_t bytes = 0;
    std::shared_ptr<Shadow> shadow;
};

// The buffer that the address lies in, with its shadow; first is null where there is none.
Allocation allocation_at(const void* address);
// Whether every byte of the buffer that begins there has a value. Makes no shadow.
bool is_initialised(const void* first);
// Of the buffer that begins there. A launch that failed leaves neither bytes nor this changed.
Values values_at(const void* first);
void set_values(const void* first, const Values& values);
void forget_all_segments();

}  // namespace lanes::gpu::simulator
