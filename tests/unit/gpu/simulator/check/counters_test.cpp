// What the counters mean (lanes/gpu/report.hpp): every load and store that the text executes. The
// texts here give an optimising compiler reasons to do without some of them.
#include "gpu/simulator/compile/compiler.hpp"
#include "lanes/gpu.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lanes {
namespace {

// Counted by one warp. `body` is the text of a CUDA kernel; i is the thread's number.
struct Counted {
    const char* name;
    const char* body;
    int loads, stores;                        // of global memory, by all 32 threads
    int load_requests, load_sectors;          // of global memory
    int shared_loads = 0, shared_stores = 0;  // requests
};

const Counted texts[] = {
    // Read again at once: a GPU has it in a register.
    {"twice", "out[i] = a[i] + a[i];", 32, 32, 1, 4},
    {"kept", "float x = a[i]; out[i] = x + x;", 32, 32, 1, 4},
    {"condition", "if (a[i] > 0) out[i] = a[i]; else out[i] = -a[i];", 32, 32, 1, 4},
    {"choice", "out[i] = a[i] > 0 ? a[i] : 0;", 32, 32, 1, 4},
    {"cached", "out[i] = __ldg(&a[i]) + __ldg(&a[i]);", 32, 32, 1, 4},
    {"invariant", "float s = 0; for (int k = 0; k < 4; ++k) s += a[0] * a[i]; out[i] = s;", 64, 32,
     2, 5},
    {"local_array", "float x[4]; for (int k = 0; k < 4; ++k) x[k] = a[i]; out[i] = x[n & 3];", 32,
     32, 1, 4},
    // Not one of the last four, the same expression has read another one since, or something came
    // between.
    {"in_turns", "float s = 0; for (int k = 0; k < 2 * n; ++k) s += a[k % 2]; out[i] = s;", 384, 32,
     12, 12},
    {"five", "float s = 0; for (int k = 0; k < 10; ++k) s += a[k % 5]; out[i] = s;", 320, 32, 10,
     10},
    {"after_a_store", "out[i] = a[i]; w[i].x = a[i];", 64, 64, 2, 8},
    {"read_back", "out[i] = a[i]; w[i].x = out[i];", 64, 64, 2, 8},
    {"after_a_barrier", "float x = a[i]; __syncthreads(); out[i] = x + a[i];", 64, 32, 2, 8},
    {"clamped", "out[i] = a[i] + a[min(i + 1, 31)];", 64, 32, 2, 8},
    // What a compiler might remove, merge or move.
    {"unused", "float x = a[i]; out[i] = 1;", 32, 32, 1, 4},
    {"both_branches", "if (i < 8) out[i] = a[i] + 1; else out[i] = a[i] + 2;", 32, 32, 2, 4},
    {"short_circuit", "out[i] = i > 0 && a[i - 1] > 0;", 31, 32, 1, 4},
    {"loop_of_n", "float s = 0; for (int k = 0; k < n; ++k) s += a[k]; out[i] = s;", 192, 32, 6, 6},
    {"unrolled",
     "float s = 0;\n#pragma unroll\nfor (int k = 0; k < 4; ++k) s += a[4 * i + k]; out[i] = s;",
     128, 32, 4, 64},
    {"partly_unrolled",
     "float s = 0;\n#pragma unroll 4\nfor (int k = 0; k < i % 8; ++k) s += a[k]; out[i] = s;", 112,
     32, 7, 7},
    {"sum_in_memory", "for (int k = 0; k < 4; ++k) out[i] += a[i];", 256, 128, 8, 32},
    {"plus_one", "out[i]++;", 32, 32, 1, 4},
    {"stored_twice", "out[i] = 0; out[i] = a[i];", 32, 64, 1, 4},
    {"unchanged", "out[i] = out[i];", 32, 32, 1, 4},
    {"filled", "for (int k = 0; k < 4; ++k) out[4 * i + k] = 0;", 0, 128, 0, 0},
    {"copied", "for (int k = 0; k < 4; ++k) out[4 * i + k] = a[4 * i + k];", 128, 128, 4, 64},
    {"reference", "add(out[i], a[i]);", 64, 32, 2, 8},
    // Vectors.
    {"vector", "float4 q = v[i]; out[i] = q.x + q.y;", 32, 32, 1, 16},
    {"vector_copied", "w[i] = v[i];", 32, 32, 1, 16},
    {"vector_made", "w[i] = make_float4(a[i], 0, 0, 1);", 32, 32, 1, 4},
    {"vector_passed", "out[i] = length(v[i]);", 32, 32, 1, 16},
    {"vector_cast", "float4 q = *reinterpret_cast<const float4*>(a + 4 * i); out[i] = q.w;", 32, 32,
     1, 16},
    {"vector_members", "out[i] = v[i].x + v[i].y * v[i].w;", 32, 32, 1, 16},
    {"vector_twice", "float4 p = v[i], q = v[i]; out[i] = p.x + q.y;", 32, 32, 1, 16},
    // Shared memory.
    {"shared", "tile[i] = a[i]; __syncthreads(); out[i] = tile[i] + tile[i];", 32, 32, 1, 4, 1, 1},
    {"shared_sum", "tile[i] = 0; for (int k = 0; k < 3; ++k) tile[i] += k; out[i] = tile[i];", 0,
     32, 0, 0, 4, 4},
};

std::string program_text() {
    std::string text =
        "__device__ float length(float4 v) { return sqrtf(v.x * v.x + v.y * v.y); }\n"
        "__device__ void add(float& sum, float x) { sum += x; }\n";
    for (const Counted& one : texts)
        text += std::string("__global__ void ") + one.name +
                "(const float* a, const float4* v, float* out, float4* w, int n) {\n"
                "    __shared__ float tile[32];\n    const int i = threadIdx.x;\n    " +
                one.body + "\n}\n";
    return text;
}

struct Float4 {
    float x, y, z, w;
};

TEST(SimulatorCounters, EveryLoadAndStoreOfTheTextCounts) {
    if (gpu::simulator::compiler_version().find("clang") == std::string::npos)
        GTEST_SKIP() << "g++ inserts its hooks after it has optimised";
    const Device device = Device::simulator().with(Checks::one_schedule());
    const Program program(device, program_text());
    const Buffer<float> a(device, std::vector<float>(128, 1));
    const auto out = Buffer<float>::zeros(device, 128);
    const Buffer<Float4> v(device, std::vector<Float4>(32)), w(device, std::vector<Float4>(32));
    for (const Counted& one : texts) {
        const LaunchReport report = launch(program.kernel(one.name), {1, 32}, a, v, out, w, 6);
        const auto got = [](std::uint64_t count) { return static_cast<int>(count); };
        const Counters& c = report.counters;
        EXPECT_EQ(got(c.global_loads), one.loads) << one.name;
        EXPECT_EQ(got(c.global_stores), one.stores) << one.name;
        EXPECT_EQ(got(c.global_load_requests), one.load_requests) << one.name;
        EXPECT_EQ(got(c.global_load_sectors), one.load_sectors) << one.name;
        EXPECT_EQ(got(c.shared_load_requests), one.shared_loads) << one.name;
        EXPECT_EQ(got(c.shared_store_requests), one.shared_stores) << one.name;
    }
}

}  // namespace
}  // namespace lanes
