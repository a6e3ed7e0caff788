// CUDA kernels that copy numbers: the fastest that any CUDA kernel which reads and writes the same
// amount can be.
#pragma once

namespace lanes::lesson {

// Launch: one thread per number, or per four of them; n is a multiple of 4.
inline constexpr const char* copy_kernels = R"cuda(
__global__ void copy_one(const float* from, float* to, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i];
}
__global__ void copy_four(const float* from, float* to, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * i < n)
        reinterpret_cast<float4*>(to)[i] = reinterpret_cast<const float4*>(from)[i];
}
)cuda";

}  // namespace lanes::lesson
