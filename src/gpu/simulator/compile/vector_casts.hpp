// Checks for the alignment of vectors, in the text of a checked CUDA program.
#pragma once

#include <string>

namespace lanes::gpu::simulator {

// Replaces casts to pointers to vectors of two and four elements by functions of the prelude that
// check the address, if the result is used at once: `*(float4*)p`, `((const int2*)p)[i]`,
// `*reinterpret_cast<float4*>(p)`, `reinterpret_cast<float4*>(p)[i]`. Lines stay where they are.
std::string with_aligned_vectors(const std::string& text);

}  // namespace lanes::gpu::simulator
