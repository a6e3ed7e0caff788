// Whole programs, right and wrong ones, on the simulator.
#include "lanes/gpu/whole_program.hpp"

#include "error_of.hpp"

#include <gtest/gtest.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>

namespace {

namespace fs = std::filesystem;

struct Outcome {
    int status = 0;
    std::string output, errors;
};

// The address sanitizer writes once that it does not know the stacks of CUDA threads.
std::string without_sanitizers_note(const std::string& text) {
    static const std::regex note(
        "==\\d+==WARNING: ASan is ignoring requested __asan_handle_no_return.*\n.*\n.*\n");
    return std::regex_replace(text, note, "");
}

template <class Run>
Outcome captured(const Run& run) {
    setenv("LANES_DEVICE", "simulator", 1);
    Outcome outcome;
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    try {
        outcome.status = run();
    } catch (...) {
        testing::internal::GetCapturedStdout();
        testing::internal::GetCapturedStderr();
        throw;
    }
    outcome.output = testing::internal::GetCapturedStdout();
    outcome.errors = without_sanitizers_note(testing::internal::GetCapturedStderr());
    return outcome;
}

Outcome run(const std::string& source, const std::vector<std::string>& arguments = {}) {
    return captured([&] { return lanes::run_cuda_program(source, "program.cu", arguments); });
}

std::string compile_error(const std::string& source) {
    return lanes_test::error_of<lanes::CudaCompileError>([&] { run(source); });
}

#define EXPECT_HOLDS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST(CudaPrograms, TemplatesNamespacesSymbolsStreamsAndArguments) {
    const Outcome outcome = run(R"(#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(call) if ((call) != cudaSuccess) { printf("line %d\n", __LINE__); return 1; }
namespace scale {
__constant__ float factor[1];
struct Step { int by; __host__ __device__ int times(int i) const { return by * i; }
              void print() const { std::vector<int> v{by}; printf("step %d\n", v[0]); } };
template <class T, int n>
__global__ void apply(const T* x, T* y, Step step) {
    extern __shared__ float tile[];
    const int i = step.times(blockIdx.x * blockDim.x + threadIdx.x);
    tile[threadIdx.x] = x[i] * factor[0];
    __syncthreads();
    if (i < n) y[i] = tile[threadIdx.x];
}
}  // namespace scale
__device__ int calls;
static __global__ void count() { assert(threadIdx.x < 2); atomicAdd(&calls, 1); if (threadIdx.x == 0) printf("on the device\n"); }
int main(int argc, char** argv) {
    const int n = 64;
    std::vector<float> x(n, 2.0f), y(n);
    float factor = std::atof(argv[1]), *dx, *dy, milliseconds = -1;
    cudaStream_t stream; cudaEvent_t begin, end; cudaDeviceProp properties; int devices;
    CHECK(cudaGetDeviceCount(&devices)); CHECK(cudaGetDeviceProperties(&properties, 0));
    CHECK(cudaStreamCreate(&stream)); CHECK(cudaEventCreate(&begin)); CHECK(cudaEventCreate(&end));
    CHECK(cudaMalloc(&dx, n * sizeof(float))); CHECK(cudaMalloc((void**)&dy, n * sizeof(float)));
    CHECK(cudaMemcpyToSymbol(scale::factor, &factor, sizeof factor));
    CHECK(cudaMemcpyAsync(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice, stream));
    CHECK(cudaMemset(dy, 0, n * sizeof(float)));
    CHECK(cudaEventRecord(begin, stream));
    scale::Step step{1}; step.print();
    scale::apply<float, n><<<n / 32, 32, 32 * sizeof(float), stream>>>(dx, dy, step);
    CHECK(cudaGetLastError());
    count<<<1, 2>>>();
    CHECK(cudaEventRecord(end, stream)); CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    CHECK(cudaMemcpy(y.data(), dy, n * sizeof(float), cudaMemcpyDefault));
    int called = 0; CHECK(cudaMemcpyFromSymbol(&called, calls, sizeof called));
    printf("%g %g %d %d %d %s\n", y[0], y[n - 1], called, devices, milliseconds >= 0, properties.name);
    CHECK(cudaFree(dx)); CHECK(cudaFree(dy)); CHECK(cudaStreamDestroy(stream));
    return argc;
})",
                                {"1.5"});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.output, "step 1\non the device\n3 3 2 1 1 simulator\n");
    EXPECT_EQ(outcome.errors, "");
}

// Doubles four numbers; with the argument 2048 the launch is refused.
const char* const watched = R"(#include <cstdio>
#include <cstdlib>
__global__ void twice(int* x) { x[threadIdx.x] *= 2; }
int main(int, char** arguments) {
    int host[4] = {1, 2, 3, 4}, *device;
    cudaMalloc(&device, sizeof host);
    cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
    twice<<<1, std::atoi(arguments[1])>>>(device);
    if (cudaGetLastError() != cudaSuccess) { std::fprintf(stderr, "refused\n"); return 3; }
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    for (int x : host) std::printf("%d ", x);
    std::fprintf(stderr, "my own line\n");
})";

TEST(WatchedCudaProgram, KeepsWhatTheProgramPrintsApartFromWhatIsFound) {
    testing::internal::CaptureStdout();
    const lanes::CudaProgramRun run = lanes::WatchedCudaProgram(watched, "twice.cu").run({"4"});
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(run.output, "2 4 6 8 ");
    EXPECT_EQ(run.findings,
              "twice.cu:6: cudaMalloc: 16 bytes were never freed. Call cudaFree when they are no "
              "longer needed.\n");
    EXPECT_EQ(run.errors, "my own line\n" + run.findings);
    EXPECT_EQ(run.launches, 1u);
    EXPECT_EQ(run.loads, 4u);
    EXPECT_EQ(run.stores, 4u);
}

TEST(WatchedCudaProgram, ReportsARefusedLaunchAndNoLaunches) {
    const lanes::CudaProgramRun run = lanes::WatchedCudaProgram(watched, "twice.cu").run({"2048"});
    EXPECT_EQ(run.status, 3);
    EXPECT_EQ(run.launches, 0u);
    EXPECT_HOLDS(run.findings, "cudaErrorInvalidConfiguration");
    EXPECT_HOLDS(run.errors, "refused");
}

TEST(WatchedCudaProgram, NamesTheLinesOfACell) {
    const std::string text = "#line 2 \"In[7]\"\n" + std::string(watched);
    const lanes::WatchedCudaProgram cell(text, "twice.cu");
    EXPECT_HOLDS(cell.run({"4"}).findings, "In[7]:7: cudaMalloc");
    EXPECT_HOLDS(cell.run({"5"}).findings, "out of bounds");
}

TEST(CudaPrograms, ManagedAndPinnedMemoryBelongToBothSides) {
    const Outcome outcome = run(R"(#include <cstdio>
__global__ void add(int* x, const int* y) { x[threadIdx.x] += y[threadIdx.x]; }
template <int n> __global__ void through_shared(int* x) {
    __shared__ int tile[n];
    tile[threadIdx.x] = x[threadIdx.x] + n;
    x[threadIdx.x] = tile[threadIdx.x];
}
int main() {
    int *x, *y;
    cudaMallocManaged(&x, 4 * sizeof(int));
    cudaMallocHost(&y, 4 * sizeof(int));
    for (int i = 0; i < 4; ++i) x[i] = i, y[i] = 10;
    void* arguments[] = {&x, &y};
    cudaLaunchKernel((void*)add, dim3(1), dim3(4), arguments, 0, 0);
    // Each has less shared memory than a block may have, both together have more.
    through_shared<8000><<<1, 4>>>(x);
    through_shared<6000><<<1, 4>>>(x);
    if (cudaDeviceSynchronize() == cudaSuccess) printf("%d %d\n", x[0], x[3]);
    cudaFree(x);
    cudaFreeHost(y);
})");
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.output, "14010 14013\n");
    EXPECT_EQ(outcome.errors, "");
}

TEST(CudaPrograms, MistakesInCallsAreExplainedWithTheirLines) {
    const Outcome outcome = run(R"(#include <cstdio>
__global__ void set(float* x) { x[threadIdx.x] = 1; }
int main() {
    float h[4] = {0}, *d;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, 2 * sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyHostToDevice);
    set<<<1, 2000>>>(d);
    cudaFree(h);
    printf("%s\n", cudaGetErrorName(cudaPeekAtLastError()));
    cudaMemset(h, 0, 4);
    return 0;
})");
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.output, "cudaErrorInvalidValue\n");
    EXPECT_HOLDS(outcome.errors, "program.cu:6: cudaMemcpy: the destination has 16 bytes");
    EXPECT_HOLDS(outcome.errors, "program.cu:7: cudaMemcpy: the destination is memory of the host");
    EXPECT_HOLDS(outcome.errors, "program.cu:8: launch set <<<1, 2000>>>: 2000 threads per block");
    EXPECT_HOLDS(outcome.errors, "program.cu:9: cudaFree: this pointer is not one that CUDA");
    EXPECT_HOLDS(outcome.errors,
                 "program.cu:11: cudaMemset failed with cudaErrorInvalidValue, and "
                 "the program never looked at the error");
    EXPECT_EQ(outcome.errors.find("program.cu:6: cudaMemcpy failed"), std::string::npos)
        << "it was looked at in line 10";
    EXPECT_HOLDS(outcome.errors, "program.cu:5: cudaMalloc: 16 bytes were never freed");
}

// The compiler knows the sizes of arrays and of what the function has allocated.
TEST(CudaPrograms, ABlockOfTheHostThatIsTooSmallIsFound) {
    const Outcome outcome = run(R"(#include <cstdio>
#include <cstdlib>
__attribute__((noinline)) float* made(int n) { return new float[n]; }
int main(int count, char**) {
    const int n = 4 * count;
    float array[4], *d, *block = (float*)malloc(n * sizeof(float)), *numbers = new float[n];
    float *unknown = made(n);
    if (cudaMalloc(&d, 8 * sizeof(float)) || cudaMemset(d, 0, 8 * sizeof(float))) return 1;
    printf("%d", cudaMemcpy(array, d, 8 * sizeof(float), cudaMemcpyDeviceToHost));
    printf(" %d", cudaMemcpy(d, block, (n + 1) * sizeof(float), cudaMemcpyHostToDevice));
    printf(" %d", cudaMemcpyAsync(numbers + 1, d, n * sizeof(float), cudaMemcpyDeviceToHost));
    printf(" %d", cudaMemcpy(array, d, sizeof array, cudaMemcpyDeviceToHost));
    printf(" %d", cudaMemcpy(block, d, n * sizeof(float), cudaMemcpyDeviceToHost));
    printf(" %d", cudaMemcpy(numbers + 1, d, (n - 1) * sizeof(float), cudaMemcpyDefault));
    printf(" %d", cudaMemcpyAsync(unknown, d, n * sizeof(float), cudaMemcpyDeviceToHost));
    printf(" %g\n", array[3] + block[3] + numbers[3] + unknown[3]);
    free(block);
    delete[] numbers;
    delete[] unknown;
    return cudaFree(d);
})");
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_EQ(outcome.output, "1 1 1 0 0 0 0 0\n");
    EXPECT_HOLDS(outcome.errors,
                 "program.cu:9: cudaMemcpy: the destination is memory of the host with 16 bytes, "
                 "the copy needs 32. Sizes are counted in bytes");
    EXPECT_HOLDS(outcome.errors,
                 "program.cu:10: cudaMemcpy: the source is memory of the host with "
                 "16 bytes, the copy needs 20");
    EXPECT_HOLDS(outcome.errors,
                 "program.cu:11: cudaMemcpyAsync: the destination is memory of the "
                 "host with 12 bytes, the copy needs 16");
    EXPECT_EQ(outcome.errors.find("program.cu:12"), std::string::npos) << outcome.errors;
}

TEST(CudaPrograms, OldNamesWorkAndAreNamed) {
    const Outcome outcome = run(R"(#include <cstdio>
__global__ void set(int* x) { *x = 7; }
int main() {
    int* x;
    if (cudaMallocManaged(&x, sizeof(int))) return 1;
    for (int i = 0; i < 2; ++i) {
        set<<<1, 1>>>(x);
        if (cudaThreadSynchronize()) return 1;
    }
    printf("%d\n", *x);
    set<<<1, 1>>>(nullptr);
    cudaThreadSynchronize();
    return cudaThreadExit();
})");
    EXPECT_EQ(outcome.output, "7\n");
    const std::string note =
        "program.cu:8: cudaThreadSynchronize: CUDA has replaced it by cudaDeviceSynchronize.\n";
    EXPECT_EQ(outcome.errors.find(note), 0U) << outcome.errors;
    EXPECT_EQ(outcome.errors.find(note, 1), std::string::npos) << "once per place";
    EXPECT_HOLDS(outcome.errors,
                 "program.cu:13: cudaThreadExit: CUDA has replaced it by "
                 "cudaDeviceReset.\n");
    EXPECT_HOLDS(outcome.errors,
                 "program.cu:11: a CUDA kernel failed with cudaErrorIllegalAddress, and the "
                 "program never looked at the error");
}

TEST(CudaPrograms, AHostPointerInACudaKernelIsFound) {
    const Outcome outcome = run(R"(#include <cstdlib>
__global__ void set(float* x) { x[threadIdx.x] = 1; }
int main() {
    float* x = (float*)malloc(16);
    set<<<1, 4>>>(x);
    free(x);
    return 0;
})");
    EXPECT_EQ(outcome.status, 1);
    EXPECT_HOLDS(outcome.errors, "program.cu:2:");
    EXPECT_HOLDS(outcome.errors, "x is a pointer into the host's memory");
    EXPECT_HOLDS(outcome.errors, "launched in program.cu:5\n    5 |     set<<<1, 4>>>(x);");
    EXPECT_HOLDS(outcome.errors, "program.cu:5: a CUDA kernel failed with cudaErrorIllegalAddress");
}

TEST(CudaPrograms, ADevicePointerOnTheHostIsExplained) {
    const Outcome outcome = run(R"(#include <cstdio>
int main() {
    int* d;
    cudaMalloc(&d, 16);
    printf("before\n");
    return *d;
})");
    EXPECT_EQ(outcome.status, 128 + 11);
    EXPECT_EQ(outcome.output, "before\n");
    EXPECT_HOLDS(outcome.errors,
                 "program.cu:6: the host follows a pointer into device memory (16 "
                 "bytes that cudaMalloc allocated in program.cu:4)");
}

TEST(CudaPrograms, AnAssertionOnTheDeviceIsAnErrorOfTheNextCall) {
    const Outcome outcome = run(R"(#include <cassert>
#include <cstdio>
__global__ void check(int n) {
    assert(threadIdx.x < n);
}
int main() {
    check<<<1, 8>>>(4);
    const cudaError_t error = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorString(error));
    return error == cudaErrorAssert ? 0 : 3;
})");
    EXPECT_EQ(outcome.status, 0) << "the program looked at the error";
    EXPECT_EQ(outcome.output, "device-side assert triggered\n");
    EXPECT_HOLDS(outcome.errors, "program.cu:4:");
}

TEST(CudaPrograms, AResultThatDependsOnTheOrderIsANote) {
    const Outcome outcome = run(R"(#include <cstdio>
__global__ void last(int* x) { atomicExch(x, (int)threadIdx.x); }
int main() {
    int *d, h = -1;
    cudaMalloc(&d, sizeof h);
    cudaMemset(d, 0, sizeof h);
    last<<<1, 4>>>(d);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h >= 0 && h < 4);
    return cudaFree(d);
})");
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.output, "1\n");
    EXPECT_HOLDS(outcome.errors, "the result of last depends on the order of its threads");
}

TEST(CudaPrograms, ACooperativeLaunchMeetsAtTheGridsBarrier) {
    const Outcome outcome = run(R"(#include <cooperative_groups.h>
#include <chrono>
#include <cstdio>
using namespace std::chrono;
struct Row { int first, last; };  // named only where the template is launched
template <class T> __global__ void swap_ends(T* rows, int n) {
    const auto grid = cooperative_groups::this_grid();
    const int i = grid.thread_rank();
    const T mine = i < n ? rows[i] : T();
    grid.sync();
    if (i < n) rows[n - 1 - i] = mine;
}
int main() {
    const auto begin = steady_clock::now();
    const int n = 100;
    Row* rows;
    cudaMallocManaged(&rows, n * sizeof(Row));
    for (int i = 0; i < n; ++i) rows[i] = {i, -i};
    int count = n;
    void* arguments[] = {&rows, &count};
    cudaError_t status = cudaLaunchCooperativeKernel((void*)swap_ends<Row>, 4, 32, arguments);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", status, rows[0].first, rows[1].last);
    status = cudaLaunchCooperativeKernel((void*)swap_ends<Row>, 1000, 1024, arguments);
    printf("%s\n", cudaGetErrorName(status));
    return cudaFree(rows) || steady_clock::now() < begin;
})");
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_EQ(outcome.output, "0 99 -98\ncudaErrorCooperativeLaunchTooLarge\n");
    EXPECT_HOLDS(outcome.errors, "only 8 of this size fit on the simulator at once");
}

TEST(CudaPrograms, AdviceSpeaksOfCudasFunctions) {
    const Outcome outcome = run(R"(__global__ void twice(int* x) { x[threadIdx.x] *= 2; }
int main() {
    int* x;
    cudaMalloc(&x, 32 * sizeof(int));
    twice<<<1, 32>>>(x);
    return cudaDeviceSynchronize();
})");
    EXPECT_HOLDS(outcome.errors, "Give it its values by cudaMemcpy or cudaMemset");
    EXPECT_EQ(outcome.errors.find("Buffer"), std::string::npos) << outcome.errors;
    EXPECT_HOLDS(compile_error("__global__ void k(int** x) {\n    x[0] = new int[3];\n}\n"
                               "int main() { k<<<1, 1>>>(nullptr); }\n"),
                 "Allocate enough by cudaMalloc and pass the pointer");
}

// What programs of books and courses have in common.
TEST(CudaPrograms, StructsPitchedRowsEventsAndConstants) {
    const Outcome outcome = run(R"(#include <cstdio>
#include <cstdlib>
#define CHECK(call)                                                                        \
    do {                                                                                   \
        const cudaError_t error = (call);                                                  \
        if (error != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(EXIT_FAILURE);                                                            \
        }                                                                                  \
    } while (0)
struct Image {
    float* pixels;
    size_t pitch;  // bytes per row
    int width, height;
};
__constant__ float weights[3];
__device__ int rows_done;
__global__ void blur(Image from, Image to) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= from.width || y >= from.height) return;
    const float* row = (const float*)((const char*)from.pixels + y * from.pitch);
    float sum = 0;
    for (int k = -1; k <= 1; ++k)
        if (x + k >= 0 && x + k < from.width) sum += weights[k + 1] * row[x + k];
    ((float*)((char*)to.pixels + y * to.pitch))[x] = sum;
    if (x == 0) atomicAdd(&rows_done, 1);
}
int main() {
    const int width = 30, height = 10;
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    float* host;
    CHECK(cudaHostAlloc(&host, width * height * sizeof(float), cudaHostAllocDefault));
    for (int i = 0; i < width * height; ++i) host[i] = 1;
    const float values[] = {0.25f, 0.5f, 0.25f};
    CHECK(cudaMemcpyToSymbol(weights, values, sizeof values));
    Image a{nullptr, 0, width, height}, b = a;
    CHECK(cudaMallocPitch(&a.pixels, &a.pitch, width * sizeof(float), height));
    CHECK(cudaMallocPitch(&b.pixels, &b.pitch, width * sizeof(float), height));
    cudaStream_t stream;
    cudaEvent_t start, stop;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaMemcpy2DAsync(a.pixels, a.pitch, host, width * sizeof(float), width * sizeof(float),
                            height, cudaMemcpyHostToDevice, stream));
    CHECK(cudaEventRecord(start, stream));
    const dim3 block(16, 8), grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    blur<<<grid, block, 0, stream>>>(a, b);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(stop, stream));
    CHECK(cudaEventSynchronize(stop));
    float milliseconds = -1;
    CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    CHECK(cudaMemcpy2D(host, width * sizeof(float), b.pixels, b.pitch, width * sizeof(float), height,
                       cudaMemcpyDeviceToHost));
    int rows = 0;
    CHECK(cudaMemcpyFromSymbol(&rows, rows_done, sizeof rows));
    printf("%g %g %d %d %d\n", host[0], host[width + 1], rows, milliseconds >= 0,
           properties.warpSize);
    CHECK(cudaFree(a.pixels));
    CHECK(cudaFree(b.pixels));
    CHECK(cudaFreeHost(host));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaDeviceReset());
})");
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_EQ(outcome.output, "0.75 1 10 1 32\n");
    EXPECT_EQ(outcome.errors, "");
}

TEST(CudaPrograms, WhatDoesNotCompileNamesTheLine) {
    EXPECT_HOLDS(compile_error("int main() {\n    cudaMalok(0, 4);\n}\n"), "program.cu:2: error:");
    EXPECT_HOLDS(compile_error("__global__ void k(int* x) {\n    x[0] = undefined_name;\n}\n"
                               "int main() { k<<<1, 1>>>(nullptr); }\n"),
                 "program.cu:2: error:");
    EXPECT_HOLDS(compile_error("#include <thrust/sort.h>\nint main() {}\n"),
                 "thrust/sort.h: Thrust cannot be used here");
    EXPECT_HOLDS(compile_error("int main() {\n    cudaGraph_t graph;\n}\n"),
                 "program.cu:2: error: cudaGraph_t: CUDA graphs cannot be used here");
    EXPECT_HOLDS(
        compile_error("__device__ int f() { return 1; }\nint main() {\n    return f();\n}\n"),
        "program.cu:3: error: no matching function for call to 'f': it is a __device__");
}

// docs/cuda-programs.md lists them.
TEST(CudaPrograms, WhatIsNotSupportedIsRefusedByName) {
    const struct {
        const char *used, *says;
    } refused[] = {
        {"#include <cuda_gl_interop.h>", "cuda_gl_interop.h: OpenGL"},
        {"#include <EGL/egl.h>", "EGL/egl.h: EGL"},
        {"#include <mpi.h>", "mpi.h: MPI"},
        {"#include <nvtx3/nvToolsExt.h>", "nvtx3/nvToolsExt.h: NVTX"},
        {"cudaMemPool_t pool;", "cudaMemPool_t: pools of memory"},
        {"int f(void** p) { return cudaMallocFromPoolAsync(p, 4, 0, 0); }",
         "cudaMallocFromPoolAsync: pools of memory"},
        {"cudaStreamAttrValue value;", "cudaStreamAttrValue: attributes of streams"},
        {"int f() { return cudaStreamGetAttribute(0, 1, nullptr); }",
         "cudaStreamGetAttribute: attributes of streams"},
        {"int f() { return cudaCtxResetPersistingL2Cache(); }",
         "cudaCtxResetPersistingL2Cache: attributes of streams"},
        {"cudaLaunchConfig_t config;", "cudaLaunchConfig_t: launches with attributes"},
        {"int f(int* v) { return cudaDeviceGetP2PAttribute(v, {}, 0, 1); }",
         "cudaDeviceGetP2PAttribute: several GPUs"},
        {"__global__ void k(int** x) { x[0] = new int; } void f() { k<<<1, 1>>>(0); }",
         "new: an allocation inside a CUDA kernel"},
        {"__global__ void k(int** x) { delete x[0]; } void f() { k<<<1, 1>>>(0); }",
         "delete: memory cannot be freed inside a CUDA kernel"},
        {"__global__ void k(int** x) { free(x[0]); } void f() { k<<<1, 1>>>(0); }",
         "free: an allocation inside a CUDA kernel"},
    };
    for (const auto& [used, says] : refused)
        EXPECT_HOLDS(compile_error(used + std::string("\nint main() {}\n")), says);
}

TEST(CudaPrograms, FilesIncludeWhatIsBesideThem) {
    const fs::path folder = fs::path(testing::TempDir()) / "lanes_whole_program";
    fs::create_directories(folder / "more");
    std::ofstream(folder / "kernel.cuh") << "#pragma once\n"
                                            "#include \"size.h\"\n"
                                            "__global__ void fill(int* x) {\n"
                                            "    x[threadIdx.x] = size;\n"
                                            "}\n";
    std::ofstream(folder / "more" / "size.h") << "#pragma once\nconst int size = WIDTH;\n";
    std::ofstream(folder / "main.cu") << "#include \"kernel.cuh\"\n"
                                         "int last(const int* x);\n"
                                         "int main() {\n"
                                         "    int* x;\n"
                                         "    if (cudaMallocManaged(&x, 7 * 4)) return 1;\n"
                                         "    fill<<<1, size>>>(x);\n"
                                         "    return last(x);\n"
                                         "}\n";
    std::ofstream(folder / "last.cpp") << "int last(const int* x) { return x[6]; }\n";
    const auto run_files = [&](const std::string& width) {
        lanes::CudaProgramOptions options;
        options.flags = {"-I" + (folder / "more").string(), "-DWIDTH=" + width};
        return captured([&] {
            return lanes::run_cuda_files(
                {(folder / "main.cu").string(), (folder / "last.cpp").string()}, {}, options);
        });
    };
    EXPECT_EQ(run_files("7").status, 7);
    const Outcome outcome = run_files("8");
    EXPECT_HOLDS(outcome.errors, (folder / "kernel.cuh").string() + ":4: out of bounds");
    EXPECT_HOLDS(outcome.errors, "4 |     x[threadIdx.x] = size;");
    fs::remove_all(folder);
}

TEST(CudaPrograms, CudaKernelsOfOneNameDifferInTheirParameters) {
    const Outcome outcome = run(R"(#include <cstdio>
namespace fill {
__global__ void with(float* x, float value) { x[threadIdx.x] = value; }
__global__ void
with(int2* x, int value) { x[threadIdx.x] = make_int2(value, threadIdx.x); }
}
__global__ void with(int* x, int value) { x[threadIdx.x] = -value; }
__global__ void with(int* x) { x[threadIdx.x] += 100; }
int main() {
    float* x;
    int2* y;
    int* z;
    cudaMallocManaged(&x, 4 * sizeof(float));
    cudaMallocManaged(&y, 4 * sizeof(int2));
    cudaMallocManaged(&z, 4 * sizeof(int));
    fill::with<<<1, 4>>>(y, 5);
    with<<<1, 4>>>(z, 7);
    with<<<1, 4>>>(z);
    fill::with<<<1, 4>>>(x, 2.5f);
    cudaDeviceSynchronize();
    printf("%g %d %d %d\n", x[3], y[3].x, y[3].y, z[3]);
    return cudaFree(x) || cudaFree(y) || cudaFree(z);
})");
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.output, "2.5 5 3 93\n");
    EXPECT_EQ(outcome.errors, "");
}

// nvcc compiles each file by itself, so that two may have a variable or a static CUDA kernel of the
// same name.
TEST(CudaPrograms, FilesHaveStaticNamesOfTheirOwn) {
    const fs::path folder = fs::path(testing::TempDir()) / "lanes_static_names";
    fs::create_directories(folder);
    const auto file = [](const std::string& function, const std::string& sign) {
        return "static __constant__ int factor;\n"
               "__device__ int calls[2];\n"
               "static __global__ void scale(int* x) { x[threadIdx.x] = " +
               sign +
               " factor; atomicAdd(&calls[1], 1); }\n"
               "namespace { __global__ void more(int* x) { x[threadIdx.x] += " +
               sign +
               " 1; } }\n"
               "int " +
               function +
               "(int* x, int by) {\n"
               "    cudaMemcpyToSymbol(factor, &by, sizeof by);\n"
               "    scale<<<1, 4>>>(x);\n"
               "    more<<<1, 4>>>(x);\n"
               "    int all[2];\n"
               "    cudaMemcpyFromSymbol(all, calls, sizeof all);\n"
               "    return all[1];\n"
               "}\n";
    };
    std::ofstream(folder / "one.cu") << file("plus", "+");
    std::ofstream(folder / "two.cu") << file("minus", "-");
    std::ofstream(folder / "main.cu")
        << "#include <cstdio>\nint plus(int*, int);\nint minus(int*, int);\nint main() {\n"
           "    int *x, *y;\n"
           "    cudaMallocManaged(&x, 16);\n    cudaMallocManaged(&y, 16);\n"
           "    const int first = plus(x, 5), second = minus(y, 7), third = plus(x, 5);\n"
           "    printf(\"%d %d, %d %d %d\\n\", x[3], y[3], first, second, third);\n"
           "    cudaFree(x);\n    cudaFree(y);\n}\n";
    const Outcome outcome = captured([&] {
        return lanes::run_cuda_files({(folder / "main.cu").string(), (folder / "one.cu").string(),
                                      (folder / "two.cu").string()},
                                     {}, lanes::CudaProgramOptions());
    });
    EXPECT_EQ(outcome.output, "6 -8, 4 4 8\n") << outcome.errors;
    EXPECT_EQ(outcome.errors, "");
    fs::remove_all(folder);
}

TEST(CudaPrograms, NotesNameTheIncludedFileAndNoPartOfTheLibrary) {
    const fs::path folder = fs::path(testing::TempDir()) / "lanes_notes";
    fs::create_directories(folder);
    std::ofstream(folder / "kernel.cuh") << "#pragma once\n\n"
                                            "__global__ void last(int* x) {\n"
                                            "    atomicExch(x, (int)threadIdx.x);\n"
                                            "}\n"
                                            "__global__ void same(int* x) {\n"
                                            "    *x = 1;\n"
                                            "}\n";
    std::ofstream(folder / "main.cu") << "#include <cstdio>\n#include \"kernel.cuh\"\n"
                                         "int main() {\n"
                                         "    int* x;\n"
                                         "    cudaMallocManaged(&x, 4);\n"
                                         "    *x = 0;\n"
                                         "    last<<<1, 4>>>(x);\n"
                                         "    same<<<1, 4>>>(x);\n"
                                         "    cudaDeviceSynchronize();\n"
                                         "    printf(\"%d\\n\", *x);\n"
                                         "    return cudaFree(x);\n"
                                         "}\n";
    const Outcome outcome = captured([&] {
        return lanes::run_cuda_files({(folder / "main.cu").string()}, {},
                                     lanes::CudaProgramOptions());
    });
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_EQ(outcome.output, "1\n");
    EXPECT_HOLDS(outcome.errors, "the result of last depends on the order of its threads");
    EXPECT_HOLDS(outcome.errors, "does not matter, this is no mistake");
    EXPECT_EQ(outcome.errors.find("LaunchConfig"), std::string::npos) << outcome.errors;
    fs::remove_all(folder);
}

// Fast mode may run a block that waits to its end before the one that it waits for begins.
TEST(CudaPrograms, ACudaKernelWhoseBlocksWaitKeepsItsChecks) {
    const Outcome outcome = run(R"(#include <chrono>
#include <cstdio>
__global__ void in_turn(volatile int* turn, float* x, int rounds) {
    if (threadIdx.x == 0)
        while (*turn != gridDim.x - 1 - blockIdx.x) {}
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < rounds; ++i) sum += x[threadIdx.x];
    x[threadIdx.x] = sum / rounds;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) *turn = *turn + 1;
}
int main() {
    int* turn;
    float* x;
    cudaMallocManaged(&turn, 4);
    cudaMallocManaged(&x, 64 * 4);
    for (int i = 0; i < 64; ++i) x[i] = 1;
    // The checks of other CUDA kernels end after three seconds.
    const auto begin = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - begin < std::chrono::seconds(4)) {
        *turn = 0;
        in_turn<<<2, 64>>>(turn, x, 2000);
        if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    }
    printf("%g\n", x[3]);
    return cudaFree(turn) || cudaFree(x);
})");
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.output, "1\n");
    EXPECT_EQ(outcome.errors, "");
}

TEST(CudaPrograms, RowsThatAreTooLargeAreRefused) {
    const Outcome outcome = run(R"(#include <cstdio>
int main() {
    float* x = nullptr;
    size_t pitch = 5;
    printf("%s\n", cudaGetErrorName(cudaMallocPitch(&x, nullptr, 4, 4)));
    printf("%s\n", cudaGetErrorName(cudaMallocPitch(&x, &pitch, 1ul << 40, 1ul << 40)));
    printf("%s\n", cudaGetErrorName(cudaMallocPitch(&x, &pitch, ~0ul, 1)));
    printf("%zu\n", pitch);
    cudaMalloc(&x, 8);
    printf("%s\n", cudaGetErrorName(cudaMemset(x, 0, 9)));
    printf("%s\n", cudaGetErrorName(cudaMemset(x, 0, 1ul << 60)));
    return cudaFree(x);
})");
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_EQ(outcome.output,
              "cudaErrorMemoryAllocation\ncudaErrorMemoryAllocation\ncudaErrorMemoryAllocation\n5\n"
              "cudaErrorInvalidValue\ncudaErrorInvalidValue\n");
    EXPECT_HOLDS(outcome.errors, "program.cu:5: cudaMallocPitch: the second argument is a null");
    EXPECT_HOLDS(outcome.errors, "program.cu:6: cudaMallocPitch: 1099511627776 rows of");
    EXPECT_HOLDS(outcome.errors, "program.cu:7: cudaMallocPitch: a row of");
    EXPECT_HOLDS(outcome.errors, "allocated in program.cu:9), filling it needs 9. Sizes");
}

TEST(CudaPrograms, AKilledRunnerLeavesNoProgramBehind) {
    const std::string source =
        "#include <cstdio>\n#include <unistd.h>\nint main() { printf(\"%d\\n\", getpid()); "
        "pause(); }\n";
    int pipe_ends[2];
    ASSERT_EQ(pipe(pipe_ends), 0);
    const pid_t runner = fork();
    if (runner == 0) {
        setenv("LANES_DEVICE", "simulator", 1);
        dup2(pipe_ends[1], STDOUT_FILENO);
        lanes::run_cuda_program(source, "program.cu", {});
        _exit(0);
    }
    close(pipe_ends[1]);
    char text[32] = {};
    ASSERT_GT(read(pipe_ends[0], text, sizeof text - 1), 0);
    kill(runner, SIGKILL);
    waitpid(runner, nullptr, 0);
    EXPECT_EQ(read(pipe_ends[0], text, 1), 0);  // its end: nobody has the pipe open any more
    close(pipe_ends[0]);
}

}  // namespace
