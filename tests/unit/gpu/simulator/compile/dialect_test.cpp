// Every part of CUDA C++ that a course uses, on the simulator: fast, and with all checks. Each CUDA
// kernel writes one number per thread to out[64], which the host compares with the expected one.
#include "lanes/gpu.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace lanes {
namespace {

constexpr int threads = 64;

struct Row {
    const char* name;
    // Of a CUDA kernel with `double* out` and `int i`, the thread's index in the block.
    const char* body;
    std::function<double(int)> expected;  // for thread i
};

const std::vector<Row>& rows() {
    static const std::vector<Row> all = {
        {"built_in_variables",
         "out[i] = threadIdx.x + 100 * blockIdx.x + blockDim.x * 1000 + gridDim.x * 1e6 + "
         "warpSize;",
         [](int i) { return i + 64000 + 1e6 + 32; }},
        {"dim3_and_vectors",
         "dim3 d(2, 3); uint3 u = d; int2 a = make_int2(i, 2); float4 f = make_float4(1, 2, 3, i); "
         "double2 e = {0.5, 1}; "
         "out[i] = d.x * d.y * d.z + u.z + a.x * a.y + f.w + e.x + sizeof(float4) + "
         "sizeof(uchar4);",
         [](int i) { return 6 + 1 + 2 * i + i + 0.5 + 16 + 4; }},
        {"all_vector_types",
         "char1 a = make_char1(1); uchar2 b = make_uchar2(1, 2); short3 c = make_short3(1, 2, 3); "
         "ushort4 d = make_ushort4(1, 2, 3, 4); "
         "long2 e = make_long2(5, 6); ulonglong2 f = make_ulonglong2(7, 8); uint1 g = "
         "make_uint1(9); double4 h = make_double4(1, 2, 3, 10); "
         "out[i] = a.x + b.y + c.z + d.w + e.y + f.y + g.x + h.w;",
         [](int) { return 1 + 2 + 3 + 4 + 6 + 8 + 9 + 10; }},
        {"static_shared",
         "__shared__ int s[64]; s[i] = i * i; __syncthreads(); out[i] = s[63 - i];",
         [](int i) { return (63 - i) * (63 - i); }},
        {"two_shared_arrays",
         "__shared__ __align__(16) float s[2][32], t[32]; s[i / 32][i % 32] = i; if (i < 32) t[i] "
         "= 1; __syncthreads(); out[i] = s[1 - i / 32][i % 32] + t[i % "
         "32];",
         [](int i) { return (i + 32) % 64 + 1; }},
        {"shared_scalar", "__shared__ int n; if (i == 5) n = 42; __syncthreads(); out[i] = n;",
         [](int) { return 42; }},
        {"device_function", "out[i] = cube(i) + twice(1.5f);",
         [](int i) { return double(i) * i * i + 3; }},
        {"template_function", "out[i] = add_up<3>(i) + larger(i, 7);",
         [](int i) { return 3 * i + std::max(i, 7); }},
        {"lambda",
         "auto f = [=](int x) { return x * 2 + i; }; auto g = [] __device__ (int x) { return x + "
         "1; }; out[i] = f(3) + g(1);",
         [](int i) { return 6 + i + 2; }},
        {"struct_with_method", "Point p{1, i}; out[i] = p.sum();", [](int i) { return 1 + i; }},
        {"constant_memory", "out[i] = coefficients[i % 3] + ns::offset;",
         [](int i) { return (i % 3 + 1) * 10 + 5; }},
        {"constexpr_and_unroll",
         "constexpr int n = 4; int s = 0;\n#pragma unroll\nfor (int k = 0; k < n; ++k) s += "
         "k;\n#pragma unroll 2\nfor (int k = 0; k < n; ++k) s += k;\nout[i] "
         "= s;",
         [](int) { return 12; }},
        {"syncthreads_count", "out[i] = __syncthreads_count(i % 3 == 0);", [](int) { return 22; }},
        {"syncthreads_and", "out[i] = __syncthreads_and(i < 64) + 2 * __syncthreads_and(i < 63);",
         [](int) { return 1; }},
        {"syncthreads_or",
         "out[i] = (__syncthreads_or(i == 63) != 0) + 2 * (__syncthreads_or(i == 64) != 0);",
         [](int) { return 1; }},
        {"many_barriers",
         "__shared__ int s[64]; s[i] = i; for (int step = 1; step < 64; step *= 2) { "
         "__syncthreads(); int v = i >= step ? s[i - step] : 0; __syncthreads(); "
         "s[i] += v; } out[i] = s[i];",
         [](int i) { return i * (i + 1) / 2; }},
        {"shfl", "out[i] = __shfl_sync(0xffffffff, i * 10, 3);",
         [](int i) { return (i / 32 * 32 + 3) * 10; }},
        {"shfl_width", "out[i] = __shfl_sync(0xffffffffu, i, 1, 8);",
         [](int i) { return i / 8 * 8 + 1; }},
        {"shfl_up", "out[i] = __shfl_up_sync(0xffffffff, i, 2);",
         [](int i) { return i % 32 < 2 ? i : i - 2; }},
        {"shfl_down", "out[i] = __shfl_down_sync(0xffffffff, i + 0.5, 4);",
         [](int i) { return (i % 32 + 4 > 31 ? i : i + 4) + 0.5; }},
        {"shfl_down_width", "out[i] = __shfl_down_sync(0xffffffff, i, 1, 4);",
         [](int i) { return i % 4 == 3 ? i : i + 1; }},
        {"shfl_xor", "out[i] = __shfl_xor_sync(0xffffffff, (long long)i << 40, 1) >> 40;",
         [](int i) { return i ^ 1; }},
        {"warp_sum",
         "float v = i; for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffff, v, d); "
         "out[i] = v;",
         [](int i) { return i < 32 ? 496 : 1520; }},
        {"shfl_in_half_a_warp",
         "if (i % 32 < 16) out[i] = __shfl_xor_sync(0x0000ffff, i, 8); else out[i] = "
         "__shfl_xor_sync(0xffff0000, i, 4);",
         [](int i) { return i % 32 < 16 ? i ^ 8 : i ^ 4; }},
        {"votes",
         "out[i] = __any_sync(0xffffffff, i == 40) + 2 * __all_sync(0xffffffff, i < 32) + 4 * "
         "(__ballot_sync(0xffffffff, i % 2) == 0xaaaaaaaau);",
         [](int i) { return (i < 32 ? 2 : 1) + 4; }},
        {"activemask", "out[i] = __activemask();", [](int) { return 4294967295.0; }},
        {"activemask_in_a_branch", "if (i % 2) out[i] = __popc(__activemask()); else out[i] = 0;",
         [](int i) { return i % 2 ? 16 : 0; }},
        {"match",
         "int all; unsigned any = __match_any_sync(0xffffffff, i % 4); "
         "__match_all_sync(0xffffffff, 7, &all); out[i] = __popc(any) + all;",
         [](int) { return 9; }},
        {"reduce",
         "out[i] = __reduce_add_sync(0xffffffff, i % 32) + __reduce_max_sync(0xffffffff, -1 - i % "
         "32) + __reduce_min_sync(0xffffffff, unsigned(i % 32 + 5)) + "
         "double(__reduce_xor_sync(0xffffffff, 1u << i % 32));",
         [](int) { return 496 - 1 + 5 + 4294967295.0; }},
        {"syncwarp",
         "__shared__ volatile int s[64]; s[i] = i; __syncwarp(); out[i] = s[i ^ 1]; "
         "__syncwarp(0xffffffff);",
         [](int i) { return i ^ 1; }},
        {"atomics_int",
         "__shared__ int s[8]; if (i < 8) s[i] = i == 2 ? 1000 : 0; __syncthreads(); "
         "atomicAdd(&s[0], 1); atomicSub(&s[1], 2); atomicMin(&s[2], i); "
         "atomicMax(&s[3], i); "
         "atomicOr(&s[4], 1 << i % 8); atomicXor(&s[5], 1); atomicExch(&s[6], 9); atomicCAS(&s[7], "
         "0, 77); __syncthreads(); "
         "out[i] = s[0] + s[1] + s[2] + s[3] + s[4] + s[5] + s[6] + s[7];",
         [](int) { return 64 - 128 + 0 + 63 + 255 + 0 + 9 + 77; }},
        {"atomics_others",
         "__shared__ unsigned u[3]; __shared__ unsigned long long l; __shared__ float f; "
         "__shared__ double d; __shared__ long long m; "
         "if (i == 0) { u[0] = u[1] = 0; u[2] = ~0u; l = 0; f = 0; d = 0; m = 0; } "
         "__syncthreads(); "
         "atomicInc(&u[0], 9); atomicDec(&u[1], 9); atomicAnd(&u[2], ~(1u << i % 4)); "
         "atomicAdd(&l, 1ull << 33); atomicAdd(&f, 0.5f); atomicAdd(&d, 0.25); "
         "atomicMax(&m, (long long)i); __syncthreads(); "
         "out[i] = u[0] + 10 * u[1] + (u[2] & 15) * 1e3 + (l >> 33) * 1e5 + f + d + m;",
         [](int) { return 4 + 10 * 6 + 0 + 64e5 + 32 + 16 + 63; }},
        {"atomic_results",
         "__shared__ int n; if (i == 0) n = 0; __syncthreads(); int mine = atomicAdd(&n, 1); "
         "__shared__ int seen[64]; seen[mine] = 1; __syncthreads(); int s = "
         "0; for (int k = 0; k < 64; ++k) s += seen[k]; out[i] = s;",
         [](int) { return 64; }},
        {"spin_lock",
         "__shared__ int lock, n; if (i == 0) lock = n = 0; __syncthreads(); for (bool done = "
         "false; !done;) if (atomicCAS(&lock, 0, 1) == 0) { atomicAdd(&n, "
         "2); __threadfence_block(); atomicExch(&lock, 0); done = true; } "
         "__syncthreads(); out[i] = atomicAdd(&n, 0);",
         [](int) { return 128; }},
        {"flag_between_warps",
         "__shared__ int flag; if (i == 0) flag = 0; __syncthreads(); if (i == 63) { "
         "__threadfence(); atomicExch(&flag, 5); } while (atomicAdd(&flag, 0) == 0) "
         "__nanosleep(10); out[i] = atomicAdd(&flag, 0);",
         [](int) { return 5; }},
        {"float_functions",
         "float x = 0.5f + i; out[i] = fminf(x, 3) + fmaxf(x, 60) + sqrtf(x) + fabsf(-x) + "
         "floorf(x) + expf(-x) + powf(x, 2) + fmaf(x, 2, 1) + sinf(x);",
         [](int i) {
             const float x = 0.5f + static_cast<float>(i);
             return double(std::fmin(x, 3.0f) + std::fmax(x, 60.0f) + std::sqrt(x) + x +
                           std::floor(x) + std::exp(-x) + x * x + std::fma(x, 2.0f, 1.0f) +
                           std::sin(x));
         }},
        {"double_functions",
         "double x = 1 + i; out[i] = sqrt(x) + log(x) + pow(x, 3) + fabs(-x) + exp(1 / x) + "
         "tanh(x) + hypot(x, 2.0) + atan2(x, 2.0) + cbrt(x) + erf(x);",
         [](int i) {
             const double x = 1 + i;
             return std::sqrt(x) + std::log(x) + std::pow(x, 3) + x + std::exp(1 / x) +
                    std::tanh(x) + std::hypot(x, 2.0) + std::atan2(x, 2.0) + std::cbrt(x) +
                    std::erf(x);
         }},
        {"directed_rounding",
         "float x = 1.0f / (i + 3), y = 0.1f * i + 0.7f; double p = double(x) * y, s = double(x) + "
         "y, "
         "q = double(x) / y, r = sqrt(double(y)), t = p + 0.25; "
         "auto holds = [](float lower, double exact, float upper) { return lower <= exact && exact "
         "<= "
         "upper && (lower == upper ? double(lower) == exact : nextafterf(lower, 1e9f) == upper); "
         "}; "
         "out[i] = holds(__fadd_rd(x, y), s, __fadd_ru(x, y)) + holds(__fmul_rd(x, -y), -p, "
         "__fmul_ru(x, -y)) + holds(__fdiv_rd(x, y), q, __fdiv_ru(x, y)) + holds(__fsqrt_rd(y), r, "
         "__fsqrt_ru(y)) + holds(__fmaf_rd(x, y, 0.25f), t, __fmaf_ru(x, y, 0.25f)) + "
         "(__fmul_rz(x, -y) == __fmul_ru(x, -y)) + (__fsub_rz(x, y + 1) == __fsub_ru(x, y + 1)) + "
         "(__dadd_rd(1.0, 1e-30 * i) == 1) + (__dadd_ru(1.0, 1e-30 * (i + 1)) == 1 + "
         "2.220446049250313e-16) "
         "+ (__dmul_rd(0.1, 3.0) < __dmul_ru(0.1, 3.0)) + (__fadd_rd(3.4e38f, 3.4e38f) == "
         "3.402823466e38f) "
         "+ (__double2float_rd(1.0 + 1e-12) == 1) + (isnan(nanf(\"\")) && isnan(nan(\"\")));",
         [](int) { return 13; }},
        {"fast_intrinsics",
         "float x = 1 + i; out[i] = __fdividef(x, 4) + __fmaf_rn(x, x, 1) + rsqrtf(x * x) * x + "
         "__saturatef(x) + __fadd_rn(x, 1) + __fmul_rn(x, 2) + "
         "__frcp_rn(2);",
         [](int i) {
             const double x = 1 + i;
             return x / 4 + x * x + 1 + 1 + 1 + x + 1 + 2 * x + 0.5;
         }},
        {"integer_intrinsics",
         "out[i] = __popc(i) + __clz(i + 1) + __ffs(i) + __brev(1u) / 2147483648u + "
         "__popcll(~0ull) + __clzll(1) + __mul24(i, 3) + __umulhi(1u << 31, 4u) + "
         "__byte_perm(0x04030201, 0, 0x880b);",
         [](int i) {
             return __builtin_popcount(i) + __builtin_clz(i + 1) + __builtin_ffs(i) + 1 + 64 + 63 +
                    3 * i + 2 + 0x01010104;
         }},
        {"min_max",
         "out[i] = min(i, 10) + max(i, 20) + min(2u, 3u) + max(1.5f, 2.5f) + min(1.0, 0.5) + "
         "abs(-i) + max(1ll, 2ll) + min(i, 64u);",
         [](int i) { return std::min(i, 10) + std::max(i, 20) + 2 + 2.5 + 0.5 + i + 2 + i; }},
        {"bits_and_conversions",
         "out[i] = __float_as_int(1.0f) + __int_as_float(0x40000000) + __float2int_rn(2.5f) + "
         "__float2int_rz(-2.7f) + __double2int_ru(0.1) + __int2float_rn(i) "
         "+ __double_as_longlong(0.0) + __float2uint_rn(-3.0f);",
         [](int i) { return 0x3f800000 + 2.0 + 2 - 2 + 1 + i; }},
        {"nan_and_classes",
         "float z = 0; out[i] = isnan(z / z) + 2 * isinf(1 / z) + 4 * isfinite(z) + 8 * "
         "signbit(-1.0f);",
         [](int) { return 15; }},
        {"cache_hints",
         "out[i] = __ldg(&table[i % 4]) + __ldcg(&table[1]) + __ldcs(&table[2]); __stcg(&out[i], "
         "out[i] + 1);",
         [](int i) { return i % 4 + 1 + 2 + 1; }},
        {"fences_and_clocks",
         "__threadfence(); __threadfence_block(); __threadfence_system(); long long a = clock64(); "
         "clock_t b = clock(); out[i] = a != 0 && b != 0;",
         [](int) { return 1; }},
        {"device_variable",
         "if (i == 0) counter = 0; __syncthreads(); atomicAdd(&counter, 3); __syncthreads(); "
         "out[i] = atomicAdd(&counter, 0);",
         [](int) { return 192; }},
        {"launch_bounds_and_restrict", "out[i] = bounded(out, i);", [](int i) { return i; }},
        {"asserts_that_hold", "assert(i < 64); assert(out != nullptr && \"there\"); out[i] = 1;",
         [](int) { return 1; }},
        {"early_return_of_others",
         "if (i >= 32) { out[i] = 1; return; } out[i] = __shfl_xor_sync(0xffffffff, i, 1);",
         [](int i) { return i >= 32 ? 1 : i ^ 1; }},
        {"size_t_and_pointers", "size_t n = 3; ptrdiff_t d = out + i - out; out[i] = n + d;",
         [](int i) { return 3 + i; }},
        {"uncommon_words", "out[i] = inlined(i) + not_inlined(i) + CONSTANT + __CUDA_ARCH__ / 100;",
         [](int i) { return 2 * i + 3 + 4 + 9; }},
    };
    return all;
}

std::string text() {
    std::string text = R"(
#include <cuda_runtime.h>
#include <stdio.h>
#include <cstdint>
#include <math.h>
#include <cmath>
#include <assert.h>
#include <cfloat>
__device__ double cube(double x) { return x * x * x; }
__host__ __device__ inline float twice(float x) { return 2 * x; }
template <int n> __device__ int add_up(int x) { int s = 0; for (int k = 0; k < n; ++k) s += x; return s; }
template <typename T> __device__ __forceinline__ T larger(T a, T b) { return a > b ? a : b; }
struct Point { int x, y; __device__ int sum() const { return x + y; } };
__constant__ float coefficients[3] = {10, 20, 30};
namespace ns { __constant__ const int offset = 5; }
__device__ int counter = 17;
__device__ const int table[4] = {0, 1, 2, 3};
__device__ __forceinline__ int inlined(int x) { return x + 1; }
__device__ __noinline__ int not_inlined(int x) { return x + 2; }
__device__ double bounded(const double* __restrict__ p, int i) { return i; }
#define CONSTANT 4
__global__ void __launch_bounds__(256, 2) with_bounds(float* __restrict__ out, const float* __restrict__ in) { out[threadIdx.x] = in[threadIdx.x]; }
)";
    for (const auto& row : rows())
        text += std::string("__global__ void ") + row.name +
                "(double* out) { const int i = threadIdx.x;\n" + row.body + "\n}\n";
    return text;
}

// Compiled once for all rows.
const Program& program(bool checked) {
    static const Program fast(Device::simulator().fast(), text(), {"dialect.cu", {}}),
        slow(Device::simulator().with(Checks()), text(), {"dialect.cu", {}});
    return checked ? slow : fast;
}

class Dialect : public testing::TestWithParam<std::size_t> {};

void expect_row(const Row& row, bool checked) {
    const Program& compiled = program(checked);
    Buffer<double> out(compiled.device(), std::vector<double>(threads, -1));
    launch(compiled.kernel(row.name), {1, threads}, out);
    const std::vector<double> values = out.download();
    for (int i = 0; i < threads; ++i) {
        const double expected = row.expected(i);
        ASSERT_NEAR(values[static_cast<std::size_t>(i)], expected, std::abs(expected) * 1e-6 + 1e-9)
            << row.name << ", thread " << i;
    }
}

TEST_P(Dialect, Fast) { expect_row(rows()[GetParam()], false); }
TEST_P(Dialect, WithAllChecks) { expect_row(rows()[GetParam()], true); }

INSTANTIATE_TEST_SUITE_P(Words, Dialect, testing::Range(std::size_t(0), rows().size()),
                         [](const testing::TestParamInfo<std::size_t>& info) {
                             return std::string(rows()[info.param].name);
                         });

// The other compiler, which is used if there is no clang.
class DialectOfGcc : public testing::Test {
protected:
    void SetUp() override {
        if (std::system("g++ --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "there is no g++";
        setenv("LANES_CXX", "g++", 1);
    }
    void TearDown() override { unsetenv("LANES_CXX"); }

    const Device device = Device::simulator();
};

// There are gaps between them in checked code.
TEST_F(DialectOfGcc, HasSeveralSharedArrays) {
    const Program program(device, R"(
__global__ void k(int* out) {
    __shared__ int a[64], b[64], c[64];
    const int i = threadIdx.x;
    a[i] = i;
    b[i] = 2 * i;
    c[i] = 3 * i;
    __syncthreads();
    out[i] = a[63 - i] + b[63 - i] + c[63 - i];
})");
    const Buffer<int> out(device, 64);
    launch(program.kernel("k"), {1, 64}, out);
    EXPECT_EQ(out.download()[60], 18);
}

TEST_F(DialectOfGcc, HasSeveralSharedArraysInATemplate) {
    const Program program(device, R"(
template <int N> __global__ void k(int* out) {
    __shared__ int a[N], b[N];
    const int i = threadIdx.x;
    a[i] = i;
    b[i] = 2 * i;
    __syncthreads();
    out[i] = a[N - 1 - i] + b[N - 1 - i];
})");
    const Buffer<int> out(device, 64);
    launch(program.kernel("k<64>"), {1, 64}, out);
    EXPECT_EQ(out.download()[60], 9);
}

// g++ gives no hook to a struct that a call takes from memory, or returns to memory.
TEST_F(DialectOfGcc, ObservesStructsThatAFunctionTakesAndReturns) {
    const Program program(device, R"(
struct Row { float v[20]; };
__device__ int4 larger(int4 a, int4 b) {
    int4 c;
    c.x = a.x > b.x ? a.x : b.x;
    c.y = a.y > b.y ? a.y : b.y;
    c.z = a.z > b.z ? a.z : b.z;
    c.w = a.w > b.w ? a.w : b.w;
    return c;
}
__device__ Row folded(Row row) {
    for (int i = 0; i < 20; ++i) row.v[i] += 1;
    for (int i = 0; i < 20; ++i) row.v[19 - i] *= 2;
    return row;
}
__global__ void vectors(const int* a, const int* b, int* c) {
    const int i = threadIdx.x;
    const int4* a4 = (const int4*)a;
    const int4* b4 = (const int4*)b;
    int4* c4 = (int4*)c;
    c4[i] = larger(a4[i], b4[i]);
}
__global__ void rows(const float* a, float* b) {
    const Row* from = (const Row*)a;
    Row* to = (Row*)b;
    to[threadIdx.x] = folded(from[threadIdx.x]);
})");
    const Buffer<int> a(device, std::vector<int>(128, 1)), b(device, std::vector<int>(128, 2)),
        c(device, 128);
    const LaunchReport vectors = launch(program.kernel("vectors"), {1, 32}, a, b, c);
    EXPECT_EQ(c.download(), b.download());
    EXPECT_EQ(vectors.counters.global_load_sectors, 2 * 128 * 4 / 32);
    EXPECT_EQ(vectors.counters.global_store_sectors, 128 * 4 / 32);

    const Buffer<float> x(device, std::vector<float>(160, 1)), y(device, 160);
    launch(program.kernel("rows"), {1, 8}, x, y);
    EXPECT_EQ(y.download(), std::vector<float>(160, 4));
    const Buffer<float> shorter(device, 159);
    EXPECT_THROW(launch(program.kernel("rows"), {1, 8}, x, shorter), CudaKernelFault);
}

}  // namespace
}  // namespace lanes
