// What the simulator does not take. Words of CUDA that it does not know are looked for only in a
// text that does not compile: whoever gives one of these names to a thing of their own may.
#pragma once

#include "gpu/backend.hpp"

#include <string>

namespace lanes::gpu::simulator {

// "cell.cu:3: tex2D: …" with a sentence what to do instead, one line each; "" where the text uses
// none.
std::string unsupported_words(const std::string& text, const std::string& name);

// Throws CudaCompileError for what a host's compiler would take and CUDA does not: a __global__
// function that returns something.
void refuse_what_is_no_cuda(const ProgramText& program);

}  // namespace lanes::gpu::simulator
