// A loaded shared object made from CUDA text. Each worker has a private copy, because static shared
// memory and threadIdx are plain variables of it.
#pragma once

#include "elf.hpp"
#include "gpu/simulator/interface/tables.hpp"

#include <cstdint>
#include <string>

namespace lanes::gpu::simulator {

class Library {
public:
    // object: its bytes. Each Library loads its own copy. Throws Error.
    explicit Library(const std::string& object);
    ~Library();
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;

    void* symbol(const std::string& name) const;  // exported; throws Error if there is none
    void* find(const std::string& name) const;    // nullptr if there is none
    std::uintptr_t base() const { return base_; }
    bool holds_code(const void* address) const {
        const auto offset = reinterpret_cast<std::uintptr_t>(address) - base_;
        return offset - code_first_ < code_bytes_;
    }

    const lanes_entry_record& entry(int number) const;
    void connect(const lanes_runtime* runtime) const { *runtime_ = runtime; }
    void begin_launch(const unsigned grid[3], const unsigned block[3]) const;
    void begin_block(unsigned x, unsigned y, unsigned z) const;
    void set_thread(unsigned x, unsigned y, unsigned z) const;  // checked objects only

private:
    void* handle_ = nullptr;
    std::uintptr_t base_ = 0, code_first_ = 0, code_bytes_ = 0;
    const lanes_runtime** runtime_ = nullptr;
    void (*begin_launch_)(unsigned, unsigned, unsigned, unsigned, unsigned, unsigned) = nullptr;
    void (*begin_block_)(unsigned, unsigned, unsigned) = nullptr;
    unsigned* indices_ = nullptr;  // of a checked object: threadIdx, blockIdx, blockDim, gridDim
};

}  // namespace lanes::gpu::simulator
