// Which accesses of checked code are observed. clang inserts the hooks before it optimises, so it
// also inserts some that show nothing: for copies between local variables, and for threadIdx.y. A
// call with the address of a local variable would also keep it out of registers.
#pragma once

#include <string>

namespace lanes::gpu::simulator {

// bitcode: what clang -S -emit-llvm -fsanitize=thread prints. Removes the hooks of built-in
// variables and of copies between local variables. A copy of a float4 or another vector of CUDA to
// or from memory becomes one access of its size: __tsan_memcpy does not know the alignment.
// Functions may be inlined again, which -O0 forbids; loops are not unrolled.
std::string with_memory_hooks_only(const std::string& bitcode);

}  // namespace lanes::gpu::simulator
