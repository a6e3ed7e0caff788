// Programs of kernels_src, compiled once per device and process: a second call of a GPU version
// pays only for its copies and its launch.
#pragma once

#include "lanes/gpu/program.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace lanes::gpu {

class CachedProgram {
public:
    // The program of that file for this device or an equal one. Never freed, because the GPU's
    // driver may already be unloaded when the process ends.
    static CachedProgram& of(const Device& device, const std::string& file,
                             const std::vector<std::string>& flags = {});

    CachedProgram(const Device& device, std::string file, std::vector<std::string> flags);
    CudaKernel kernel(const std::string& name);  // thread-safe
    ProgramVariable variable(const std::string& name);
    const Program& program() const { return program_; }
    bool fits(const Device& device, const std::string& file,
              const std::vector<std::string>& flags) const;
    std::mutex& constants() {
        return constants_;
    }  // hold this lock from setting a __constant__ variable until the launch has ended

private:
    std::string file_;
    std::vector<std::string> flags_;
    Program program_;
    std::map<std::string, CudaKernel> kernels_;
    std::map<std::string, ProgramVariable> variables_;
    std::mutex mutex_, constants_;
};

}  // namespace lanes::gpu
