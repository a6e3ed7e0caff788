// Tests that need a GPU: its errors, its times, a forked process, and results that agree with the
// simulator's.
#include "gpu/cuda/compiler.hpp"
#include "gpu/cuda/driver.hpp"
#include "gpu/devices.hpp"
#include "gpu/folder.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <numeric>
#include <vector>

namespace lanes {
namespace {

const char* const text = R"(
extern "C" __global__ void twice(float* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2; }
extern "C" __global__ void outside(int* x) { x[(1LL << 40) + threadIdx.x] = 1; }
extern "C" __global__ void says(int n) { printf("thread %d of %d\n", (int)threadIdx.x, n); }
extern "C" __global__ void asserts(int n) { assert(n == 1); }
extern "C" __global__ void waits(long long clocks) { long long begin = clock64(); while (clock64() - begin < clocks) {} }
extern "C" __global__ void sum(const float* x, float* total, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) atomicAdd(total, x[i]); }
)";

TEST(DriverWords, EveryStickyErrorHasItsSentence) {
    for (int result = 1; result < 1000; ++result)
        if (gpu::cuda::is_sticky(result) && result != 214 && result != 709) {
            EXPECT_FALSE(gpu::cuda::advice_for(result).empty()) << result;
        }
    EXPECT_FALSE(gpu::cuda::is_sticky(2));
    EXPECT_NE(gpu::cuda::advice_for(222).find("update the NVIDIA driver"), std::string::npos);
}

class Cuda : public OnGpu {
protected:
    static bool doubles(const Device& device) {
        const Program program(device, text);
        const Buffer<float> x(device, std::vector<float>(1000, 3));
        launch(program.kernel("twice"), {4, 256}, x, 1000);
        return x.download() == std::vector<float>(1000, 6);
    }
    // Runs in a child process; the exit status says what was wrong.
    static int in_child(const std::function<int()>& body) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(60);
            int status = 99;
            try {
                status = body();
            } catch (const std::exception& error) {
                std::fprintf(stderr, "child: %s\n", error.what());
            }
            std::fflush(nullptr);
            _exit(status);
        }
        int status = 0;
        waitpid(child, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
    }
};

// The second instance has a variable of 256 GiB, more than a GPU has.
TEST_F(Cuda, AnInstanceThatCannotBeLoadedLeavesTheProgramAsItWas) {
    const Device device = Device::gpu();
    const Program program(device, R"(
        __device__ int kept = 1;
        template <unsigned long long N> __device__ char space[N];
        template <unsigned long long N> __global__ void get(int* x) {
            space<N>[N - 1] = 5;
            x[0] = space<N>[N - 1] + kept;
        })");
    const Buffer<int> x(device, std::vector<int>{0});
    const auto get = program.kernel("get<16>");
    program.variable("kept").upload(std::vector<int>{7});
    EXPECT_NE(error_of([&] { program.kernel("get<274877906944>"); }), "");
    launch(get, {1, 1}, x);
    EXPECT_EQ(x.download()[0], 12);
    launch(program.kernel("get<32>"), {1, 1}, x);
    EXPECT_EQ(x.download()[0], 12);
}

TEST_F(Cuda, ComputesOnAnyDevice) { EXPECT_TRUE(doubles(Device::gpu())); }

TEST_F(Cuda, CompilesFastAndFasterFromTheCache) {
    const auto seconds = [](const std::function<void()>& call) {
        const auto begin = std::chrono::steady_clock::now();
        call();
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    Program(Device::gpu(), text);  // loads the compiler
    const std::string own =
        std::string(text) + "// " +
        std::to_string(std::chrono::steady_clock::now().time_since_epoch().count());
    const double first = seconds([&] { Program(Device::gpu(), own); });
    const double second = seconds([&] { Program(Device::gpu(), own); });
    std::printf("compiled in %.1f ms, from the cache in %.2f ms\n", first * 1e3, second * 1e3);
    EXPECT_LT(first, 0.5);
    EXPECT_LT(second, 0.005);
}

TEST_F(Cuda, TimeIsTheGpusOwn) {
    const Program program(Device::gpu(), text);
    const CudaKernel waits = program.kernel("waits");
    launch(waits, {1, 1}, 1000);
    const double brief = launch(waits, {1, 1}, 1000000).kernel_seconds,
                 longer = launch(waits, {1, 1}, 20000000).kernel_seconds;
    std::printf("1,000,000 clocks take %.3f ms, 20,000,000 take %.3f ms\n", brief * 1e3,
                longer * 1e3);
    EXPECT_GT(brief, 1e-4);
    EXPECT_LT(brief, 1e-2);
    EXPECT_NEAR(longer / brief, 20, 4);
}

TEST_F(Cuda, PrintfArrivesWithItsLaunch) {
    const Program program(Device::gpu(), text);
    testing::internal::CaptureStdout();
    launch(program.kernel("says"), {1, 2}, 2);
    const std::string said = testing::internal::GetCapturedStdout();
    EXPECT_NE(said.find("thread 0 of 2\n"), std::string::npos) << said;
    EXPECT_NE(said.find("thread 1 of 2\n"), std::string::npos) << said;
}

TEST_F(Cuda, OutOfMemorySaysHowMuch) {
    const std::string error = error_of([] { Buffer<float>(Device::gpu(), std::size_t(1) << 40); });
    EXPECT_EQ(error.find("Buffer: 4.0 TiB asked for, "), 0U) << error;
    EXPECT_NE(error.find("are free on"), std::string::npos) << error;
    EXPECT_TRUE(doubles(Device::gpu()));
}

// In separate processes: after such an error no CUDA call works any more.
TEST_F(Cuda, AfterAnIllegalAddressOnlyAnotherProcessGoesOn) {
    const int status = in_child([] {
        const Device device = Device::gpu();
        const Program program(device, text);
        const Buffer<int> x(device, 32);
        const Buffer<float> other(device, std::vector<float>(10, 1));
        const std::string error = error_of([&] { launch(program.kernel("outside"), {1, 32}, x); });
        std::printf("%s\n", error.c_str());
        if (error.find("launch outside <<<1, 32>>>: an illegal memory access") != 0) return 1;
        if (error.find("restart the Jupyter kernel or the program") == std::string::npos) return 2;
        const std::string later = error_of([&] { other.download(); });
        std::printf("%s\n", later.c_str());
        if (later.find("cannot be used by this process any more, because launch outside <<<1, "
                       "32>>> failed. Restart") == std::string::npos)
            return 3;
        if (error_of([&] { Device::gpu(); }) != later) return 4;
        // The frozen copy that takes over.
        return in_child([&] { return doubles(device) ? 0 : 5; });
    });
    EXPECT_EQ(status, 0);
    EXPECT_TRUE(doubles(Device::gpu()));
}

TEST_F(Cuda, AFailedAssertIsSaid) {
    const int status = in_child([] {
        const Program program(Device::gpu(), text);
        const std::string error = error_of([&] { launch(program.kernel("asserts"), {1, 1}, 2); });
        std::printf("%s\n", error.c_str());
        return error.find("An assert of the CUDA kernel failed") == std::string::npos ? 1 : 0;
    });
    EXPECT_EQ(status, 0);
}

TEST_F(Cuda, AForkedProcessGoesOnWithItsOwnDriver) {
    const Device device = Device::gpu();
    const Program program(device, text);
    const CudaKernel twice = program.kernel("twice");
    Buffer<float> before(device, std::vector<float>(4, 1));
    const int status = in_child([&] {
        const std::string error = error_of([&] { before.download(); });
        if (error.find("were lost with the process that made it") == std::string::npos) return 1;
        if (error_of([&] { launch(twice, {1, 4}, before, 4); }).find("were lost") ==
            std::string::npos)
            return 2;
        const Buffer<float> x(device, std::vector<float>(4, 5));
        launch(twice, {1, 4}, x, 4);  // a program from before
        if (x.download() != std::vector<float>(4, 10)) return 3;
        if (!doubles(Device::gpu())) return 4;
        return in_child([&] { return doubles(device) ? 0 : 5; });  // and again
    });
    EXPECT_EQ(status, 0);
    launch(twice, {1, 4}, before, 4);  // the parent is unharmed
    EXPECT_EQ(before.download(), std::vector<float>(4, 2));
}

TEST_F(Cuda, PrintfOfAForkedProcessArrivesToo) {
    const Program program(Device::gpu(), text);
    launch(program.kernel("says"), {1, 1}, 1);
    const TestFolder folder;
    const std::string place = (folder / "printed").string();
    EXPECT_EQ(in_child([&] {
                  const int file = open(place.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
                  dup2(file, 1);
                  launch(program.kernel("says"), {1, 1}, 77);
                  return 0;
              }),
              0);
    std::ifstream in(place);
    const std::string said{std::istreambuf_iterator<char>(in), {}};
    EXPECT_EQ(said, "thread 0 of 77\n");
}

TEST_F(Cuda, ManyTakeoversInARow) {
    const Device device = Device::gpu();
    ASSERT_TRUE(doubles(device));
    std::function<int(int)> next = [&](int left) -> int {
        if (!doubles(device)) return 1;
        return left == 0 ? 0 : in_child([&] { return next(left - 1); });
    };
    EXPECT_EQ(in_child([&] { return next(18); }), 0);
}

}  // namespace
}  // namespace lanes
