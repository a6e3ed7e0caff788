// The line between liblanes and the shared objects that CUDA texts become, as code.
#pragma once

namespace lanes::gpu::simulator {

#define LANES_RUNTIME(...) __VA_ARGS__
#include "runtime.inc"
#undef LANES_RUNTIME

}  // namespace lanes::gpu::simulator
