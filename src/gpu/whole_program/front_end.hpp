// clang, which understands CUDA's language: preprocessing, the host's side, linking, and its
// messages with the program's lines.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lanes::gpu::whole_program {

using Words = std::vector<std::string>;
inline void append(Words& words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
}

// The folder with CUDA's headers for the host. Throws Error if the checkout is not found.
std::filesystem::path header_folder();

// clang 14 or later. Throws Error if there is none.
const std::string& clang_command();
std::string clang_version();  // one line

// Runs clang; throws CudaCompileError if it fails. name and text: the file that the student wrote.
// Returns its warnings.
std::string run_clang(const Words& arguments, const std::string& name, const std::string& text,
                      const std::string& temporary);

}  // namespace lanes::gpu::whole_program
