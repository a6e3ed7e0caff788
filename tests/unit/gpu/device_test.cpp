#include "lanes/gpu/device.hpp"

#include "devices.hpp"

#include <cstdlib>
#include <memory>
#include <string>
#include <thread>

namespace lanes {
namespace {

class DeviceChoice : public testing::Test {
protected:
    void SetUp() override {
        if (const char* set = std::getenv("LANES_DEVICE")) before_ = set;
    }
    void TearDown() override {
        before_.empty() ? unsetenv("LANES_DEVICE") : setenv("LANES_DEVICE", before_.c_str(), 1);
    }
    static Device chosen(const char* value) {
        setenv("LANES_DEVICE", value, 1);
        return Device::best();
    }
    std::string before_;
};

TEST_F(DeviceChoice, TheEnvironmentDecides) {
    EXPECT_TRUE(chosen("simulator").is_simulator());
    EXPECT_EQ(chosen("simulator:sm_75").architecture(), "sm_75");
    EXPECT_EQ(chosen("best").is_simulator(), !Device::has_gpu());
    unsetenv("LANES_DEVICE");
    EXPECT_EQ(Device::best().is_simulator(), !Device::has_gpu());
}

TEST_F(DeviceChoice, NonsenseIsRefused) {
    for (const char* value : {"gpu:", "gpu:x", "gpu:1x", "cuda:-1", "cuda1", "GPU", "simulator ",
                              "cuda:99999999999999"}) {
        const std::string error = error_of([&] { chosen(value); });
        EXPECT_NE(error.find("LANES_DEVICE is '" + std::string(value) + "'"), std::string::npos)
            << error;
        EXPECT_NE(error.find("cuda:0"), std::string::npos) << error;
    }
}

TEST_F(DeviceChoice, AGpuThatIsNotThereSaysWhatIsMissing) {
    const std::string error = error_of([] { chosen("gpu:99"); });
    EXPECT_EQ(error.find("Device::gpu"), 0U) << error;
    EXPECT_NE(error.find(Device::has_gpu() ? "counted from 0" : "Device::simulator()"),
              std::string::npos)
        << error;
    EXPECT_EQ(Device::has_gpu(), Device::why_no_gpu().empty());
    EXPECT_NE(error_of([] { Device::gpu(-1); }), "");
}

TEST_F(DeviceChoice, AScopeCountsBeforeTheEnvironment) {
    setenv("LANES_DEVICE", "simulator:sm_80", 1);
    {
        const DeviceScope outer(Device::simulator("sm_75"));
        EXPECT_EQ(Device::best().architecture(), "sm_75");
        {
            const DeviceScope inner(Device::simulator("sm_89").fast());
            EXPECT_EQ(Device::best().architecture(), "sm_89");
            EXPECT_FALSE(Device::best().checks().any());
            std::thread([] { EXPECT_EQ(Device::best().architecture(), "sm_89"); }).join();
        }
        EXPECT_EQ(Device::best().architecture(), "sm_75");
    }
    EXPECT_EQ(Device::best().architecture(), "sm_80");
}

TEST_F(DeviceChoice, ScopesMayEndInAnyOrder) {
    setenv("LANES_DEVICE", "simulator:sm_80", 1);
    auto first = std::make_unique<DeviceScope>(Device::simulator("sm_75"));
    const auto second = std::make_unique<DeviceScope>(Device::simulator("sm_89"));
    first.reset();
    EXPECT_EQ(Device::best().architecture(), "sm_89");
}

TEST(Device, TheSimulatorSaysWhatItIs) {
    const Device device = Device::simulator();
    EXPECT_TRUE(device.is_simulator());
    EXPECT_EQ(device.name(), "simulator");
    EXPECT_EQ(device.architecture(), "sm_90");
    EXPECT_EQ(device.limits().threads_per_block, 1024U);
    EXPECT_EQ(device.limits().shared_bytes_per_block_optin, 227U * 1024);
    EXPECT_EQ(Device::simulator("sm_75").limits().shared_bytes_per_block_optin, 64U * 1024);
    EXPECT_NE(error_of([] { Device::simulator("sm_1"); }), "");
    EXPECT_TRUE(device.checks().races);
    EXPECT_FALSE(device.fast().checks().any());
    EXPECT_EQ(device.with(Checks::one_schedule()).checks().schedules, 1);
    EXPECT_NE(device.description().find("checks: bounds races uninitialised counters, 3 schedules"),
              std::string::npos)
        << device.description();
    EXPECT_NE(device.fast().description().find("no checks"), std::string::npos);
    EXPECT_NO_THROW(device.synchronize());
}

TEST(Device, HasAName) {
    EXPECT_EQ(Device("cpu").id(), "cpu");
    EXPECT_EQ(Device("simulator").id(), "simulator");
    EXPECT_EQ(Device("simulator:sm_75").architecture(), "sm_75");
    for (const char* name : {"cuda:99", "gpu:99"})
        EXPECT_EQ(error_of([&] { Device{name}; }).find("Device::gpu"), 0U);
    EXPECT_EQ(error_of([] { Device("tpu"); }).find("Device: the name is 'tpu'"), 0U);
}

TEST(Device, AllListsTheCpuFirstAndTheSimulatorLast) {
    const std::vector<Device> all = Device::all();
    EXPECT_TRUE(all.front().is_cpu());
    EXPECT_TRUE(all.back().is_simulator());
    EXPECT_EQ(all.size() > 2, Device::has_gpu());
}

TEST(Device, TheCpuHoldsDataButRunsNoCudaKernel) {
    const Device cpu = Device::cpu();
    EXPECT_TRUE(cpu.is_cpu());
    EXPECT_FALSE(cpu.is_simulator());
    EXPECT_EQ(cpu, Device::cpu());
    EXPECT_NE(cpu, Device::simulator());
    EXPECT_GT(cpu.free_bytes(), 0U);
    EXPECT_EQ(Buffer<int>(cpu, std::vector<int>{1, 2}).download(), (std::vector<int>{1, 2}));
    const std::string error =
        error_of([&] { Program(cpu, "__global__ void f(int* x) { x[0] = 1; }"); });
    EXPECT_NE(error.find("cpu, which runs no CUDA kernels"), std::string::npos) << error;
}

TEST_F(DeviceChoice, BestIsNeverTheCpu) {
    EXPECT_NE(error_of([] { chosen("cpu"); }).find("runs no CUDA kernels"), std::string::npos);
}

TEST(Device, SimulatorsShareMemory) {
    EXPECT_TRUE(Device::simulator().shares_memory_with(Device::simulator().fast()));
    EXPECT_TRUE(Device::simulator().shares_memory_with(Device::simulator("sm_75")));
}

using DeviceOnGpu = OnGpu;

TEST_F(DeviceOnGpu, SaysWhatItIs) {
    const Device device = Device::gpu();
    EXPECT_FALSE(device.is_simulator());
    EXPECT_EQ(device.architecture().substr(0, 3), "sm_");
    EXPECT_GT(device.limits().multiprocessors, 0U);
    EXPECT_GT(device.limits().memory_bytes, std::size_t(1) << 30);
    EXPECT_GE(device.limits().shared_bytes_per_block_optin, device.limits().shared_bytes_per_block);
    EXPECT_FALSE(device.checks().any());
    EXPECT_FALSE(device.shares_memory_with(Device::simulator()));
    EXPECT_FALSE(device.fast().is_simulator());
    EXPECT_NE(device.description().find("multiprocessors"), std::string::npos);
}

}  // namespace
}  // namespace lanes
