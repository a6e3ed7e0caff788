#include "lanes/gpu/launch.hpp"

#include "devices.hpp"
#include "lanes/array/types.hpp"

#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace lanes {
namespace {

const char* const text = R"(
extern "C" __global__ void scale(const float* x, float* y, float factor, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = factor * x[i];
}
extern "C" __global__ void numbers(double* out, double d, unsigned u, size_t s, unsigned char c, long long l, bool b, short h) {
    if (threadIdx.x == 0) { out[0] = d; out[1] = u; out[2] = (double)s; out[3] = c; out[4] = (double)l; out[5] = b; out[6] = h; }
}
extern "C" __global__ void optional(const float* x, float* y) { y[threadIdx.x] = x ? x[threadIdx.x] : -1.f; }
extern "C" __global__ void vectors(const float4* x, float4* y, int n) { int i = threadIdx.x; if (i < n) { float4 v = x[i]; v.w += 1; y[i] = v; } }
struct Pair { int first; float second; };
extern "C" __global__ void structs(Pair* out, Pair value) { out[threadIdx.x] = value; }
extern "C" __global__ void __launch_bounds__(128) bounded(int* x) { x[threadIdx.x] = 1; }
extern "C" __global__ void reversed(int* x, int n) {
    extern __shared__ int tile[];
    tile[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = tile[n - 1 - threadIdx.x];
}
)";

TEST(BufferPlusOffset, BoundsAreThoseOfTheBuffer) {
    const Device device = Device::simulator();
    const Program program(device, text);
    const Buffer<float> x(device, std::vector<float>{1, 2, 3, 4, 5, 6});
    const auto y = Buffer<float>::zeros(device, 6);
    launch(program.kernel("scale"), {1, 32}, x + 2, y + 4, 10.f, 2);
    EXPECT_EQ(y.download(), (std::vector<float>{0, 0, 0, 0, 30, 40}));
    EXPECT_NE(error_of([&] {
                  launch(program.kernel("scale"), {1, 32}, x + 2, y + 4, 10.f, 3);
              }).find("y[6]"),
              std::string::npos);
    EXPECT_NE(error_of([&] { x + 7; }).find("from 0 to"), std::string::npos);
    EXPECT_NE(error_of([&] { x + -1; }).find("6 elements"), std::string::npos);
}

class Launch : public OnDevice {
protected:
    void SetUp() override {
        OnDevice::SetUp();
        if (!IsSkipped()) program_ = std::make_unique<Program>(device(), text);
    }
    CudaKernel kernel(const std::string& name) const { return program_->kernel(name); }
    template <class... Arguments>
    std::string error(const std::string& name, const LaunchConfig& config,
                      const Arguments&... arguments) const {
        return error_of([&] { launch(kernel(name), config, arguments...); });
    }
    std::unique_ptr<Program> program_;
};
INSTANTIATE_ON_DEVICES(Launch);

TEST_P(Launch, WithoutWaitingComesAfterWhatWasLaunchedBefore) {
    const Buffer<float> x(device(), std::vector<float>{1, 2, 3});
    for (int time = 0; time < 3; ++time) launch_async(kernel("scale"), {1, 32}, x, x, 2.f, 3);
    EXPECT_EQ(x.download(), (std::vector<float>{8, 16, 24}));
    launch_async(kernel("optional"), {1, 3}, nullptr, x);
    EXPECT_EQ(x.download(), (std::vector<float>{-1, -1, -1}));
    EXPECT_NE(error_of([&] { launch_async(kernel("scale"), {1, 32}, x, x, 2.f); }), "");
}

TEST_P(Launch, RunsAndReports) {
    std::vector<float> values(1000);
    std::iota(values.begin(), values.end(), 0.f);
    Buffer<float> x(device(), values), y(device(), values.size());
    const LaunchReport report = launch(kernel("scale"), {4, 256}, x, y, 3.f, 1000);
    const std::vector<float> result = y.download();
    for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(result[i], 3 * values[i]) << i;
    EXPECT_EQ(report.cuda_kernel, "scale");
    EXPECT_EQ(report.simulated, GetParam() == "simulator");
    EXPECT_EQ(report.device, device().name());
    EXPECT_EQ(report.config.grid.x, 4U);
    EXPECT_GT(report.kernel_seconds, 0);
    EXPECT_EQ(report.counted, report.simulated);
    if (report.counted) {
        EXPECT_GT(report.counters.global_load_requests, 0U);
    }
}

TEST_P(Launch, ScalarsAreConvertedWhereTheValueFits) {
    Buffer<double> out = Buffer<double>::zeros(device(), 7);
    launch(kernel("numbers"), {1, 32}, out, 1.5f, 7, 8, 255, std::int8_t(-9), true, -32768L);
    EXPECT_EQ(out.download(), (std::vector<double>{1.5, 7, 8, 255, -9, 1, -32768}));
    launch(kernel("numbers"), {1, 32}, out, 2.5, 4294967295U, std::uint64_t(1) << 40, '\x01',
           std::uint32_t(3), 0, std::size_t(5));
    EXPECT_EQ(out.download(), (std::vector<double>{2.5, 4294967295., 1099511627776., 1, 3, 0, 5}));
}

TEST_P(Launch, ScalarsThatDoNotFitAreRefusedWithTheirValue) {
    const Buffer<double> out(device(), 7);
    EXPECT_EQ(error("numbers", {1, 32}, out, 1., -1, 8, 9, 10, true, 11),
              "launch numbers <<<1, 32>>>: parameter 3, unsigned u, cannot hold -1 (int): it goes "
              "from 0 to 4294967295. Pass a value in that range, or give "
              "the CUDA kernel a wider parameter.");
    EXPECT_NE(error("numbers", {1, 32}, out, 1., 7, 8, 256, 10, true, 11)
                  .find("cannot hold 256 (int): it goes from 0 to 255"),
              std::string::npos);
    EXPECT_NE(error("numbers", {1, 32}, out, 1., 7, 8, 9, std::numeric_limits<std::uint64_t>::max(),
                    true, 11)
                  .find("cannot hold 18446744073709551615 (unsigned long)"),
              std::string::npos);
    EXPECT_NE(error("numbers", {1, 32}, out, 1., 7, 8, 9, 10, 2, 11)
                  .find("cannot hold 2 (int): it goes from 0 to 1"),
              std::string::npos);
    EXPECT_NE(error("numbers", {1, 32}, out, 1., 7, 8, 9, 10, true, -32769)
                  .find("cannot hold -32769 (int): it goes from -32768 to 32767"),
              std::string::npos);
    EXPECT_NE(error("numbers", {1, 32}, out, 1., 7.f, 8, 9, 10, true, 11)
                  .find("unsigned u, was given a value of type float (7)"),
              std::string::npos);
}

TEST_P(Launch, TypesAndNumberOfArguments) {
    const Buffer<float> x(device(), 4), y(device(), 4);
    const Buffer<int> integers(device(), 4);
    EXPECT_EQ(error("scale", {1, 4}, x, y, 3.f),
              "launch scale <<<1, 4>>>: 3 arguments, the CUDA kernel has 4 parameters: (const "
              "float* x, float* y, float factor, int n). Give one argument for "
              "each parameter.");
    EXPECT_EQ(error("scale", {1, 4}, integers, y, 3.f, 4),
              "launch scale <<<1, 4>>>: parameter 1, const float* x, was given a Buffer<int>. Pass "
              "a Buffer<float>.");
    EXPECT_EQ(error("scale", {1, 4}, x, y, 3.0, 4),
              "launch scale <<<1, 4>>>: parameter 3, float factor, was given a value of type "
              "double (3). Pass a float: float(...), or a literal such as 2.0f.");
    EXPECT_NE(
        error("scale", {1, 4}, x, y, 3, 4).find("float factor, was given a value of type int (3)"),
        std::string::npos);
    EXPECT_NE(error("scale", {1, 4}, 5, y, 3.f, 4)
                  .find("const float* x, was given a value of type int (5). Pass a Buffer<float>"),
              std::string::npos);
    EXPECT_NE(error("scale", {1, 4}, x, y, 3.f, x).find("int n, was given a Buffer<float>"),
              std::string::npos);
    EXPECT_NE(error("bounded", {1, 4}, Buffer<unsigned>(device(), 4))
                  .find("was given a Buffer<unsigned int>. Pass a Buffer<int>."),
              std::string::npos);
}

TEST_P(Launch, PointersOfTheHostAreRefusedNullIsNot) {
    std::vector<float> host(4);
    const Buffer<float> x(device(), host), y(device(), 4);
    EXPECT_NE(error("scale", {1, 4}, host.data(), y, 3.f, 4)
                  .find("const float* x, was given a pointer into the host's memory"),
              std::string::npos);
    launch(kernel("optional"), {1, 4}, nullptr, y);
    EXPECT_EQ(y.download(), std::vector<float>(4, -1));
    launch(kernel("optional"), {1, 4}, x, y);
    EXPECT_EQ(y.download(), std::vector<float>(4, 0));
    EXPECT_NE(error("scale", {1, 4}, x, y, 3.f, nullptr).find("int n, was given nullptr"),
              std::string::npos);
}

TEST_P(Launch, ArraysOfTheHostAreRefused) {
    const Buffer<float> y(device(), 4);
    const std::string words =
        "was given an array in the host's memory, which the device cannot see. Copy it into a "
        "buffer first, Buffer<float> name(device, values)";
    EXPECT_NE(
        error("scale", {1, 4}, std::vector<float>(4), y, 3.f, 4).find("const float* x, " + words),
        std::string::npos);
    EXPECT_NE(error("scale", {1, 4}, xt::xtensor<float, 2>({2, 2}), y, 3.f, 4)
                  .find("const float* x, " + words),
              std::string::npos);
    EXPECT_NE(error("scale", {1, 4}, y, y, 3.f, std::vector<int>(4))
                  .find("int n, was given an array in the host's memory"),
              std::string::npos);
}

TEST_P(Launch, VectorsAndStructs) {
    const Buffer<float> x(device(), std::vector<float>(8, 1)), y(device(), 8);
    launch(kernel("vectors"), {1, 2}, x, y, 2);
    EXPECT_EQ(y.download(), (std::vector<float>{1, 1, 1, 2, 1, 1, 1, 2}));
    EXPECT_NE(error("vectors", {1, 2}, Buffer<double>(device(), 4), y, 2)
                  .find("was given a Buffer<double>. Pass a Buffer<float>"),
              std::string::npos);
    struct Pair {
        int first;
        float second;
    };
    const Buffer<Pair> pairs(device(), 3);
    launch(kernel("structs"), {1, 3}, pairs, Pair{4, 5.f});
    EXPECT_EQ(pairs.download()[2].second, 5.f);
    EXPECT_NE(error("structs", {1, 3}, pairs, 4.0f).find("has 8 bytes, the argument has 4"),
              std::string::npos);
}

TEST_P(Launch, ShapesThatTheDeviceDoesNotAllow) {
    const Buffer<float> x(device(), 4), y(device(), 4);
    EXPECT_EQ(error("scale", {1000, 2048}, x, y, 3.f, 4),
              "launch scale <<<1000, 2048>>>: 2048 threads per block, the device allows 1024. Use "
              "a smaller block.");
    EXPECT_EQ(error("scale", {1, {64, 32}}, x, y, 3.f, 4),
              "launch scale <<<1, (64, 32)>>>: 2048 threads per block, the device allows 1024. Use "
              "a smaller block.");
    EXPECT_EQ(error("scale", {1, {1, 1, 65}}, x, y, 3.f, 4),
              "launch scale <<<1, (1, 1, 65)>>>: 65 threads per block along z, the device allows "
              "64. Use a smaller block.");
    EXPECT_NE(error("scale", {0, 32}, x, y, 3.f, 4).find("the grid has 0 blocks along x"),
              std::string::npos);
    EXPECT_NE(error("scale", {1, {32, 0}}, x, y, 3.f, 4).find("the block has 0 threads along y"),
              std::string::npos);
    EXPECT_NE(error("scale", {{1, 65536}, 32}, x, y, 3.f, 4)
                  .find("65536 blocks along y, the device allows 65535"),
              std::string::npos);
    const std::size_t most = device().limits().shared_bytes_per_block_optin;
    EXPECT_NE(error("scale", {1, 32, most + 1}, x, y, 3.f, 4)
                  .find(std::to_string(most + 1) +
                        " bytes of dynamic shared memory per block, the device allows " +
                        std::to_string(most)),
              std::string::npos);
    EXPECT_NE(error("bounded", {1, 129}, Buffer<int>(device(), 200))
                  .find("129 threads per block, this CUDA kernel allows 128"),
              std::string::npos);
}

TEST_P(Launch, DynamicSharedMemoryBeyond48KiB) {
    const Buffer<int> x(device(), std::vector<int>{1, 2, 3, 4});
    launch(kernel("reversed"), {1, 4, 100 * 1024}, x, 4);
    EXPECT_EQ(x.download(), (std::vector<int>{4, 3, 2, 1}));
}

using LaunchOnGpu = OnGpu;

TEST_F(LaunchOnGpu, ABufferOfAnotherDeviceIsRefused) {
    const Program program(Device::gpu(), text);
    const Buffer<float> here(Device::gpu(), 4), there(Device::simulator(), 4);
    EXPECT_NE(error_of([&] {
                  launch(program.kernel("scale"), {1, 4}, there, here, 3.f, 4);
              }).find("was given a buffer on simulator"),
              std::string::npos);
}

}  // namespace
}  // namespace lanes
