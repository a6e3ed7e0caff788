#include "lanes/gpu/trace.hpp"

#include "devices.hpp"

#include <string>
#include <thread>
#include <vector>

namespace lanes {
namespace {

constexpr const char* text = R"(
    extern "C" __global__ void twice(float* x, int n) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) x[i] *= 2;
    }
    extern "C" __global__ void beyond(float* x, int n) { x[n + threadIdx.x] = 1; }
)";

TEST(LaunchTrace, NotesNameShapeDeviceAndReport) {
    const Device device = Device::simulator("sm_80");
    const Program program(device, text);
    const auto x = Buffer<float>::zeros(device, 100);
    launch(program.kernel("twice"), {1, 100}, x, 100);
    const LaunchTrace trace;
    launch(program.kernel("twice"), {Dim3(2), Dim3(64), 16}, x, 100);
    launch(program.kernel("twice"), {Dim3(1, 2), 32}, x, 0);
    const auto launches = trace.launches();
    ASSERT_EQ(launches.size(), 2U);
    EXPECT_EQ(launches[0].name, "twice");
    EXPECT_EQ(launches[0].config.grid.x, 2U);
    EXPECT_EQ(launches[0].config.block.x, 64U);
    EXPECT_EQ(launches[0].config.shared_bytes, 16U);
    EXPECT_EQ(launches[1].config.grid.y, 2U);
    EXPECT_TRUE(launches[0].device.is_simulator());
    EXPECT_EQ(launches[0].device.architecture(), "sm_80");
    EXPECT_TRUE(launches[0].finished);
    EXPECT_EQ(launches[0].report.counters.global_loads, 100U);
}

TEST(LaunchTrace, ARefusedLaunchIsNoneAFaultyOneIs) {
    const Device device = Device::simulator();
    const Program program(device, text);
    const auto x = Buffer<float>::zeros(device, 10);
    const LaunchTrace trace;
    EXPECT_THROW(launch(program.kernel("twice"), {1, 2048}, x, 10), Error);
    EXPECT_THROW(launch(program.kernel("twice"), {1, 32}, x), Error);
    EXPECT_TRUE(trace.launches().empty());
    EXPECT_THROW(launch(program.kernel("beyond"), {1, 32}, x, 10), CudaKernelFault);
    ASSERT_EQ(trace.launches().size(), 1U);
    EXPECT_EQ(trace.launches()[0].name, "beyond");
    EXPECT_FALSE(trace.launches()[0].finished);
}

TEST(LaunchTrace, SaysWhichLaunchesTheHostDoesNotWaitFor) {
    const Device device = Device::simulator();
    const Program program(device, text);
    const auto x = Buffer<float>(device, std::vector<float>(10, 1));
    const LaunchTrace trace;
    launch(program.kernel("twice"), {1, 32}, x, 10);
    launch_async(program.kernel("twice"), {1, 32}, x, 10);
    ASSERT_EQ(trace.launches().size(), 2U);
    EXPECT_TRUE(trace.launches()[0].waits);
    EXPECT_FALSE(trace.launches()[1].waits);
    EXPECT_EQ(trace.launches()[1].report.counters.global_loads, 10U);
    EXPECT_EQ(x.download()[9], 4);
}

TEST(LaunchTrace, SaysWhichCopiesAreFromPinnedMemory) {
    const Device device = Device::simulator();
    PinnedBuffer<float> pinned(device, 10);
    const LaunchTrace trace;
    Buffer<float> x(device, pinned);
    x.upload(std::vector<float>(10, 2));
    x.download(pinned);
    ASSERT_EQ(trace.copies().size(), 3U);
    EXPECT_TRUE(trace.copies()[0].pinned);
    EXPECT_FALSE(trace.copies()[1].pinned);
    EXPECT_TRUE(trace.copies()[2].pinned);
    {
        const PinnedBuffer<float> freed(device, 10);
    }
    std::vector<float> after(10, 1);
    x.upload(after);
    EXPECT_FALSE(trace.copies()[3].pinned);
}

TEST(LaunchTrace, NotesCopiesWithBytesAndDirection) {
    const Device device = Device::simulator();
    Buffer<float> x(device, std::vector<float>(10, 1));
    const LaunchTrace trace;
    x.upload(std::vector<float>(10, 2));
    x.download();
    const auto copies = trace.copies();
    ASSERT_EQ(copies.size(), 2U);
    EXPECT_EQ(copies[0].bytes, 40U);
    EXPECT_TRUE(copies[0].to_device);
    EXPECT_FALSE(copies[1].to_device);
    EXPECT_EQ(copies[1].device, device);
    EXPECT_TRUE(trace.launches().empty());
}

TEST(LaunchTrace, NestedOnesSeeTheSameAndOtherThreadsToo) {
    const Device device = Device::simulator();
    const Program program(device, text);
    const auto x = Buffer<float>::zeros(device, 10);
    LaunchTrace outer;
    launch(program.kernel("twice"), {1, 32}, x, 10);
    {
        const LaunchTrace inner;
        std::thread([&] { launch(program.kernel("twice"), {1, 64}, x, 10); }).join();
        ASSERT_EQ(inner.launches().size(), 1U);
        EXPECT_EQ(inner.launches()[0].config.block.x, 64U);
        EXPECT_EQ(outer.launches().size(), 2U);
        outer.clear();
        EXPECT_EQ(inner.launches().size(), 1U);
    }
    EXPECT_TRUE(outer.launches().empty());
    launch(program.kernel("twice"), {1, 96}, x, 10);
    ASSERT_EQ(outer.launches().size(), 1U);
    EXPECT_EQ(outer.launches()[0].config.block.x, 96U);
    EXPECT_TRUE(outer.launches()[0].finished);
}

// A student's function, which uses Device::best().
std::vector<float> doubled(const std::vector<float>& values) {
    const Device device = Device::best();
    const Program program(device, text);
    const Buffer<float> x(device, values);
    launch(program.kernel("twice"), {1, 32}, x, int(values.size()));
    return x.download();
}

TEST(LaunchTrace, SeesWhatAFunctionLaunchesOnTheDeviceOfAScope) {
    const DeviceScope scope(Device::simulator());
    const LaunchTrace trace;
    EXPECT_EQ(doubled({1, 5, 2}), (std::vector<float>{2, 10, 4}));
    ASSERT_EQ(trace.launches().size(), 1U);
    EXPECT_TRUE(trace.launches()[0].device.is_simulator());
}

}  // namespace
}  // namespace lanes
