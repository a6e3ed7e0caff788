// What the simulator does not support. It searches for unsupported words of CUDA only in a text
// that does not compile, so that a program may use such a word as a name of its own.
#pragma once

#include "gpu/backend.hpp"

#include <string>

namespace lanes::gpu::simulator {

// One line per word, "cell.cu:3: tex2D: …", with what to do instead; "" if the text uses none.
std::string unsupported_words(const std::string& text, const std::string& name);

// Throws CudaCompileError for what the host's compiler accepts and CUDA does not: a __global__
// function that returns something, for example.
void refuse_what_is_no_cuda(const ProgramText& program);

}  // namespace lanes::gpu::simulator
