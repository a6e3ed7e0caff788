// Programs of kernels_src, compiled once for each device of this process: a second call of a GPU
// version pays for its copies and its launch only.
#pragma once

#include "lanes/gpu/program.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace lanes::ops {

class KeptProgram {
public:
    // The program of that file for this device, or for one that cannot be told from it. Never
    // freed: a GPU's driver may be gone when a process ends.
    static KeptProgram& of(const Device& device, const std::string& file,
                           const std::vector<std::string>& flags = {});

    KeptProgram(const Device& device, std::string file, std::vector<std::string> flags);
    CudaKernel kernel(const std::string& name);  // by any thread
    const Program& program() const { return program_; }
    bool fits(const Device& device, const std::string& file,
              const std::vector<std::string>& flags) const;
    std::mutex& constants() {
        return constants_;
    }  // to be held from setting a __constant__ variable until the launch has ended

private:
    std::string file_;
    std::vector<std::string> flags_;
    Program program_;
    std::map<std::string, CudaKernel> kernels_;
    std::mutex mutex_, constants_;
};

}  // namespace lanes::ops
