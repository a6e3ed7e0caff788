// GPUs behind Device.
#include "gpu/backend.hpp"
#include "lanes/base/error.hpp"
#include "memory.hpp"
#include "module.hpp"

namespace lanes::gpu {

namespace {

// A CUDA graph: one call of the driver starts all of its launches.
class CudaCapturedGraph : public CapturedGraph {
public:
    CudaCapturedGraph(std::shared_ptr<cuda::Context> context, cuda::GraphHandle graph)
        : context_(std::move(context)) {
        const cuda::Driver& d = context_->use();
        generation_ = context_->generation();
        const cuda::Result result = d.instantiate(&executable_, graph, 0);
        d.destroy_graph(graph);
        context_->require(result, "CapturedStep");
    }
    ~CudaCapturedGraph() override {
        if (!context_->is_alive(generation_)) return;
        try {
            context_->use().destroy_executable_graph(executable_);
        } catch (...) {
            return;  // a destructor says nothing; the graph goes with the context
        }
    }
    CudaCapturedGraph(const CudaCapturedGraph&) = delete;
    CudaCapturedGraph& operator=(const CudaCapturedGraph&) = delete;

    void replay() override {
        const cuda::Driver& d = context_->use();
        LANES_REQUIRE(context_->is_alive(generation_), "CapturedStep: what was captured on ",
                      context_->name(),
                      " was lost with the process that captured it; this one was forked from it, "
                      "as after a crashed cell or a fault of the GPU. Make model and step again.");
        context_->require(d.launch_graph(executable_, context_->stream()), "CapturedStep");
    }

private:
    std::shared_ptr<cuda::Context> context_;
    cuda::ExecutableGraphHandle executable_ = nullptr;
    std::uint64_t generation_ = 0;
};

class CudaBackend : public Backend {
public:
    explicit CudaBackend(int number) : context_(cuda::Context::of_gpu(number)) { context_->use(); }

    bool is_simulator() const override { return false; }
    std::string id() const override { return "cuda:" + std::to_string(context_->number()); }
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
    std::size_t free_bytes() const override {
        std::size_t free = 0;
        std::size_t total = 0;
        context_->require(context_->use().memory_info(&free, &total), "Device::free_bytes");
        return free;
    }
    void synchronize() override {
        context_->require_no_capture("Device::synchronize");
        context_->wait("Device::synchronize");
    }
    bool can_record() const override { return true; }
    void begin_capture() override { context_->begin_capture(); }
    std::unique_ptr<CapturedGraph> end_capture() override {
        return std::make_unique<CudaCapturedGraph>(context_, context_->end_capture(true));
    }
    void cancel_capture() noexcept override {
        try {
            context_->end_capture(false);
        } catch (...) {
            return;  // the error that ends the recording is the one to report
        }
    }
    void pin(void* start, std::size_t bytes) override { context_->pin(start, bytes); }
    void unpin(void* start) noexcept override {
        try {
            context_->unpin(start);
        } catch (...) {
            return;  // a destructor says nothing; the memory is unpinned with the context
        }
    }
    bool shares_memory_with(const Backend& other) const override {
        const auto* gpu = dynamic_cast<const CudaBackend*>(&other);
        return gpu && gpu->context_->number() == context_->number();
    }

private:
    std::shared_ptr<cuda::Context> context_;
};

}  // namespace

int cuda_device_count() {
    try {
        int count = 0;
        return cuda::driver().count(&count) == 0 ? count : 0;
    } catch (const Error&) {
        return 0;
    }
}

std::shared_ptr<Backend> make_cuda_backend(int number) {
    return std::make_shared<CudaBackend>(number);
}

}  // namespace lanes::gpu
