// The two tables of functions between liblanes and the shared object that a CUDA program becomes,
// as code. The same files are put in front of the program as text (compile/prelude.cpp).
#pragma once

#define LANES_HOOK_TABLE(...) __VA_ARGS__
#include "hook_table.inc"
#undef LANES_HOOK_TABLE

namespace lanes::gpu::simulator {

#define LANES_RUNTIME(...) __VA_ARGS__
#include "runtime.inc"
#undef LANES_RUNTIME

}  // namespace lanes::gpu::simulator
