// The CPU as a device: its memory, but no CUDA kernels.
#include "backend.hpp"

#include "base/large_pages.hpp"
#include "lanes/base/error.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <new>

namespace lanes::gpu {

namespace {

class CpuMemory : public Memory {
public:
    explicit CpuMemory(std::size_t bytes) : bytes_(bytes) {
        try {
            first_ = static_cast<unsigned char*>(operator new(std::max<std::size_t>(bytes, 1),
                                                              alignment));
            prefer_large_pages(first_, bytes);
        } catch (const std::bad_alloc&) {
            throw Error("Buffer: ", bytes,
                        " bytes on the CPU: the machine has not enough memory. Free what is no "
                        "longer needed, or work in smaller pieces.");
        }
    }
    ~CpuMemory() override { operator delete(first_, alignment); }
    CpuMemory(const CpuMemory&) = delete;
    CpuMemory& operator=(const CpuMemory&) = delete;

    void upload(std::size_t offset, const void* from, std::size_t bytes) override {
        std::memcpy(first_ + offset, from, bytes);
    }
    void download(std::size_t offset, void* to, std::size_t bytes) const override {
        std::memcpy(to, first_ + offset, bytes);
    }
    void fill_zero() override { std::memset(first_, 0, bytes_); }
    std::size_t bytes() const override { return bytes_; }
    void* address() const override { return first_; }

private:
    static constexpr std::align_val_t alignment{64};  // a cache line

    std::size_t bytes_;
    unsigned char* first_;
};

// /proc/meminfo's "MemAvailable", or 0 if it cannot be read.
std::size_t available_bytes() {
    std::ifstream file("/proc/meminfo");
    std::string word;
    while (file >> word)
        if (std::size_t kibibytes = 0; word == "MemAvailable:" && file >> kibibytes)
            return kibibytes * 1024;
    return 0;
}

class CpuBackend : public Backend {
public:
    CpuBackend() {
        limits_.memory_bytes = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
                               static_cast<std::size_t>(sysconf(_SC_PAGE_SIZE));
    }

    bool is_cpu() const override { return true; }
    bool is_simulator() const override { return false; }
    std::string id() const override { return name_; }
    const std::string& name() const override { return name_; }
    const std::string& architecture() const override { return architecture_; }
    const DeviceLimits& limits() const override { return limits_; }
    const Checks& checks() const override {
        static const Checks none = Checks::off();
        return none;
    }
    std::shared_ptr<Memory> allocate(std::size_t bytes, std::size_t) override {
        return std::make_shared<CpuMemory>(bytes);
    }
    std::shared_ptr<Module> compile(const ProgramText& program) override {
        throw Error("Program ", program.name,
                    ": the device is cpu, which runs no CUDA kernels. Use Device::best(), cuda:0 "
                    "or simulator.");
    }
    std::size_t free_bytes() const override { return available_bytes(); }
    void synchronize() override {}
    bool shares_memory_with(const Backend& other) const override { return other.is_cpu(); }

private:
    std::string name_ = "cpu";
#if defined(__x86_64__)
    std::string architecture_ = "x86-64";
#else
    std::string architecture_ = "aarch64";
#endif
    DeviceLimits limits_;
};

}  // namespace

std::shared_ptr<Backend> cpu_backend() {
    static const auto backend = std::make_shared<CpuBackend>();
    return backend;
}

}  // namespace lanes::gpu
