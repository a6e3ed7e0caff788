// The simulator as a device.
#include "gpu/backend.hpp"

#include "gpu/simulator/memory/arena.hpp"
#include "gpu/simulator/memory/limits.hpp"
#include "module.hpp"

#include "gpu/simulator/memory/shadow.hpp"

#include <cstring>

namespace lanes::gpu {

namespace simulator {

namespace {

class ArenaMemory : public Memory {
public:
    explicit ArenaMemory(std::size_t bytes)
        : first_(static_cast<unsigned char*>(arena_allocate(bytes))), bytes_(bytes) {
        memory_allocated(first_, bytes_);
    }
    ~ArenaMemory() override {
        memory_freed(first_, bytes_);
        arena_free(first_);
    }
    ArenaMemory(const ArenaMemory&) = delete;
    ArenaMemory& operator=(const ArenaMemory&) = delete;

    void upload(std::size_t offset, const void* from, std::size_t bytes) override {
        std::memcpy(first_ + offset, from, bytes);
        memory_written(first_ + offset, bytes);
    }
    void download(std::size_t offset, void* to, std::size_t bytes) const override {
        std::memcpy(to, first_ + offset, bytes);
    }
    void fill_zero() override {
        std::memset(first_, 0, bytes_);
        memory_written(first_, bytes_);
    }
    std::size_t bytes() const override { return bytes_; }
    void* address() const override { return first_; }

private:
    unsigned char* first_;
    std::size_t bytes_;
};

class SimulatorBackend : public Backend {
public:
    SimulatorBackend(std::string architecture, const Checks& checks)
        : architecture_(std::move(architecture)),
          limits_(limits_of(architecture_)),
          checks_(checks) {}

    bool is_simulator() const override { return true; }
    std::string id() const override { return "simulator"; }
    const std::string& name() const override { return name_; }
    const std::string& architecture() const override { return architecture_; }
    const DeviceLimits& limits() const override { return limits_; }
    const Checks& checks() const override { return checks_; }
    std::shared_ptr<Memory> allocate(std::size_t bytes, std::size_t) override {
        return std::make_shared<ArenaMemory>(bytes);
    }
    std::shared_ptr<Module> compile(const ProgramText& program) override {
        return make_module(program, architecture_, limits_, checks_);
    }
    std::size_t free_bytes() const override { return limits_.memory_bytes; }
    void synchronize() override {}  // launch waits by itself
    bool shares_memory_with(const Backend& other) const override { return other.is_simulator(); }

private:
    std::string name_ = "simulator", architecture_;
    DeviceLimits limits_;
    Checks checks_;
};

}  // namespace

}  // namespace simulator

std::shared_ptr<Backend> make_simulator_backend(const std::string& architecture,
                                                const Checks& checks) {
    return std::make_shared<simulator::SimulatorBackend>(architecture, checks);
}

}  // namespace lanes::gpu
