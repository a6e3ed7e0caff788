// Macros, conditionals and included files, as far as reading declarations needs them: `#define REAL
// float`, a macro that writes a whole CUDA kernel, `#if 0`.
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
    std::vector<IncludedFile>
        included;  // files that -I folders hold, each once, in the order of their first use
};

// flags: -DNAME, -DNAME=value, -D NAME, -UNAME, -Ifolder, -I folder, --define-macro=…,
// --include-path=…, --gpu-architecture=sm_90 (which gives __CUDA_ARCH__ its value); others are
// ignored, and so are headers that no -I folder holds.
Preprocessed preprocess(const std::string& text, const std::vector<std::string>& flags = {});

}  // namespace lanes::gpu
