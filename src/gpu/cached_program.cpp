#include "cached_program.hpp"

#include "gpu/cache/program_files.hpp"

#include <utility>
#include <vector>

namespace lanes::gpu {

CachedProgram& CachedProgram::of(const Device& device, const std::string& file,
                                 const std::vector<std::string>& flags) {
    static std::mutex mutex;
    static auto& kept = *new std::vector<std::unique_ptr<CachedProgram>>();
    const std::lock_guard lock(mutex);
    for (const auto& program : kept)
        if (program->fits(device, file, flags)) return *program;
    kept.push_back(std::make_unique<CachedProgram>(device, file, flags));
    return *kept.back();
}

CachedProgram::CachedProgram(const Device& device, std::string file, std::vector<std::string> flags)
    : file_(std::move(file)),
      flags_(std::move(flags)),
      program_(Program::from_file(device, find_course_program(file_).string(), {file_, flags_})) {}

CudaKernel CachedProgram::kernel(const std::string& name) {
    const std::lock_guard lock(mutex_);
    const auto found = kernels_.find(name);
    return found != kernels_.end() ? found->second
                                   : kernels_.emplace(name, program_.kernel(name)).first->second;
}

ProgramVariable CachedProgram::variable(const std::string& name) {
    const std::lock_guard lock(mutex_);
    const auto found = variables_.find(name);
    return found != variables_.end()
               ? found->second
               : variables_.emplace(name, program_.variable(name)).first->second;
}

bool CachedProgram::fits(const Device& device, const std::string& file,
                         const std::vector<std::string>& flags) const {
    const Device& own = program_.device();
    return file == file_ && flags == flags_ && own.is_simulator() == device.is_simulator() &&
           own.architecture() == device.architecture() && own.shares_memory_with(device) &&
           own.checks() == device.checks();
}

}  // namespace lanes::gpu
