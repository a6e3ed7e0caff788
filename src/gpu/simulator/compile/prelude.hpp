// CUDA's dialect as C++ text: what goes in front of a program's text and behind it.
#pragma once

#include <string>
#include <vector>

namespace lanes::gpu::simulator {

extern const char* const prelude_name;  // what compiler messages call the text in front

// A translation unit: the dialect, the text with its own line numbers, and a record for each
// __global__ function in `entries` (name expressions).
std::string translation_unit(const std::string& text, const std::string& name,
                             const std::vector<std::string>& entries, int architecture,
                             bool checked);

// `extern __shared__` becomes a word of its own, of the same length: one macro cannot be both
// `static` and something that goes with extern. The lines stay.
std::string with_dynamic_shared(const std::string& text, bool& found);

struct HeaderFile {
    const char *name, *content;
};
// Headers that a CUDA text includes although it needs none, or that it must not include.
const std::vector<HeaderFile>& header_files();

}  // namespace lanes::gpu::simulator
