// Macros, conditionals and included files, as far as parsing declarations needs them: `#define REAL
// float`, a macro that expands to a whole CUDA kernel, `#if 0`.
#pragma once

#include "lexer.hpp"

#include <string>
#include <vector>

namespace lanes::gpu {

struct IncludedFile {
    std::string path, content;
};

struct Preprocessed {
    std::vector<Token> tokens;  // without directives, macros replaced
    // Files found in -I folders, each once, in the order of their first use.
    std::vector<IncludedFile> included;
};

// flags: -DNAME, -DNAME=value, -D NAME, -UNAME, -Ifolder, -I folder, --define-macro=…,
// --include-path=…, --gpu-architecture=sm_90 (which defines __CUDA_ARCH__). Other flags are
// ignored, and so are headers that are in no -I folder.
Preprocessed preprocess(const std::string& text, const std::vector<std::string>& flags = {});

}  // namespace lanes::gpu
