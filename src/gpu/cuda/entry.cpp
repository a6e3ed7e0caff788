#include "entry.hpp"

#include "gpu/backend.hpp"
#include "lanes/base/error.hpp"

#include <array>
#include <cstdio>

namespace lanes::gpu::cuda {

namespace {

// Two events around a launch: they measure the time on the GPU, without the host's overhead.
class GpuTimer {
public:
    explicit GpuTimer(Context& context) : context_(context), driver_(context.use()) {
        for (EventHandle& event : events_)
            context.require(driver_.create_event(&event, 0), "launch");
        record(0);
    }
    ~GpuTimer() {
        for (EventHandle event : events_)
            if (event && context_.is_alive(generation_)) driver_.destroy_event(event);
    }
    GpuTimer(const GpuTimer&) = delete;
    GpuTimer& operator=(const GpuTimer&) = delete;

    void stop() { record(1); }

    double seconds() const {
        float milliseconds = 0;
        context_.require(driver_.elapsed_ms(&milliseconds, events_[0], events_[1]), "launch");
        return milliseconds * 1e-3;
    }

private:
    void record(std::size_t i) {
        context_.require(driver_.record_event(events_[i], context_.stream()), "launch");
    }

    Context& context_;
    const Driver& driver_;
    std::uint64_t generation_ = context_.generation();
    std::array<EventHandle, 2> events_{};
};

Result start(const Driver& driver, FunctionHandle function, const LaunchConfig& config,
             StreamHandle stream, void** parameters) {
    const auto shared_bytes = static_cast<unsigned>(config.shared_bytes);
    if (config.cooperative)
        return driver.launch_cooperative(function, config.grid.x, config.grid.y, config.grid.z,
                                         config.block.x, config.block.y, config.block.z,
                                         shared_bytes, stream, parameters);
    return driver.launch(function, config.grid.x, config.grid.y, config.grid.z, config.block.x,
                         config.block.y, config.block.z, shared_bytes, stream, parameters, nullptr);
}

}  // namespace

CudaEntry::CudaEntry(std::shared_ptr<CudaModule> module, std::string name, std::string expression,
                     Signature signature)
    : module_(std::move(module)),
      name_(std::move(name)),
      expression_(std::move(expression)),
      signature_(std::move(signature)) {}

void CudaEntry::read_attributes(EntryAttributes& attributes, FunctionHandle function) const {
    const Driver& d = module_->context().use();
    const auto ask = [&](FunctionAttribute attribute) {
        int value = 0;
        module_->context().require(d.function_attribute(&value, attribute, function),
                                   "Program::kernel " + name_);
        return static_cast<unsigned>(value);
    };
    attributes.registers_per_thread = ask(FunctionAttribute::registers);
    attributes.static_shared_bytes = ask(FunctionAttribute::static_shared_bytes);
    attributes.max_threads_per_block = ask(FunctionAttribute::max_threads_per_block);
    // as many as the text has, and none beyond: the driver calls that an error, and tools that
    // watch it report it
    std::size_t offset = 0, bytes = 0;
    while (d.parameter && attributes.parameter_bytes.size() < signature_.parameters.size() &&
           d.parameter(function, attributes.parameter_bytes.size(), &offset, &bytes) == 0)
        attributes.parameter_bytes.push_back(bytes);
}

CudaEntry::Loaded CudaEntry::loaded() const {
    const std::lock_guard lock(mutex_);
    const std::uint64_t load = module_->ensure_loaded();
    if (loaded_.load != load) {
        Loaded now;
        now.function = module_->function(expression_);
        read_attributes(now.attributes, now.function);
        now.load = load;
        loaded_ = now;
    }
    return loaded_;
}

EntryAttributes CudaEntry::attributes() const { return loaded().attributes; }

// Dynamic shared memory beyond the usual limit must be allowed for each function.
void CudaEntry::raise_shared_limit(const Loaded& loaded, const LaunchConfig& config) const {
    Context& context = module_->context();
    if (config.shared_bytes + loaded.attributes.static_shared_bytes <=
        context.limits().shared_bytes_per_block)
        return;
    context.require(context.use().set_function_attribute(
                        loaded.function, FunctionAttribute::max_dynamic_shared_bytes,
                        static_cast<int>(config.shared_bytes)),
                    launch_text(name_, config));
}

void CudaEntry::enqueue(const LaunchConfig& config, const RawArgument* arguments,
                        std::size_t count) {
    constexpr std::size_t most = 96;
    LANES_REQUIRE(count <= most, launch_text(name_, config), ": ", count, " arguments, at most ",
                  most, " can be given here. Put some of them into a struct.");
    Context& context = module_->context();
    context.require_launches_allowed(name_);
    FunctionHandle function = nullptr;
    {
        const std::lock_guard lock(mutex_);
        if (loaded_.load == module_->ensure_loaded()) function = loaded_.function;
    }
    if (function == nullptr || config.shared_bytes > 0) {
        const Loaded now = loaded();
        raise_shared_limit(now, config);
        function = now.function;
    }
    std::array<char*, most> addresses;
    std::array<void*, most> parameters;
    for (std::size_t i = 0; i < count; ++i) {
        const RawArgument& argument = arguments[i];
        if (argument.memory != nullptr)
            addresses[i] = static_cast<char*>(argument.memory->address()) + argument.offset;
        parameters[i] = argument.memory != nullptr ? static_cast<void*>(&addresses[i])
                                                   : const_cast<void*>(argument.value);
    }
    const Result result = start(driver(), function, config, context.stream(), parameters.data());
    if (result != 0) context.require(result, launch_text(name_, config));
    context.set_last_launch(name_);
}

LaunchReport CudaEntry::launch(const LaunchConfig& config,
                               const std::vector<BoundArgument>& arguments) {
    Context& context = module_->context();
    const std::string operation = launch_text(name_, config);
    context.require_no_capture(operation);
    std::vector<void*> addresses(arguments.size()), parameters(arguments.size());
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i].memory)
            addresses[i] = static_cast<char*>(arguments[i].memory->address()) + arguments[i].offset;
        parameters[i] = arguments[i].memory ? static_cast<void*>(&addresses[i])
                                            : const_cast<unsigned char*>(arguments[i].value.data());
    }
    const Loaded known = loaded();
    raise_shared_limit(known, config);
    const Driver& d = context.use();

    LaunchReport report;
    {
        GpuTimer stopwatch(context);
        context.require(start(d, known.function, config, context.stream(), parameters.data()),
                        operation);
        stopwatch.stop();
        context.wait(operation);
        report.kernel_seconds = stopwatch.seconds();
    }
    // the driver prints with its own C library after a fork: what it holds back must come out with
    // this launch
    if (d.flush) d.flush(nullptr);
    report.cuda_kernel = name_;
    report.device = context.name();
    report.config = config;
    report.registers_per_thread = known.attributes.registers_per_thread;
    report.static_shared_bytes = known.attributes.static_shared_bytes;
    return report;
}

}  // namespace lanes::gpu::cuda
