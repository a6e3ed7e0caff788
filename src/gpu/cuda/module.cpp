#include "module.hpp"

#include "entry.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>

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
    : Module(program),
      context_(std::move(context)),
      declarations_(read_declarations(program.text, program.flags)) {
    for (const Signature& signature : declarations_.signatures)
        if (!signature.is_template) names_.push_back(signature.qualified_name());
    for (const Variable& variable : declarations_.variables)
        names_.push_back("&" + variable.qualified_name());
    std::sort(names_.begin(), names_.end());  // overloads give one name twice
    names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
    compile();
    load();
}

CudaModule::~CudaModule() {
    try {
        if (handle_ && context_->is_alive(generation_)) context_->use().unload_module(handle_);
    } catch (...) {
        return;  // a destructor says nothing; the module goes with the context
    }
}

void CudaModule::compile() {
    cubin_ = cached_cubin({program(), architecture_for(context_->architecture()), names_});
}

void CudaModule::load() {
    const Driver& d = context_->use();
    handle_ = nullptr;
    context_->require(d.load_module(&handle_, cubin_.image.data()), "Program " + program().name);
    generation_ = context_->generation();
    ++loads_;
}

std::uint64_t CudaModule::ensure_loaded() {
    context_->use();
    if (generation_ != context_->generation()) load();
    return loads_;
}

void CudaModule::move_variables_from(ModuleHandle old,
                                     const std::map<std::string, std::string>& old_names) {
    context_->wait("Program " + program().name);
    const Driver& d = context_->use();
    for (const auto& [expression, lowered] : old_names) {
        if (expression[0] != '&') continue;
        DeviceAddress address = 0;
        std::size_t bytes = 0;
        if (d.global(&address, &bytes, old, lowered.c_str()) != 0) continue;
        std::vector<unsigned char> values(bytes);
        context_->require(d.copy_to_host(values.data(), address, bytes),
                          "Program " + program().name);
        const Global here = global(expression);
        context_->require(d.copy_to_device(here.address, values.data(), bytes),
                          "Program " + program().name);
    }
}

std::shared_ptr<Entry> CudaModule::entry(const std::string& name_expression) {
    const auto signature = find_signature(declarations_.signatures, name_expression);
    if (!signature.has_value())
        throw Error("Program::kernel: '", name_expression, "' is no __global__ function of ",
                    program().name, ". Look at the spelling.");
    // the compiler wants the whole name, whatever was enough for us
    const std::size_t arguments = name_expression.find('<');
    const std::string expression =
        signature->qualified_name() +
        (arguments == std::string::npos ? "" : name_expression.substr(arguments));
    if (std::find(names_.begin(), names_.end(), expression) == names_.end()) {
        const std::vector<std::string> names_before = names_;
        names_.push_back(expression);
        const Cubin cubin_before = cubin_;
        try {
            compile();
        } catch (...) {
            names_ = names_before;
            cubin_ = cubin_before;
            throw;
        }
        ensure_loaded();
        const ModuleHandle old = handle_;
        load();
        move_variables_from(old, cubin_before.lowered_names);
        context_->use().unload_module(old);
    }
    return std::make_shared<CudaEntry>(shared_from_this(), name_expression, expression, *signature);
}

FunctionHandle CudaModule::function(const std::string& name_expression) {
    ensure_loaded();
    FunctionHandle function = nullptr;
    context_->require(context_->use().function(&function, handle_,
                                               cubin_.lowered_names.at(name_expression).c_str()),
                      "Program::kernel " + name_expression);
    return function;
}

std::string CudaModule::variable_expression(const std::string& name) const {
    for (const Variable& variable : declarations_.variables)
        if (variable.name == name || variable.qualified_name() == name)
            return "&" + variable.qualified_name();
    throw Error("Program::variable: '" + name + "' is no __constant__ or __device__ variable of " +
                program().name + ". Look at the spelling.");
}

std::shared_ptr<Memory> CudaModule::variable(const std::string& name) {
    return std::make_shared<CudaVariable>(shared_from_this(), variable_expression(name));
}

CudaModule::Global CudaModule::global(const std::string& name_expression) {
    ensure_loaded();
    Global global;
    context_->require(context_->use().global(&global.address, &global.bytes, handle_,
                                             cubin_.lowered_names.at(name_expression).c_str()),
                      "Program::variable " + name_expression.substr(1));
    return global;
}

}  // namespace lanes::gpu::cuda
