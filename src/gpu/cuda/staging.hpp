// Copies between the host's ordinary memory and a GPU. The GPU can read and write only memory that
// is pinned (locked in place), so the data passes through pinned buffers, in pieces: while the GPU
// copies one piece, several threads copy the next ones between the buffers and the host's memory.
//
// The program's own arrays are never pinned: a session forks a frozen copy of itself before each
// cell, and the fork would either copy pinned pages or take them away from the GPU. The buffers
// here are mapped as shared memory, which a fork leaves as it is; a forked process makes its own.
#pragma once

#include "driver.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace lanes::gpu::cuda {

class Staging {
public:
    Staging(const Driver& driver, ContextHandle context);
    ~Staging();
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;

    // In order with everything in the stream. An upload returns when all data has left `from`; a
    // download, when it has arrived. One thread at a time.
    Result upload(const Driver& d, StreamHandle stream, DeviceAddress to, const void* from,
                  std::size_t bytes);
    Result download(const Driver& d, StreamHandle stream, void* to, DeviceAddress from,
                    std::size_t bytes);

private:
    struct Slot {
        char* memory = nullptr;
        EventHandle done = nullptr;  // the GPU has read or written it
    };
    Slot& slot(std::size_t thread, std::size_t turn) { return slots_[2 * thread + turn % 2]; }

    ContextHandle context_;
    void* memory_ = nullptr;
    std::size_t bytes_ = 0;
    std::vector<Slot> slots_;  // two per thread; none if memory cannot be pinned
    std::size_t turn_ = 0;     // of the next small upload
};

}  // namespace lanes::gpu::cuda
