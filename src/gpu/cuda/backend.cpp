// GPUs behind Device.
#include "gpu/backend.hpp"
#include "memory.hpp"
#include "module.hpp"

namespace lanes::gpu {

namespace {

class CudaBackend : public Backend {
public:
    explicit CudaBackend(int number) : context_(cuda::Context::of_gpu(number)) { context_->use(); }

    bool is_simulator() const override { return false; }
    const std::string& name() const override { return context_->name(); }
    const std::string& architecture() const override { return context_->architecture(); }
    const DeviceLimits& limits() const override { return context_->limits(); }
    const Checks& checks() const override {
        static const Checks none = Checks::off();
        return none;
    }
    std::shared_ptr<Memory> allocate(std::size_t bytes, std::size_t) override {
        return std::make_shared<cuda::CudaMemory>(context_, bytes);
    }
    std::shared_ptr<Module> compile(const ProgramText& program) override {
        return std::make_shared<cuda::CudaModule>(context_, program);
    }
    void synchronize() override {
        context_->require(context_->use().synchronize(), "Device::synchronize");
    }
    bool shares_memory_with(const Backend& other) const override {
        const auto* gpu = dynamic_cast<const CudaBackend*>(&other);
        return gpu && gpu->context_->number() == context_->number();
    }

private:
    std::shared_ptr<cuda::Context> context_;
};

}  // namespace

std::shared_ptr<Backend> make_cuda_backend(int number) {
    return std::make_shared<CudaBackend>(number);
}

}  // namespace lanes::gpu
