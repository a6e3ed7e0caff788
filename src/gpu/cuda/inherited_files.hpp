// What a forked process inherits from its parent's use of a GPU: open files and mappings of
// /dev/nvidia*. It cannot use them, and as long as it holds them, the system keeps what the parent
// had on the GPU after the parent has ended: its memory, and a CUDA kernel that does not end.
#pragma once

namespace lanes::gpu::cuda {

// From now on every forked process releases them.
void release_in_forks();

}  // namespace lanes::gpu::cuda
