// Waiting for the GPU. The driver's own functions return when the GPU is done; an endless CUDA
// kernel never is. These also look at the interrupt button.
#pragma once

#include "driver.hpp"

namespace lanes::gpu::cuda {

// A result of ours, beside the driver's: the user has interrupted the cell, and the GPU was still
// busy half a second later.
constexpr Result interrupted_wait = -1;

// Until the GPU has done everything in the stream, or everything before the event.
Result wait_for(const Driver& d, StreamHandle stream);
Result wait_for(const Driver& d, EventHandle event);

}  // namespace lanes::gpu::cuda
