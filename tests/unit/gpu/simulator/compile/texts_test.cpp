// Texts as they are found on the web, which a GPU's compiler accepts: each one is compiled and run,
// fast and with all checks.
#include "lanes/gpu.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lanes {
namespace {

struct Text {
    const char *name, *entry, *text;
    // y[i] of the launch <<<2, 32, 256>>>(y) with 64 integers that are 0 before
    int (*expected)(int i);
};

class Texts : public testing::TestWithParam<Text> {};

void expect_values(const Device& device, const Text& text) {
    const Program program(device, text.text, {"cell.cu", {}});
    const auto y = Buffer<int>::zeros(device, 64);
    launch(program.kernel(text.entry), {2, 32, 256}, y);
    const std::vector<int> values = y.download();
    for (int i = 0; i < 64; ++i)
        ASSERT_EQ(values[static_cast<std::size_t>(i)], text.expected(i)) << "y[" << i << "]";
}

TEST_P(Texts, Fast) { expect_values(Device::simulator().fast(), GetParam()); }
TEST_P(Texts, WithAllChecks) { expect_values(Device::simulator(), GetParam()); }

INSTANTIATE_TEST_SUITE_P(Of, Texts,
                         testing::Values(Text{"dynamic_shared_in_a_template", "k<3>", R"(
template <int N> __global__ void k(int* y) {
    extern __shared__ int s[];
    s[threadIdx.x] = N * threadIdx.x;
    __syncthreads();
    y[blockIdx.x * blockDim.x + threadIdx.x] = s[31 - threadIdx.x];
})",
                                              [](int i) { return 3 * (31 - i % 32); }},
                                         Text{"dynamic_shared_in_members_and_functions", "k", R"(
template <class T> struct SharedMemory {
    __device__ operator T*() { extern __shared__ __align__(16) unsigned char bytes[]; return (T*)bytes; }
};
struct Tile { __device__ static int* begin() { extern __shared__ int tile[]; return tile; } };
namespace deep {
template <class T> __device__ T* memory() { extern __shared__ T words[]; return words; }
}
__global__ void k(int* y) {
    int* s = SharedMemory<int>();
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    y[blockIdx.x * blockDim.x + threadIdx.x] = Tile::begin()[31 - threadIdx.x] + deep::memory<int>()[1];
})",
                                              [](int i) { return 32 - i % 32; }},
                                         Text{"operators_of_vectors", "k", R"(
inline __host__ __device__ void operator+=(float3& a, float3 b) { a.x += b.x; a.y += b.y; a.z += b.z; }
inline __host__ __device__ void operator<<=(int2& a, int b) { a.x <<= b; a.y <<= b; }
__global__ void k(int* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float3 a = make_float3(i, 1, 2);
    a += make_float3(1, 1, 1);
    int2 b = make_int2(i, 1);
    b <<= 2;
    y[i] = a.x + a.z + b.x;
})",
                                              [](int i) { return i + 1 + 3 + 4 * i; }},
                                         Text{"the_null_pointer", "k", R"(
__global__ void k(int* y) {
    const float* p = NULL;
    if (p == NULL && y != NULL) y[blockIdx.x * blockDim.x + threadIdx.x] = 1;
})",
                                              [](int) { return 1; }},
                                         Text{"a_cuda_kernel_named_f", "f", R"(
__global__ void f(volatile int* y) { y[blockIdx.x * blockDim.x + threadIdx.x] = 5; })",
                                              [](int) { return 5; }},
                                         Text{"a_cuda_kernel_named_max", "max", R"(
__global__ void max(volatile int* const y) { y[blockIdx.x * blockDim.x + threadIdx.x] = 6; })",
                                              [](int) { return 6; }},
                                         Text{"placement_new", "k", R"(
struct Cell { int value; __device__ Cell(int v) : value(v) {} };
__global__ void k(int* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    new (&y[i]) Cell(i + 7);
})",
                                              [](int i) { return i + 7; }},
                                         Text{"placement_new_with_its_header", "k", R"(
#include <new>
__global__ void k(int* y) { new (&y[blockIdx.x * blockDim.x + threadIdx.x]) int(8); })",
                                              [](int) { return 8; }},
                                         Text{"an_architecture", "k", R"(
#if __CUDA_ARCH__ >= 700
__global__ void k(int* y) { y[blockIdx.x * blockDim.x + threadIdx.x] = __CUDA_ARCH__ >= 700; }
#endif
#ifndef __CUDA_ARCH__
#error "this text is for the device"
#endif)",
                                              [](int) { return 1; }}),
                         [](const testing::TestParamInfo<Text>& info) {
                             return std::string(info.param.name);
                         });

}  // namespace
}  // namespace lanes
