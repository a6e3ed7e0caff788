#include "module.hpp"

#include "entry.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>
#include <utility>

namespace lanes::gpu::cuda {

namespace {

// A variable of the loaded module, looked up by each use: it may have moved.
class CudaVariable : public Memory {
public:
    CudaVariable(std::shared_ptr<CudaModule> module, std::string expression)
        : module_(std::move(module)), expression_(std::move(expression)) {}

    void upload(std::size_t offset, const void* from, std::size_t bytes) override {
        const auto global = module_->global(expression_);
        Context& context = module_->context();
        context.wait("ProgramVariable::upload");
        context.require(context.use().copy_to_device(global.address + offset, from, bytes),
                        "ProgramVariable::upload");
    }
    void download(std::size_t offset, void* to, std::size_t bytes) const override {
        const auto global = module_->global(expression_);
        Context& context = module_->context();
        context.wait("ProgramVariable::download");
        context.require(context.use().copy_to_host(to, global.address + offset, bytes),
                        "ProgramVariable::download");
    }
    void fill_zero() override {
        const auto global = module_->global(expression_);
        Context& context = module_->context();
        context.require(context.use().fill_bytes(global.address, 0, global.bytes),
                        "ProgramVariable");
    }
    std::size_t bytes() const override { return module_->global(expression_).bytes; }
    void* address() const override {
        const DeviceAddress address = module_->global(expression_).address;
        // NOLINTNEXTLINE(performance-no-int-to-ptr): the driver gives numbers
        return reinterpret_cast<void*>(address);
    }

private:
    std::shared_ptr<CudaModule> module_;
    std::string expression_;
};

}  // namespace

CudaModule::CudaModule(std::shared_ptr<Context> context, const ProgramText& program)
    : Module(program), context_(std::move(context)) {
    names_ = name_expressions(program, declarations());
    cubin_ = compile(names_);
    handle_ = load(cubin_);
    generation_ = context_->generation();
    ++loads_;
}

CudaModule::~CudaModule() {
    try {
        if (handle_ && context_->is_alive(generation_)) context_->use().unload_module(handle_);
    } catch (...) {
        return;  // a destructor says nothing; the module goes with the context
    }
}

Cubin CudaModule::compile(const std::vector<std::string>& names) const {
    return cached_cubin({program(), architecture_for(context_->architecture()), names});
}

ModuleHandle CudaModule::load(const Cubin& cubin) {
    const Driver& d = context_->use();
    ModuleHandle loaded = nullptr;
    context_->require(d.load_module(&loaded, cubin.image.data()), "Program " + program().name);
    return loaded;
}

std::uint64_t CudaModule::ensure_loaded() {
    const std::lock_guard lock(mutex_);
    context_->use();
    if (generation_ != context_->generation()) {
        handle_ = load(cubin_);
        generation_ = context_->generation();
        ++loads_;
    }
    return loads_;
}

// The values of all variables, from the module as it is loaded now.
void CudaModule::copy_variables(ModuleHandle to, const Cubin& cubin) {
    const std::string operation = "Program " + program().name;
    context_->wait(operation);
    const Driver& d = context_->use();
    for (const auto& [expression, lowered] : cubin_.lowered_names) {
        if (expression[0] != '&') continue;
        Global old;
        if (d.global(&old.address, &old.bytes, handle_, lowered.c_str()) != 0) continue;
        std::vector<unsigned char> values(old.bytes);
        context_->require(d.copy_to_host(values.data(), old.address, old.bytes), operation);
        Global copy;
        context_->require(
            d.global(&copy.address, &copy.bytes, to, cubin.lowered_names.at(expression).c_str()),
            operation);
        context_->require(d.copy_to_device(copy.address, values.data(), old.bytes), operation);
    }
}

// Compiles and loads the program with one more name. If that fails, everything stays as it was.
void CudaModule::add(const std::string& name_expression) {
    ensure_loaded();
    std::vector<std::string> names = names_;
    names.push_back(name_expression);
    Cubin cubin = compile(names);
    ModuleHandle handle = load(cubin);
    try {
        copy_variables(handle, cubin);
    } catch (...) {
        context_->use().unload_module(handle);
        throw;
    }
    names_ = std::move(names);
    cubin_ = std::move(cubin);
    std::swap(handle_, handle);
    ++loads_;
    context_->use().unload_module(handle);
}

std::shared_ptr<Entry> CudaModule::entry(const std::string& name_expression) {
    const auto signature = find_signature(declarations().signatures, name_expression);
    if (!signature.has_value())
        throw Error("Program::kernel: '", name_expression, "' is no __global__ function of ",
                    program().name, ". Look at the spelling.");
    // the compiler wants the whole name, whatever was enough for us
    const std::size_t arguments = name_expression.find('<');
    const std::string expression =
        signature->qualified_name() +
        (arguments == std::string::npos ? "" : name_expression.substr(arguments));
    const std::lock_guard lock(mutex_);
    if (std::find(names_.begin(), names_.end(), expression) == names_.end()) add(expression);
    return std::make_shared<CudaEntry>(shared_from_this(), name_expression, expression, *signature);
}

FunctionHandle CudaModule::function(const std::string& name_expression) {
    const std::lock_guard lock(mutex_);
    ensure_loaded();
    FunctionHandle function = nullptr;
    context_->require(context_->use().function(&function, handle_,
                                               cubin_.lowered_names.at(name_expression).c_str()),
                      "Program::kernel " + name_expression);
    return function;
}

std::string CudaModule::variable_expression(const std::string& name) const {
    for (const Variable& variable : declarations().variables)
        if (variable.name == name || variable.qualified_name() == name)
            return "&" + variable.qualified_name();
    throw Error("Program::variable: '" + name + "' is no __constant__ or __device__ variable of " +
                program().name + ". Look at the spelling.");
}

std::shared_ptr<Memory> CudaModule::variable(const std::string& name) {
    return std::make_shared<CudaVariable>(shared_from_this(), variable_expression(name));
}

CudaModule::Global CudaModule::global(const std::string& name_expression) {
    const std::lock_guard lock(mutex_);
    ensure_loaded();
    Global global;
    context_->require(context_->use().global(&global.address, &global.bytes, handle_,
                                             cubin_.lowered_names.at(name_expression).c_str()),
                      "Program::variable " + name_expression.substr(1));
    return global;
}

}  // namespace lanes::gpu::cuda
