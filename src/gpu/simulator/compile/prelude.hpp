// CUDA's language as C++ text: what is put before and after a program's text.
#pragma once

#include <string>
#include <vector>

namespace lanes::gpu::simulator {

extern const char* const prelude_name;  // name of the text before the program in compiler messages

enum class UnitKind {
    fast,
    checked,
    // For clang's CUDA mode, which is not run: it only reports which functions and variables belong
    // to the host although CUDA code uses them.
    as_cuda
};

// A translation unit: the prelude, the text with its own line numbers, and a record for each
// __global__ function in `entries` (name expressions).
std::string translation_unit(const std::string& text, const std::string& name,
                             const std::vector<std::string>& entries, int architecture,
                             UnitKind kind);

// Replaces `extern __shared__` by a separate word of the same length: one macro cannot be `static`
// and work with `extern` as well. Line numbers do not change.
std::string with_dynamic_shared(const std::string& text);

}  // namespace lanes::gpu::simulator
