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

INSTANTIATE_TEST_SUITE_P(
    Of, Texts,
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
                         [](int) { return 1; }},
                    Text{"headers_of_c", "k", R"(
#include <stdlib.h>
#include <cstdlib>
#include <time.h>
#include <ctime>
#include <stdio.h>
#include <cstdio>
#include <math.h>
#include <cmath>
#include <assert.h>
#include <cassert>
#include <string.h>
#include <cstring>
#include <stdint.h>
#include <cstdint>
#include <float.h>
#include <cfloat>
#include <limits.h>
#include <climits>
#include <stddef.h>
#include <cstddef>
__global__ void k(int* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int copy = 0;
    const int32_t value = abs(-i) + (INT_MAX > 0) + (FLT_MAX > 1) + EXIT_FAILURE;
    std::memcpy(&copy, &value, sizeof copy);
    y[i] = copy + (std::abs(-2) == 2);
})",
                         [](int i) { return i + 4; }},
                    Text{"groups_of_a_block", "k", R"(
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ int sum(cg::thread_group group, int* shared, int value) {
    const int rank = group.thread_rank();
    for (int step = group.size() / 2; step > 0; step /= 2) {
        shared[rank] = value;
        group.sync();
        if (rank < step) value += shared[rank + step];
        group.sync();
    }
    return value;
}
__global__ void k(int* y) {
    __shared__ int values[32];
    const cg::thread_block block = cg::this_thread_block();
    const int total = sum(block, values, block.thread_rank());
    const cg::thread_group pair = cg::tiled_partition(block, 2);
    if (block.thread_rank() == 0) values[0] = total;
    cg::sync(block);
    y[cg::this_grid().thread_rank()] = values[0] + pair.thread_rank() + 100 * pair.size() +
                                       block.group_index().x * 1000 + block.dim_threads().x +
                                       (block.thread_index().x == threadIdx.x);
})",
                         [](int i) { return 496 + i % 2 + 200 + i / 32 * 1000 + 32 + 1; }},
                    Text{"tiles", "k", R"(
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
__global__ void k(int* y) {
    const int t = threadIdx.x;
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const cg::thread_block_tile<8> tile = cg::tiled_partition<8>(warp);
    const int r = tile.thread_rank();
    bool right = tile.size() == 8 && tile.meta_group_rank() == t / 8 && tile.meta_group_size() == 4;
    right &= tile.shfl(t, 3) == t / 8 * 8 + 3 && tile.shfl_xor(t, 5) == (t ^ 5);
    right &= tile.shfl_down(t, 2) == (r < 6 ? t + 2 : t) && tile.shfl_up(t, 1) == (r > 0 ? t - 1 : t);
    right &= tile.any(r == 2) && !tile.all(r == 2) && tile.ballot(r > 5) == 0xc0;
    right &= tile.match_any(r / 4) == (r < 4 ? 0x0f : 0xf0);
    right &= cg::reduce(tile, t, cg::less<int>()) == t - r && cg::reduce(warp, t, cg::greater<int>()) == 31;
    right &= cg::reduce(tile, 1 << r, cg::bit_or<int>()) == 255;
    right &= cg::inclusive_scan(tile, 1) == r + 1 && cg::exclusive_scan(tile, 2, cg::plus<int>()) == 2 * r;
    const double2 wide = tile.shfl(make_double2(t, 2 * t), 1);
    right &= wide.x == t / 8 * 8 + 1 && wide.y == 2 * wide.x;
    y[blockIdx.x * blockDim.x + t] = right ? cg::reduce(warp, 0.5f, cg::plus<float>()) : -1;
})",
                         [](int) { return 16; }},
                    Text{"coalesced_groups", "k", R"(
#include <cooperative_groups.h>
using namespace cooperative_groups;
__global__ void k(int* y) {
    const int t = threadIdx.x;
    if (t % 3 == 0) {
        const coalesced_group active = coalesced_threads();
        bool right = active.size() == 11 && active.thread_rank() == t / 3 && active.shfl(t, 2) == 6;
        right &= active.shfl_down(t, 1) == (t < 30 ? t + 3 : t) && active.ballot(t > 20) == 0x780;
        const coalesced_group odd = labeled_partition(active, t % 2);
        right &= odd.size() == (t % 2 ? 5 : 6) && odd.thread_rank() == t / 6;
        active.sync();
        y[blockIdx.x * blockDim.x + t] = right ? 1 : -1;
    }
})",
                         [](int i) { return i % 32 % 3 == 0 ? 1 : 0; }},
                    Text{"half_precision", "k", R"(
#include <cuda_fp16.h>
__global__ void k(int* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const half a = __float2half(0.1f), b = 3.0f;
    half2 v = __halves2half2(a, b);
    v = __hadd2(v, __hmul2(v, __float2half2_rn(2.0f)));
    half c = a;
    c *= b;
    bool right = __half_as_ushort(a) == 0x2e66 && __half_as_ushort(__float2half(2049.0f)) == 0x6800;
    right &= __half_as_ushort(__float2half(65520.0f)) == 0x7c00 && __half_as_ushort(__float2half(3e-8f)) == 1;
    right &= __half_as_ushort(__float2half_rz(2051.0f)) == 0x6801 && __half_as_ushort(__float2half_ru(2049.0f)) == 0x6801;
    right &= __half_as_ushort(a * b) == 0x34cc && c == a * b && a < b && __hge(b, a);
    // rounded once: in float the sum would become 2051, a tie, and then 2052
    right &= __half_as_ushort(__hfma(half(1.0009765625f), half(0.9990234375f), half(2050.0f))) == 0x6801;
    right &= __low2float(v) == __half2float(a + a * half(2.0f)) && __high2float(v) == 9;
    right &= __half2int_rn(half(2.5f)) == 2 && __half2int_rz(half(-2.5f)) == -2 && -b == half(-3.0f);
    right &= __half2float(__shfl_xor_sync(0xffffffff, half(float(i)), 1)) == (i ^ 1);
    y[i] = right;
})",
                         [](int) { return 1; }}),
    [](const testing::TestParamInfo<Text>& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace lanes
