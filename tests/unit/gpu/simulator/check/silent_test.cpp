// Correct CUDA kernels as students write them, with all checks: nothing is reported in any order of
// the threads, and the results are right. The repaired versions of the gallery and kernels_src are
// silent, too; these are the patterns that look most like a mistake.
#include "lanes/gpu.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace lanes {
namespace {

class Silent : public testing::Test {
protected:
    template <class... Arguments>
    LaunchReport run(const std::string& text, const std::string& entry, const LaunchConfig& config,
                     const Arguments&... arguments) {
        const Program program(device_, text);
        return launch(program.kernel(entry), config, arguments...);
    }

    const Device device_ = Device::simulator();
    const std::vector<float> values_ = [] {
        std::vector<float> values(1000);
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * 37 % 64);
        return values;
    }();
    const float sum_ = std::accumulate(values_.begin(), values_.end(), 0.0f);
    const Buffer<float> x_{device_, values_};
};

TEST_F(Silent, AReductionByShufflesOverWarpsThatMayBeFew) {
    const Buffer<float> out = Buffer<float>::zeros(device_, 1);
    run(R"(
__device__ float warp_sum(float v) {
    for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
    return v;
}
__global__ void sum(const float* x, float* out, int n) {
    static __shared__ float s[32];
    int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
    float v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) v += x[i];
    v = warp_sum(v);
    if (lane == 0) s[w] = v;
    __syncthreads();
    v = threadIdx.x < blockDim.x / 32 ? s[lane] : 0;
    if (w == 0) v = warp_sum(v);
    if (threadIdx.x == 0) atomicAdd(out, v);
})",
        "sum", {2, 192}, x_, out, 1000);
    EXPECT_EQ(out.download()[0], sum_);
}

TEST_F(Silent, TheTailOfATreeInOneWarp) {
    const Buffer<float> out(device_, 1);
    run(R"(
__global__ void sum(const float* x, float* out, int n) {
    __shared__ float s[64];
    int t = threadIdx.x;
    float v = 0;
    for (int i = t; i < n; i += 64) v += x[i];
    s[t] = v;
    __syncthreads();
    if (t < 32) {
        s[t] += s[t + 32];
        __syncwarp();
        for (int d = 16; d > 0; d /= 2) {
            float other = s[t + d];
            __syncwarp();
            if (t < d) s[t] += other;
            __syncwarp();
        }
    }
    if (t == 0) out[0] = s[0];
})",
        "sum", {1, 64}, x_, out, 1000);
    EXPECT_EQ(out.download()[0], sum_);
}

TEST_F(Silent, AScanThatWorksInPlace) {
    const Buffer<float> out(device_, 256);
    run(R"(
__global__ void scan(const float* x, float* y, int n) {
    extern __shared__ float t[];
    int i = threadIdx.x, offset = 1;
    t[2 * i] = x[2 * i];
    t[2 * i + 1] = x[2 * i + 1];
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (i < d) t[offset * (2 * i + 2) - 1] += t[offset * (2 * i + 1) - 1];
        offset *= 2;
    }
    if (i == 0) t[n - 1] = 0;
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (i < d) {
            int a = offset * (2 * i + 1) - 1, b = offset * (2 * i + 2) - 1;
            float s = t[a];
            t[a] = t[b];
            t[b] += s;
        }
    }
    __syncthreads();
    y[2 * i] = t[2 * i];
    y[2 * i + 1] = t[2 * i + 1];
})",
        "scan", {1, 128, 256 * sizeof(float)}, x_, out, 256);
    EXPECT_EQ(out.download()[255], std::accumulate(values_.begin(), values_.begin() + 255, 0.0f));
}

TEST_F(Silent, TheLastBlockAddsUpWhatTheOthersLeft) {
    const Buffer<float> partial(device_, 5), out(device_, 1);
    const char* text = R"(
__device__ unsigned count = 0;
__global__ void sum(const float* x, volatile float* partial, float* out, int n) {
    __shared__ float s[64];
    __shared__ bool last;
    int t = threadIdx.x;
    float v = 0;
    for (int i = blockIdx.x * 64 + t; i < n; i += 64 * gridDim.x) v += x[i];
    s[t] = v;
    __syncthreads();
    for (int d = 32; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) {
        partial[blockIdx.x] = s[0];
        __threadfence();
        last = atomicInc(&count, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        float total = 0;
        for (int b = 0; b < gridDim.x; ++b) total += partial[b];
        out[0] = total;
        count = 0;
    }
})";
    run(text, "sum", {5, 64}, x_, partial, out, 1000);
    EXPECT_EQ(out.download()[0], sum_);
}

TEST_F(Silent, TwoTilesInTurn) {
    const Buffer<float> ones(device_, std::vector<float>(900, 1.0f)), out(device_, 900);
    run(R"(
template <int T>
__global__ void product(const float* a, const float* b, float* c, int n) {
    __shared__ float as[2][T][T], bs[2][T][T];
    int tx = threadIdx.x, ty = threadIdx.y, r = blockIdx.y * T + ty, q = blockIdx.x * T + tx, now = 0;
    as[0][ty][tx] = r < n && tx < n ? a[r * n + tx] : 0;
    bs[0][ty][tx] = q < n && ty < n ? b[ty * n + q] : 0;
    __syncthreads();
    float sum = 0;
    for (int next = T; next < n + T; next += T) {
        if (next < n) {
            as[1 - now][ty][tx] = r < n && next + tx < n ? a[r * n + next + tx] : 0;
            bs[1 - now][ty][tx] = q < n && next + ty < n ? b[(next + ty) * n + q] : 0;
        }
        for (int k = 0; k < T; ++k) sum += as[now][ty][k] * bs[now][k][tx];
        __syncthreads();
        now = 1 - now;
    }
    if (r < n && q < n) c[r * n + q] = sum;
})",
        "product<8>", {{4, 4}, {8, 8}}, ones, ones, out, 30);
    EXPECT_EQ(out.download(), std::vector<float>(900, 30.0f));
}

TEST_F(Silent, ALockOfOneThreadABlock) {
    const Buffer<int> counter = Buffer<int>::zeros(device_, 1);
    run(R"(
__device__ int lock = 0;
__global__ void count(int* counter) {
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {}
        __threadfence();
        *counter = *counter + 1;
        __threadfence();
        atomicExch(&lock, 0);
    }
})",
        "count", {10, 32}, counter);
    EXPECT_EQ(counter.download()[0], 10);
}

TEST_F(Silent, AnAtomicOperationMadeOfCompareAndSwap) {
    const Buffer<float> largest(device_, std::vector<float>{-1e30f});
    run(R"(
__device__ void atomic_max(float* address, float value) {
    int* bits = (int*)address;
    int old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
    } while (assumed != old);
}
__global__ void largest(const float* x, float* m, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomic_max(m, x[i]);
})",
        "largest", {8, 128}, x_, largest, 1000);
    EXPECT_EQ(largest.download()[0], 63);
}

TEST_F(Silent, SortingWhereEveryPairHasOneThread) {
    const Buffer<float> sorted(device_, std::vector<float>(values_.begin(), values_.begin() + 128));
    run(R"(
__global__ void sort(float* k) {
    unsigned t = threadIdx.x;
    for (unsigned size = 2; size <= blockDim.x; size <<= 1)
        for (unsigned d = size / 2; d > 0; d >>= 1) {
            unsigned o = t ^ d;
            if (o > t && (k[t] > k[o]) == ((t & size) == 0)) {
                float a = k[t];
                k[t] = k[o];
                k[o] = a;
            }
            __syncthreads();
        }
})",
        "sort", {1, 128}, sorted);
    const std::vector<float> result = sorted.download();
    EXPECT_TRUE(std::is_sorted(result.begin(), result.end()));
}

TEST_F(Silent, AHistogramThatIsAddedToOthers) {
    const Buffer<int> counts = Buffer<int>::zeros(device_, 64);
    run(R"(
__global__ void histogram(const float* x, int* counts, int n) {
    __shared__ int bins[64];
    for (int b = threadIdx.x; b < 64; b += blockDim.x) bins[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&bins[(int)x[i]], 1);
    __syncthreads();
    for (int b = threadIdx.x; b < 64; b += blockDim.x) atomicAdd(counts + b, bins[b]);
})",
        "histogram", {3, 100}, x_, counts, 1000);
    const std::vector<int> result = counts.download();
    EXPECT_EQ(std::accumulate(result.begin(), result.end(), 0), 1000);
}

// Lanes of the mask that have returned need not arrive: this is CUDA's rule.
TEST_F(Silent, AVoteOfThoseThatAreLeft) {
    const Buffer<unsigned> votes = Buffer<unsigned>::zeros(device_, 16);
    run("__global__ void vote(unsigned* y) {\n    if (threadIdx.x >= 16) return;\n    "
        "y[threadIdx.x] = __ballot_sync(0xffffffff, threadIdx.x % 2);\n}\n",
        "vote", {1, 32}, votes);
    EXPECT_EQ(votes.download()[3], 0xaaaaU);
}

TEST_F(Silent, PlacesGivenOutByOneCounterAreAHint) {
    const Buffer<float> kept = Buffer<float>::zeros(device_, 1000);
    const Buffer<int> count = Buffer<int>::zeros(device_, 1);
    const LaunchReport report = run(R"(
__global__ void keep(const float* x, float* kept, int* count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > 50) kept[atomicAdd(count, 1)] = x[i];
})",
                                    "keep", {8, 128}, x_, kept, count, 1000);
    EXPECT_EQ(count.download()[0],
              std::count_if(values_.begin(), values_.end(), [](float v) { return v > 50; }));
    ASSERT_EQ(report.hints.size(), 1u);
    EXPECT_NE(report.hints[0].find("LaunchConfig::free_order"), std::string::npos);
}

TEST_F(Silent, ListsWhoseOrderIsFreeLoseNoElement) {
    const std::string text = R"(
__global__ void link(int* head, int* next, int n, int lost) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    next[i] = atomicExch(&head[i % 10], i + 1);
    if (lost && next[i] > i + 1) next[i] = 0;
})";
    LaunchConfig config{4, 64};
    config.free_order = true;
    const Buffer<int> head = Buffer<int>::zeros(device_, 10), next(device_, 200);
    EXPECT_TRUE(run(text, "link", config, head, next, 200, 0).hints.empty());
    EXPECT_THROW(run(text, "link", config, Buffer<int>::zeros(device_, 10), next, 200, 1),
                 CudaKernelFault);
    config.free_order = false;
    EXPECT_THROW(run(text, "link", config, Buffer<int>::zeros(device_, 10), next, 200, 0),
                 CudaKernelFault);
}

TEST_F(Silent, AConstantThatSeveralThreadsWriteIsAHint) {
    const Buffer<int> found = Buffer<int>::zeros(device_, 1);
    const LaunchReport report = run(R"(
__global__ void search(const float* x, int* found, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] == 7) *found = 1;
})",
                                    "search", {8, 128}, x_, found, 1000);
    EXPECT_EQ(found.download()[0], 1);
    ASSERT_EQ(report.hints.size(), 1u);
    EXPECT_NE(report.hints[0].find(":4: found[0] is written by several"), std::string::npos)
        << report.hints[0];
}

TEST_F(Silent, ABlockThatWaitsForTheFlagOfAnother) {
    const Buffer<float> value(device_, 1), y(device_, 3);
    for (const int first : {0, 3}) {  // the block that sets the flag comes first, or last
        const Buffer<int> ready = Buffer<int>::zeros(device_, 1);
        run(R"(
__global__ void pass_on(float* value, volatile int* ready, float* y, int first) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == first) {
        *value = 42;
        __threadfence();
        *ready = 1;
    } else {
        while (*ready == 0) {}
        __threadfence();
        y[blockIdx.x - (first == 0)] = *value;
    }
})",
            "pass_on", {4, 32}, value, ready, y, first);
        EXPECT_EQ(y.download(), std::vector<float>(3, 42));
    }
}

TEST_F(Silent, WhatTheClockShows) {
    const Buffer<long long> ticks(device_, 64);
    run(R"(
__global__ void measure(long long* ticks) {
    long long start = clock64();
    while (clock64() - start < 5000) {}
    ticks[threadIdx.x] = clock64() - start;
})",
        "measure", {1, 64}, ticks);
    EXPECT_GT(ticks.download()[0], 5000);
}

TEST_F(Silent, SumsOfFloatsThatCancel) {
    const Buffer<float> sums = Buffer<float>::zeros(device_, 8);
    run(R"(
__global__ void sum(const float* x, float* sums, int n) {
    float4* s = (float4*)sums;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicAdd(&s[0].y, x[i] * 1.1e5f);
    atomicAdd(&s[0].y, x[n - 1 - i] * -1.1e5f);
    atomicAdd(&s[1].x, x[i] * 0.3f);
})",
        "sum", {8, 128}, x_, sums, 1000);
    EXPECT_NEAR(sums.download()[4], 0.3f * sum_, 1);
}

TEST_F(Silent, LanesThatDoNotExistIfTheirValueIsNotUsed) {
    const Buffer<float> steps(device_, 80);
    const LaunchReport report = run(R"(
__global__ void differences(const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    float next = __shfl_down_sync(~0u, x[i], 1);
    y[i] = lane < 31 && threadIdx.x + 1 < blockDim.x ? next - x[i] : 0;
})",
                                    "differences", {2, 40}, x_, steps);
    EXPECT_EQ(report.hints.size(), 1u);
}

TEST_F(Silent, VectorsThatAreAligned) {
    const Buffer<float> y(device_, 1000);
    run(R"(
__global__ void twice(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * i >= n) return;
    float4 v = *(const float4*)(x + 4 * i), w = ((const float4*)x)[i];
    float2 u = *reinterpret_cast<const float2*>(&x[4 * i + 2]);
    v = make_float4(v.x + w.x, v.y + w.y, v.z + u.x, v.w + u.y);
    reinterpret_cast<float4*>(y)[i] = v;
})",
        "twice", {8, 32}, x_, y, 1000);
    EXPECT_EQ(y.download()[998], 2 * values_[998]);
}

}  // namespace
}  // namespace lanes
