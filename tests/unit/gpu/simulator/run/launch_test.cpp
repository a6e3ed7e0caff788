// Launches on the simulator that end abnormally, and what must still work afterwards.
#include "error_of.hpp"
#include "interrupt_button.hpp"
#include "lanes/gpu.hpp"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace lanes {
namespace {

Device fast() { return Device::simulator().fast(); }

Device impatient(bool checked, double seconds = 0.3) {
    Checks checks = checked ? Checks::one_schedule() : Checks::off();
    checks.stop_after_seconds = seconds;
    return Device::simulator().with(checks);
}

// Runs k(int* y) with one block of 64 threads and returns the findings of the error.
std::vector<Finding> findings_of(const Device& device, const std::string& text,
                                 LaunchConfig config = {1, 64}) {
    const Program program(device, text, {"cell.cu", {}});
    Buffer<int> y = Buffer<int>::zeros(device, 64);
    try {
        launch(program.kernel("k"), config, y);
    } catch (const CudaKernelFault& fault) {
        return fault.findings();
    }
    return {};
}

class Both : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Simulators, Both, testing::Bool(), [](const auto& info) {
    return std::string(info.param ? "Checked" : "Fast");
});

TEST_P(Both, AnEndlessLoopIsStopped) {
    const auto found = findings_of(impatient(GetParam()),
                                   "__global__ void k(int* y) {\n    volatile int go = 1;\n    "
                                   "while (go)\n        ;\n    y[0] = 1;\n}\n",
                                   {4, 64});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].kind, FindingKind::no_progress);
    EXPECT_EQ(found[0].first.line, 3) << found[0].message;
}

// In any part of the loop in which the thread was stopped.
TEST_P(Both, TheWordsAboutAnEndlessLoopAreTheSameOnEveryRun) {
    const char* text =
        "__global__ void k(int* y) {\n    int i = threadIdx.x;\n    while (i < 1000) {\n        "
        "y[i] = 1;\n        y[i + 1] = y[i] * 3 % 7;\n"
        "        y[i + 2] = y[i + 1] / 2;\n        if (y[i + 2] > 100)\n            y[i] = 0;\n    "
        "}\n}\n";
    std::set<std::string> words;
    for (int run = 0; run < 6; ++run) {
        const auto found = findings_of(impatient(GetParam(), 0.05), text, {1, 1});
        ASSERT_EQ(found.size(), 1U);
        EXPECT_EQ(found[0].first.line, 3);
        words.insert(found[0].message);
    }
    EXPECT_EQ(words.size(), 1U) << *words.begin() << *words.rbegin();
}

TEST_P(Both, AnEndlessLoopThroughMemoryIsStopped) {
    const auto found = findings_of(impatient(GetParam()),
                                   "__global__ void k(int* y) {\n    while (((volatile "
                                   "int*)y)[threadIdx.x] == 0)\n        ;\n}\n");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].kind, FindingKind::no_progress);
    EXPECT_EQ(found[0].first.line, 2) << found[0].message;
}

TEST_P(Both, WaitingForAFlagThatNobodySetsIsStopped) {
    const auto found = findings_of(
        impatient(GetParam()),
        "__global__ void k(int* y) {\n    while (atomicAdd(&y[0], 0) == 0)\n        ;\n}\n");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].kind, FindingKind::no_progress);
}

// Blocks that meet at a counter, as before CUDA had cooperative launches.
TEST(SimulatorLaunch, ABlockThatWaitsForALaterOneIsExplained) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
    GTEST_SKIP() << "a thread that is stopped here may hold a lock of the thread sanitizer, for "
                    "which the others then wait";
#endif
#endif
    const auto found =
        findings_of(impatient(false),
                    "__global__ void k(int* y) {\n    atomicAdd(&y[0], 1);\n    while "
                    "(atomicAdd(&y[0], 0) < 500)\n        ;\n}\n",
                    {500, 1});  // more than any machine has cores
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].first.line, 3) << found[0].message;
    EXPECT_NE(found[0].message.find("If it waits for another block"), std::string::npos)
        << found[0].message;
}

TEST_P(Both, BarriersForEverAreStopped) {
    const auto found =
        findings_of(impatient(GetParam(), 0.05),
                    "__global__ void k(int* y) {\n    for (;;) __syncthreads();\n}\n");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].kind, FindingKind::no_progress);
}

TEST_P(Both, AFailedAssertionTellsLineAndThread) {
    const auto found = findings_of(impatient(GetParam()),
                                   "__global__ void k(int* y) {\n    int i = threadIdx.x;\n    "
                                   "assert(i != 40);\n    y[i] = i;\n}\n");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].kind, FindingKind::assertion);
    EXPECT_EQ(found[0].first.thread, (Coordinates{40, 0, 0}));
    EXPECT_NE(found[0].message.find("i != 40"), std::string::npos) << found[0].message;
    EXPECT_NE(found[0].message.find("cell.cu:3"), std::string::npos) << found[0].message;
}

TEST_P(Both, ATrapTellsLineAndThread) {
    const auto found = findings_of(
        impatient(GetParam()),
        "__global__ void k(int* y) {\n    if (threadIdx.x == 3)\n        __trap();\n}\n");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].kind, FindingKind::trap);
    EXPECT_EQ(found[0].first.line, 3) << found[0].message;
    EXPECT_EQ(found[0].first.thread, (Coordinates{3, 0, 0}));
}

TEST_P(Both, AFunctionThatEndsWithoutItsValueIsStopped) {
    const auto found = findings_of(impatient(GetParam()),
                                   "__device__ int f(int v) { if (v > 40) return 1; }\n__global__ "
                                   "void k(int* y) {\n    y[threadIdx.x] = "
                                   "f(64 - threadIdx.x);\n}\n");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].kind, FindingKind::trap);
#if defined(__clang__)
    EXPECT_EQ(found[0].first.line, 1) << found[0].message;
#else  // The simulator uses g++, too. In fast mode g++ 13 reports the line that calls the function.
    EXPECT_TRUE(found[0].first.line == 1 || (!GetParam() && found[0].first.line == 3))
        << found[0].message;
#endif
    EXPECT_NE(found[0].message.find("the end of a function that must return a value was reached"),
              std::string::npos)
        << found[0].message;
    if (GetParam()) {
        EXPECT_EQ(found[0].first.thread, (Coordinates{24, 0, 0}));
    }
}

TEST_P(Both, StackOverflowIsNoCrash) {
    const auto found =
        findings_of(impatient(GetParam()),
                    "__device__ __noinline__ int deep(volatile int* y, int n) {\n    volatile int "
                    "room[256];\n    room[n % 256] = n;\n    "
                    "return deep(y, n + 1) + room[0] + "
                    "y[0];\n}\n__global__ void k(int* y) {\n    y[0] = deep(y, y[1]);\n}\n");
    ASSERT_FALSE(found.empty());
    EXPECT_TRUE(found[0].kind == FindingKind::trap ||
                found[0].kind == FindingKind::uninitialised_read)
        << found[0].message;
}

TEST(SimulatorLaunch, ACrashInTheCudaKernelIsNoCrash) {
    const auto found = findings_of(
        fast(), "__global__ void k(int* y) {\n    y[threadIdx.x] = 1;\n    y[1 << 26] = 2;\n}\n");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].kind, FindingKind::trap);
    // G++ moves stores of neighbouring lines.
    EXPECT_TRUE(found[0].first.line == 2 || found[0].first.line == 3) << found[0].message;
}

TEST(SimulatorLaunch, ANullPointerIsCalledSoWithoutChecksToo) {
    const auto found = findings_of(
        fast(), "__global__ void k(int* y) {\n    int* p = nullptr;\n    *p = y[0];\n}\n");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_NE(found[0].message.find("a null pointer was followed"), std::string::npos)
        << found[0].message;
}

// Architectures differ: 64 KiB of shared memory per block, or 227.
TEST(SimulatorLaunch, TheLimitsAreThoseOfTheGpuThatIsNamed) {
    const char* text =
        "__global__ void k(int* y) {\n    extern __shared__ int s[];\n    s[threadIdx.x] = "
        "__CUDA_ARCH__;\n    __syncthreads();\n    y[threadIdx.x] = "
        "s[threadIdx.x];\n}\n";
    const Device small = Device::simulator("sm_75"), large = Device::simulator();
    const Program on_small(small, text), on_large(large, text);
    const Buffer<int> y(large, 32);
    EXPECT_EQ(lanes_test::error_of([&] { launch(on_small.kernel("k"), {1, 32, 70000}, y); }),
              "launch k <<<1, 32, 70000>>>: 70000 bytes of dynamic shared memory per block, the "
              "device allows 65536. Use a smaller tile.");
    launch(on_small.kernel("k"), {1, 32, 65536}, y);
    EXPECT_EQ(y.download()[31], 750);
    launch(on_large.kernel("k"), {1, 32, 70000}, y);
    EXPECT_EQ(y.download()[31], 900);
}

TEST(SimulatorLaunch, ABufferWithoutElementsIsCalledSo) {
    const Device device = Device::simulator();
    const Program program(
        device,
        "__global__ void k(const int* x, int* y) {\n    y[threadIdx.x] = x[threadIdx.x];\n}\n",
        {"cell.cu", {}});
    const std::string said = lanes_test::error_of([&] {
        launch(program.kernel("k"), {1, 32}, Buffer<int>(device, 0), Buffer<int>(device, 32));
    });
    EXPECT_EQ(said.find("cell.cu:2: out of bounds: x[0], but x has 0 elements"), 0U) << said;
    EXPECT_NE(said.find("x was made without elements"), std::string::npos) << said;
}

TEST(SimulatorLaunch, DivisionByZeroIsNoCrash) {
#if defined(__x86_64__)  // on aarch64 the result is 0, without a signal
    const auto found = findings_of(
        fast(), "__global__ void k(int* y) {\n    y[threadIdx.x] = 7 / y[threadIdx.x];\n}\n",
        {1, 1});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_NE(found[0].message.find("divided by zero"), std::string::npos) << found[0].message;
#endif
}

TEST(SimulatorLaunch, GoesOnAfterAFault) {
    findings_of(fast(), "__global__ void k(int* y) { __syncthreads(); y[1 << 26] = 2; }\n");
    const Program program(fast(),
                          "__global__ void k(int* y) { __shared__ int s[64]; s[threadIdx.x] = "
                          "threadIdx.x; __syncthreads(); y[threadIdx.x] = s[63 - threadIdx.x]; }");
    Buffer<int> y(fast(), 64);
    launch(program.kernel("k"), {3, 64}, y);
    EXPECT_EQ(y.download()[0], 63);
}

TEST(SimulatorLaunch, SignalHandlersAreGivenBack) {
    struct sigaction before{}, after{};
    sigaction(SIGSEGV, nullptr, &before);
    findings_of(fast(), "__global__ void k(int* y) { y[threadIdx.x] = 1; }\n");
    sigaction(SIGSEGV, nullptr, &after);
    EXPECT_EQ(reinterpret_cast<void*>(before.sa_handler),
              reinterpret_cast<void*>(after.sa_handler));
}

TEST(SimulatorLaunch, ThreadsThatWaitForOthersThatNeverComeAreNoHang) {
    const auto found =
        findings_of(fast(),
                    "__global__ void k(int* y) {\n    if (threadIdx.x < 8) __syncwarp(0xffffffff); "
                    "else __syncthreads();\n    y[0] = 1;\n}\n");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].kind, FindingKind::barrier_divergence);
}

TEST(SimulatorLaunch, DynamicSharedMemoryHasTheSizeAskedFor) {
    const char* text = R"(
        extern __shared__ float first[];
        __global__ void k(float* y, int n) {
            extern __shared__ __align__(16) float values[];
            values[threadIdx.x] = threadIdx.x;
            __syncthreads();
            y[threadIdx.x] = values[n - 1 - threadIdx.x];
        }
        namespace inner { __global__ void l(int* y) { extern __shared__ int numbers[]; numbers[threadIdx.x] = 2; __syncthreads(); y[threadIdx.x] = numbers[0]; } })";
    for (const Device& device : {fast(), Device::simulator()}) {
        const Program program(device, text);
        Buffer<float> y(device, 128);
        launch(program.kernel("k"), {1, 128, 128 * sizeof(float)}, y, 128);
        EXPECT_EQ(y.download()[0], 127);
        Buffer<int> z(device, 32);
        launch(program.kernel("inner::l"), {1, 32, 128}, z);
        EXPECT_EQ(z.download()[31], 2);
    }
}

TEST(SimulatorLaunch, VariablesKeepTheirValuesBetweenLaunches) {
    const char* text = R"(
        __constant__ int factor = 3;
        __device__ int total;
        template <int n> __global__ void add(int* y) { atomicAdd(&total, n * factor); y[blockIdx.x * blockDim.x + threadIdx.x] = 0; }
        __global__ void read(int* y) { y[threadIdx.x] = total; })";
    for (const Device& device : {fast(), Device::simulator()}) {
        const Program program(device, text);
        Buffer<int> y(device, 32);
        launch(program.kernel("add<2>"), {4, 8}, y);
        program.variable("factor").upload(std::vector<int>{10});
        launch(program.kernel("add<1>"), {4, 8}, y);
        launch(program.kernel("read"), {1, 8}, y);
        EXPECT_EQ(y.download()[7], 32 * 6 + 32 * 10) << device.description();
    }
}

TEST(SimulatorLaunch, PrintsInTheOrderOfTheBlocks) {
    const Device device = Device::simulator();
    const Program program(
        device,
        "__global__ void k(int n) { printf(\"block %d of %s\\n\", blockIdx.x, \"three\"); }");
    testing::internal::CaptureStdout();
    launch(program.kernel("k"), {3, 1}, 0);
    EXPECT_EQ(testing::internal::GetCapturedStdout(),
              "block 0 of three\nblock 1 of three\nblock 2 of three\n");
}

TEST(SimulatorLaunch, EveryThreadOfEveryBlockRunsOnce) {
    const Program program(
        fast(),
        "__global__ void k(int* y) { atomicAdd(&y[((blockIdx.z * gridDim.y + blockIdx.y) * "
        "gridDim.x + blockIdx.x) * blockDim.x * blockDim.y * blockDim.z + "
        "(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x], 1); if (threadIdx.x "
        "== 1) __syncwarp(1 << (threadIdx.x + threadIdx.y * 5 + "
        "threadIdx.z * 15) % 32); }");
    Buffer<int> y = Buffer<int>::zeros(fast(), 7 * 3 * 2 * 5 * 3 * 4);
    launch(program.kernel("k"), {{7, 3, 2}, {5, 3, 4}}, y);
    for (const int count : y.download()) ASSERT_EQ(count, 1);
}

TEST(SimulatorLaunch, StructsAreArguments) {
    struct Pair {
        float a;
        double b;
    };
    const Program program(fast(),
                          "struct Pair { float a; double b; }; __global__ void k(Pair pair, "
                          "double* y) { y[threadIdx.x] = pair.a * pair.b; }");
    Buffer<double> y(fast(), 2);
    launch(program.kernel("k"), {1, 2}, Pair{2, 1.5}, y);
    EXPECT_EQ(y.download()[1], 3);
}

TEST(SimulatorLaunch, SeveralThreadsMayLaunch) {
    const Program program(
        fast(),
        "__global__ void k(int* y, int v) { __shared__ int s; if (threadIdx.x == 0) s = v; "
        "__syncthreads(); y[blockIdx.x * blockDim.x + threadIdx.x] = s; }");
    std::vector<std::thread> hosts;
    std::vector<int> wrong(4, 0);
    for (int host = 0; host < 4; ++host)
        hosts.emplace_back([&, host] {
            for (int round = 0; round < 20; ++round) {
                Buffer<int> y(fast(), 256);
                launch(program.kernel("k"), {8, 32}, y, host);
                for (const int value : y.download())
                    wrong[static_cast<std::size_t>(host)] += value != host;
            }
        });
    for (auto& host : hosts) host.join();
    EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

TEST(SimulatorLaunch, GoesOnInAForkedProcess) {
    const Program program(
        fast(), "__global__ void k(int* y) { y[blockIdx.x * blockDim.x + threadIdx.x] += 1; }");
    Buffer<int> y = Buffer<int>::zeros(fast(), 256);
    launch(program.kernel("k"), {8, 32}, y);
    const pid_t child = fork();
    if (child == 0) {
        launch(program.kernel("k"), {8, 32}, y);  // what was there before is still there
        int sum = 0;
        for (const int value : y.download()) sum += value;
        const bool found =
            !findings_of(fast(), "__global__ void k(int* y) { y[1 << 26] = 1; }\n").empty();
        _exit(sum == 512 && found ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    launch(program.kernel("k"), {8, 32}, y);
    EXPECT_EQ(y.download()[255], 2);
}

struct Interrupting {
    Interrupting() { lanes_test::interrupt_pressed = 1; }
    ~Interrupting() { lanes_test::interrupt_pressed = 0; }
};

TEST_P(Both, TheJupyterKernelMayInterrupt) {
    const Program program(impatient(GetParam(), 60),
                          "__global__ void k(volatile int* y) { while (y[0] == 0); }");
    Buffer<int> y = Buffer<int>::zeros(program.device(), 1);
    const Interrupting interrupting;
    const auto begin = std::chrono::steady_clock::now();
    try {
        launch(program.kernel("k"), {4, 64}, y);
        FAIL() << "went through";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("interrupted"), std::string::npos) << error.what();
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(SimulatorLaunch, ManyProgramsFit) {
    for (int i = 0; i < 40; ++i) {
        const Program program(fast(), "__global__ void k(int* y) { y[threadIdx.x] = VALUE; }",
                              {"cell.cu", {"-DVALUE=" + std::to_string(i % 4)}});
        Buffer<int> y(fast(), 64);
        launch(program.kernel("k"), {2, 32}, y);
        ASSERT_EQ(y.download()[0], i % 4);
    }
}

}  // namespace
}  // namespace lanes
