// Where a compiled CUDA program lies in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace lanes::gpu::simulator {

struct CodeImage {
    std::string path;
    std::uintptr_t base = 0;  // addresses in the file's tables are relative to it
    std::uintptr_t code_first = 1;
    std::size_t code_bytes = 0;
    std::vector<std::pair<std::uintptr_t, std::size_t>> read_only, writable;

    bool is_read_only(const void* address) const { return holds(read_only, address); }
    // First byte and size of a variable that the simulator itself defines, such as threadIdx; (0,
    // 0) if the address belongs to none.
    std::pair<std::uintptr_t, std::size_t> own_variable(const void* address) const;
    bool is_inside(const void* address) const {
        return holds(read_only, address) || holds(writable, address);
    }

private:
    static bool holds(const std::vector<std::pair<std::uintptr_t, std::size_t>>& stretches,
                      const void* address) {
        for (const auto& [first, bytes] : stretches)
            if (reinterpret_cast<std::uintptr_t>(address) - first < bytes) return true;
        return false;
    }
};

// The loaded shared object that holds this code; all zeros if there is none.
CodeImage image_of(const void* code);

}  // namespace lanes::gpu::simulator
