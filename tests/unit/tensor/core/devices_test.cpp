#include "lanes/tensor/devices.hpp"

#include "tensor/devices.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <sstream>
#include <thread>

namespace lanes {
namespace {

TEST(DeviceTable, HasOneRowPerDevice) {
    const DeviceTable table = device_table();
    ASSERT_EQ(table.rows.size(), 1 + Device::all().size());
    EXPECT_EQ(table.rows[0][0], "device");
    EXPECT_EQ(table.rows[1][0], "cpu");
    EXPECT_EQ(table.rows.back()[0], "simulator");
    std::ostringstream out;
    out << table;
    EXPECT_EQ(out.str().find("device     name"), 0U) << out.str();
    EXPECT_NE(mime_bundle_repr(table).dump().find("<th>device</th>"), std::string::npos);
}

class MemoryPool : public testing::Test {
protected:
    void SetUp() override { release_cached_memory(); }
};

TEST_F(MemoryPool, GivesTheMemoryOfAFreedTensorToTheNext) {
    const std::size_t before = memory_use("cpu").in_use;
    const float* first = nullptr;
    {
        const Tensor x = Tensor::empty({1000});
        first = x.data();
        EXPECT_GE(memory_use("cpu").in_use, before + 4000);
    }
    EXPECT_EQ(memory_use("cpu").in_use, before);
    EXPECT_GE(memory_use("cpu").cached, 4000U);
    EXPECT_EQ(Tensor::empty({990}).data(), first);
    release_cached_memory();
    EXPECT_EQ(memory_use("cpu").cached, 0U);
}

TEST_F(MemoryPool, AForkedProcessStartsWithoutCachedMemory) {
    Tensor::empty({1000});
    const pid_t child = fork();
    if (child == 0) {
        const Tensor x = Tensor::ones({1000});
        _exit(memory_use("cpu").cached == 0 && x.at({999}) == 1 ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

TEST_F(MemoryPool, CanBeUsedInAProcessForkedWhileAnotherThreadUsedIt) {
    // The pool is made by its first use. A fork just then leaves a half-made one in the new
    // process.
    Tensor::empty({1000});
    std::atomic<bool> done{false};
    std::thread busy([&] {
        while (!done) Tensor::empty({1000});
    });
    for (int time = 0; time < 100; ++time) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(250);  // instead of waiting forever
            Tensor::empty({1000});
            _exit(0);
        }
        int status = -1;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        ASSERT_EQ(status, 0) << time;
    }
    done = true;
    busy.join();
}

TEST_F(MemoryPool, AFullGpuSaysHowMuchIsFreeAndGivesItsMemoryBack) {
    skip_without_gpu("cuda:0");
    if (!Device::has_gpu()) return;
    const Device device = "cuda:0";
    const std::size_t free_before = device.free_bytes();
    std::string error;
    {
        std::vector<Tensor> tensors;
        error = error_of([&] {
            while (tensors.size() < 1000) {
                tensors.push_back(Tensor::empty({std::size_t{1} << 32}, device));  // 16 GiB
                Tensor::empty({std::size_t{1} << 31}, device);  // stays in the pool
            }
        });
    }
    EXPECT_NE(error.find("16.0 GiB asked for"), std::string::npos) << error;
    EXPECT_EQ(Tensor::ones({8}, device).cpu().to_vector(), std::vector<float>(8, 1));
    release_cached_memory();
    EXPECT_GE(device.free_bytes() + (std::size_t{64} << 20), free_before);
}

}  // namespace
}  // namespace lanes
