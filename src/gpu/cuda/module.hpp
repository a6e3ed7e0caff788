// A program on a GPU: its machine code, its functions and its variables.
#pragma once

#include "compiler.hpp"
#include "context.hpp"
#include "gpu/backend.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace lanes::gpu::cuda {

// A program has at most one loaded module, so that a __device__ variable is one variable: a
// further instantiation of a template is compiled together with all that was asked for before, and
// the variables' values move to the new module. It is loaded again in a forked process.
class CudaModule : public Module, public std::enable_shared_from_this<CudaModule> {
public:
    CudaModule(std::shared_ptr<Context> context, const ProgramText& program);
    ~CudaModule() override;
    CudaModule(const CudaModule&) = delete;
    CudaModule& operator=(const CudaModule&) = delete;

    std::shared_ptr<Entry> entry(const std::string& name_expression) override;
    std::shared_ptr<Memory> variable(const std::string& name) override;

    struct Global {
        DeviceAddress address = 0;
        std::size_t bytes = 0;
    };
    FunctionHandle function(
        const std::string& name_expression);  // of the module as it is loaded now
    Global global(const std::string& name_expression);
    Context& context() { return *context_; }
    // Loads it again if the process was forked. The number changes with each load: handles from
    // before are invalid then.
    std::uint64_t ensure_loaded();

private:
    Cubin compile(const std::vector<std::string>& names) const;
    ModuleHandle load(const Cubin& cubin);
    void add(const std::string& name_expression);
    void copy_variables(ModuleHandle to, const Cubin& cubin);
    std::string variable_expression(const std::string& name) const;

    std::shared_ptr<Context> context_;
    std::recursive_mutex mutex_;      // of everything below
    std::vector<std::string> names_;  // name expressions compiled in
    Cubin cubin_;
    ModuleHandle handle_ = nullptr;
    std::uint64_t generation_ = 0;
    std::uint64_t loads_ = 0;
};

}  // namespace lanes::gpu::cuda
