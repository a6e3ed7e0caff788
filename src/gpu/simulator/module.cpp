#include "module.hpp"

#include "gpu/simulator/compile/compile_text.hpp"
#include "gpu/simulator/compile/unsupported.hpp"
#include "gpu/simulator/object/lines.hpp"
#include "gpu/simulator/run/launch.hpp"

#include "gpu/backend.hpp"
#include "gpu/source/lexer.hpp"
#include "gpu/source/preprocessor.hpp"
#include "lanes/base/error.hpp"

#include "lanes/gpu/program.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>

namespace lanes::gpu::simulator {

namespace {

// The limits of __launch_bounds__ that are plain numbers, by the function's name.
std::map<std::string, unsigned> launch_bounds(const std::vector<Token>& tokens) {
    std::map<std::string, unsigned> bounds;
    for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
        if (!tokens[i].is("__launch_bounds__")) continue;
        unsigned threads = 0;
        const std::string& number = tokens[i + 2].text;
        if (std::from_chars(number.data(), number.data() + number.size(), threads).ec !=
                std::errc() ||
            !(tokens[i + 3].is(",") || tokens[i + 3].is(")")))
            continue;
        while (i < tokens.size() && !tokens[i].is(")")) ++i;
        for (++i; i + 1 < tokens.size() && !tokens[i].is("{"); ++i)
            if (tokens[i].is_identifier() && tokens[i + 1].is("(")) {
                bounds[tokens[i].text] = threads;
                break;
            }
    }
    return bounds;
}

// Shared by a module and its entries, which may outlive it.
struct Shared {
    ProgramText program;
    std::string architecture;
    DeviceLimits limits;
    Checks checks;
    std::vector<Signature> signatures;
    std::map<std::string, unsigned> bounds;
    std::mutex mutex;
    std::deque<ProgramVariableState> variables;
};

class SimulatorEntry : public Entry {
public:
    SimulatorEntry(std::shared_ptr<Shared> shared, std::shared_ptr<Unit> unit, std::string name,
                   Signature signature)
        : shared_(std::move(shared)),
          unit_(std::move(unit)),
          name_(std::move(name)),
          signature_(std::move(signature)) {
        const std::size_t bytes = unit_->shared_bytes(name_, shared_->signatures);
        if (bytes > shared_->limits.shared_bytes_per_block)
            throw Error("Program: ", name_, " of ", shared_->program.name, " has ", bytes,
                        " bytes of static __shared__ memory, CUDA allows ",
                        shared_->limits.shared_bytes_per_block,
                        ". Use smaller arrays, or dynamic shared memory (extern __shared__).");
    }

    const std::string& name() const override { return name_; }
    const Signature& signature() const override { return signature_; }

    EntryAttributes attributes() const override {
        EntryAttributes attributes;
        attributes.static_shared_bytes = unit_->shared_bytes(name_, shared_->signatures);
        if (const auto found = shared_->bounds.find(signature_.name);
            found != shared_->bounds.end())
            attributes.max_threads_per_block = found->second;
        const lanes_entry_record& record = unit_->copy(0).entry(unit_->number_of(name_));
        attributes.parameter_bytes.assign(record.parameter_bytes,
                                          record.parameter_bytes + record.parameters);
        return attributes;
    }

    LaunchReport launch(const LaunchConfig& config,
                        const std::vector<BoundArgument>& arguments) override {
        if (config.cooperative)
            check_cooperative(launch_text(name_, config), config, shared_->limits, attributes());
        LaunchReport report;
        report.cuda_kernel = name_;
        report.device = "simulator";
        report.config = config;
        report.simulated = true;
        report.static_shared_bytes = unit_->shared_bytes(name_, shared_->signatures);
        const auto find_lines =
            [unit = unit_, name = shared_->program.name](const std::vector<const void*>& codes) {
                LineTable table(unit->object(), unit->copy(0).base(), name);
                table.prepare(codes);
                std::vector<int> lines;
                lines.reserve(codes.size());
                for (const void* code : codes) lines.push_back(table(code).line);
                return lines;
            };
        const LaunchRequest request{
            shared_->program, name_,     shared_->signatures, *unit_, shared_->variables,
            config,           arguments, shared_->checks,     report, find_lines};
        return shared_->checks.any() ? launch_checked(request) : launch_fast(request);
    }

private:
    std::shared_ptr<Shared> shared_;
    std::shared_ptr<Unit> unit_;
    std::string name_;
    Signature signature_;
};

// The value is stored in the module; copies of the program receive it before the next launch.
class VariableMemory : public Memory {
public:
    VariableMemory(std::shared_ptr<Shared> shared, ProgramVariableState& state)
        : shared_(std::move(shared)), state_(state) {}

    void upload(std::size_t offset, const void* from, std::size_t bytes) override {
        const std::lock_guard<std::mutex> lock(shared_->mutex);
        std::memcpy(state_.value.data() + offset, from, bytes);
        ++state_.version;
    }
    void download(std::size_t offset, void* to, std::size_t bytes) const override {
        const std::lock_guard<std::mutex> lock(shared_->mutex);
        std::memcpy(to, state_.value.data() + offset, bytes);
    }
    void fill_zero() override {
        const std::lock_guard<std::mutex> lock(shared_->mutex);
        std::fill(state_.value.begin(), state_.value.end(), static_cast<unsigned char>(0));
        ++state_.version;
    }
    std::size_t bytes() const override { return state_.value.size(); }
    void* address() const override { return state_.value.data(); }

private:
    std::shared_ptr<Shared> shared_;
    ProgramVariableState& state_;
};

class SimulatorModule : public Module {
public:
    SimulatorModule(const ProgramText& program, const std::string& architecture,
                    const DeviceLimits& limits, const Checks& checks)
        : Module(program), shared_(std::make_shared<Shared>()) {
        shared_->program = program;
        shared_->architecture = architecture;
        shared_->limits = limits;
        shared_->checks = checks;
        shared_->signatures = declarations().signatures;
        shared_->bounds = launch_bounds(preprocess(program.text, program.flags).tokens);
        std::vector<std::string> names;
        for (const auto& signature : shared_->signatures)
            if (!signature.is_template) names.push_back(signature.qualified_name());
        names.insert(names.end(), program.instances.begin(), program.instances.end());
        refuse_what_is_no_cuda(program);
        unit_ = compile_text(program, names, architecture, checks.any());
        for (const Variable& variable : declarations().variables)
            if (const ElfSymbol* symbol = unit_->find_variable(variable)) {
                const Library& copy = unit_->copy(0);
                const auto place = copy.base() + symbol->address;  // where the loader put it
                // NOLINTNEXTLINE(performance-no-int-to-ptr)
                const auto* first = reinterpret_cast<const unsigned char*>(place);
                shared_->variables.push_back({variable, {first, first + symbol->bytes}, 0});
            }
        refuse_too_much_constant_memory();
    }

    std::shared_ptr<Entry> entry(const std::string& name_expression) override {
        const auto signature = find_signature(shared_->signatures, name_expression);
        if (!signature.has_value())
            throw Error("Program::kernel: '", name_expression, "' is no __global__ function of ",
                        program().name, ". Look at the spelling.");
        if (unit_->number_of(signature->qualified_name()) >= 0 && !signature->is_template)
            return std::make_shared<SimulatorEntry>(shared_, unit_, signature->qualified_name(),
                                                    *signature);
        if (unit_->number_of(name_expression) >= 0)
            return std::make_shared<SimulatorEntry>(shared_, unit_, name_expression, *signature);
        const std::lock_guard<std::mutex> lock(shared_->mutex);
        auto& unit = instantiations_[name_expression];
        if (!unit)
            unit = compile_text(program(), {name_expression}, shared_->architecture,
                                shared_->checks.any());
        return std::make_shared<SimulatorEntry>(shared_, unit, name_expression, *signature);
    }

    std::shared_ptr<Memory> variable(const std::string& name) override {
        for (auto& state : shared_->variables)
            if (state.declaration.name == name || state.declaration.qualified_name() == name)
                return std::make_shared<VariableMemory>(shared_, state);
        throw Error("Program::variable: '" + name + "' of " + program().name +
                    " is used by no __global__ function, so the compiler left it out. Use it, or "
                    "do not set it.");
    }

private:
    void refuse_too_much_constant_memory() const {
        std::size_t bytes = 0;
        std::string names;
        for (const auto& variable : shared_->variables) {
            if (!variable.declaration.constant) continue;
            bytes += variable.value.size();
            names += (names.empty() ? "" : ", ") + variable.declaration.name + " " +
                     std::to_string(variable.value.size());
        }
        if (bytes > shared_->limits.constant_bytes)
            throw Error("Program: ", program().name, " has ", bytes,
                        " bytes of __constant__ memory (", names, "), CUDA allows ",
                        shared_->limits.constant_bytes,
                        ". Use smaller arrays, or pass the values in a Buffer.");
    }

    std::shared_ptr<Shared> shared_;
    std::shared_ptr<Unit> unit_;
    std::map<std::string, std::shared_ptr<Unit>> instantiations_;
};

}  // namespace

std::shared_ptr<Module> make_module(const ProgramText& program, const std::string& architecture,
                                    const DeviceLimits& limits, const Checks& checks) {
    return std::make_shared<SimulatorModule>(program, architecture, limits, checks);
}

}  // namespace lanes::gpu::simulator
