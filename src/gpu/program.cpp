#include "lanes/gpu/program.hpp"

#include "backend.hpp"
#include "gpu/cache/program_files.hpp"
#include "gpu/source/flags.hpp"
#include "gpu/source/type_names.hpp"
#include "gpu/trace_log.hpp"
#include "lanes/base/error.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <utility>

namespace lanes {

namespace {

std::string names_of(const std::vector<gpu::Signature>& signatures) {
    std::string text;
    for (const gpu::Signature& signature : signatures)
        text += (text.empty() ? "" : ", ") + signature.qualified_name() +
                (signature.is_template ? "<…>" : "");
    return text.empty() ? "no __global__ function at all" : text;
}

// The text of a %%cuda cell begins with a line such as #line 3 "In[7]". Empty lines take its place,
// so that each line has the number that the user sees.
gpu::ProgramText text_and_name(const std::string& text, const ProgramOptions& options) {
    static const std::regex place("^#line ([0-9]{1,6}) \"([^\"\n]*)\"\n");
    std::smatch found;
    if (!std::regex_search(text, found, place, std::regex_constants::match_continuous))
        return {text, options.name, {}};
    const int line = std::stoi(found[1]);
    return {std::string(static_cast<std::size_t>(std::max(0, line - 1)), '\n') +
                text.substr(static_cast<std::size_t>(found.length())),
            options.name == ProgramOptions().name ? found[2].str() : options.name,
            {},
            "cell.cu"};
}

}  // namespace

const std::string& keep_cuda_text(const std::string& name, std::string text) {
    static std::map<std::string, std::string> texts;
    return texts[name] = std::move(text);
}

const std::string& CudaKernel::name() const { return entry_->name(); }

Program::Program(const Device& device, const std::string& text, const ProgramOptions& options)
    : device_(device) {
    std::vector<std::string> flags = gpu::normal_flags(options.flags);
    flags.push_back("--gpu-architecture=" + device.architecture());
    gpu::ProgramText program = text_and_name(text, options);
    program.flags = std::move(flags);
    module_ = device.backend()->compile(program);
}

Program Program::from_file(const Device& device, const std::string& path, ProgramOptions options) {
    const auto file = gpu::find_program_file(path);
    std::ifstream in(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (in.bad())
        throw Error("Program::from_file: '", file.string(),
                    "' cannot be read. Look at its permissions.");
    if (options.name == ProgramOptions().name) options.name = path;
    options.flags.push_back("-I" + (file.has_parent_path() ? file.parent_path().string() : "."));
    return Program(device, text, options);
}

CudaKernel Program::kernel(const std::string& name) const {
    gpu::count_kernel_lookup();
    const auto& program = module_->program();
    const auto& signatures = module_->declarations().signatures;
    const auto signature = gpu::find_signature(signatures, name);
    if (!signature)
        throw Error("Program::kernel: '" + name + "' is no __global__ function of " + program.name +
                    ", which has " + names_of(signatures) +
                    ". Look at the spelling; a function without __global__ cannot be launched.");
    if (signature->is_template && name.find('<') == std::string::npos)
        throw Error("Program::kernel: '" + name + "' is a template. Name its arguments: \"" + name +
                    "<…>\".");
    return {device_, module_->entry(name)};
}

ProgramVariable Program::variable(const std::string& name) const {
    const auto& program = module_->program();
    const auto& variables = module_->declarations().variables;
    const auto known =
        std::find_if(variables.begin(), variables.end(), [&](const gpu::Variable& variable) {
            return variable.name == name || variable.qualified_name() == name;
        });
    std::string names;
    for (const gpu::Variable& variable : variables)
        names += (names.empty() ? "" : ", ") + variable.qualified_name();
    if (known == variables.end())
        throw Error("Program::variable: '", name, "' is no __constant__ or __device__ variable of ",
                    program.name, ", which has ", names.empty() ? "none" : names,
                    ". Look at the spelling.");
    return {name, known->type, module_->variable(name)};
}

std::vector<std::string> Program::kernel_names() const {
    std::vector<std::string> names;
    for (const gpu::Signature& signature : module_->declarations().signatures)
        if (!signature.is_template) names.push_back(signature.qualified_name());
    return names;
}

namespace {

// Whether host elements of this type can be elements of a variable; `wanted` is their type there.
bool fits(const std::string& type, const gpu::TypeTag& given, gpu::TypeTag& wanted) {
    using Kind = gpu::TypeTag::Kind;
    wanted = gpu::tag_of_spelling(type);
    if (wanted.kind == Kind::other) wanted = gpu::tag_of_component(type);  // float for a float4
    return wanted.kind == Kind::other || given.kind == Kind::other || gpu::same_type(wanted, given);
}

}  // namespace

void ProgramVariable::upload_bytes(const void* from, std::size_t bytes,
                                   const gpu::TypeTag& given) const {
    gpu::TypeTag wanted;
    if (!fits(type_, given, wanted))
        throw Error("ProgramVariable::upload: values of type ", given.name, " for ", name_,
                    ", whose elements are ", type_, ". Convert them first: std::vector<",
                    wanted.name, ">(values.begin(), values.end()).");
    if (bytes > memory_->bytes())
        throw Error("ProgramVariable::upload: ", bytes, " bytes for ", name_, ", which has ",
                    memory_->bytes(), ". Give fewer values, or declare it larger.");
    memory_->upload(0, from, bytes);
}

std::size_t ProgramVariable::count_of(std::size_t element_bytes, const gpu::TypeTag& wanted) const {
    gpu::TypeTag own;
    if (!fits(type_, wanted, own))
        throw Error("ProgramVariable::download: values of type ", wanted.name, " from ", name_,
                    ", whose elements are ", type_, ". Write download<", own.name, ">().");
    if (memory_->bytes() % element_bytes != 0)
        throw Error("ProgramVariable::download: elements of ", element_bytes, " bytes from ", name_,
                    ", which has ", memory_->bytes(), ". Use the type of its elements, ", type_,
                    ".");
    return memory_->bytes() / element_bytes;
}

void ProgramVariable::download_bytes(void* to, std::size_t bytes) const {
    memory_->download(0, to, bytes);
}

}  // namespace lanes
