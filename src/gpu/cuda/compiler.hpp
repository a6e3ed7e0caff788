// CUDA C++ to machine code of one architecture, at run time and without any GPU.
#pragma once

#include "gpu/backend.hpp"

#include <map>
#include <string>
#include <vector>

namespace lanes::gpu::cuda {

struct CubinRequest {
    ProgramText program;
    std::string architecture;                   // "sm_90"
    std::vector<std::string> name_expressions;  // functions, and variables as "&name"
};

struct Cubin {
    std::string image;
    std::map<std::string, std::string> lowered_names;  // by name expression
    bool from_cache = false;
};

// Those of a whole program: its functions, templates with the arguments that it names, variables.
std::vector<std::string> name_expressions(const ProgramText& program,
                                          const Declarations& declarations);

// By the compiler itself. Throws CudaCompileError with the program's own lines, Error where there
// is no compiler.
Cubin compile_cubin(const CubinRequest& request);

// The same through the cache on disk.
Cubin cached_cubin(const CubinRequest& request);

// Part of the cache key, besides the request: version and build of the compiler.
std::string compiler_identity();

std::vector<std::string> supported_architectures();  // "sm_75", …, in order

// The architecture to compile for on a device: its own one, or an older one of the same family
// where the compiler does not know it yet.
std::string architecture_for(const std::string& device_architecture);

// Every file that is looked for, in order, where the compiler is not loaded yet.
std::vector<std::string> compiler_places();

// Folders with CUDA's own headers, such as cooperative_groups.h; empty if there are none.
std::vector<std::string> toolkit_include_folders();

// Every __global__ function of the text that is no template, compiled for a named architecture, and
// no GPU needed.
Cubin compile_for_architecture(const std::string& text, const std::string& architecture,
                               const std::vector<std::string>& flags = {},
                               const std::string& name = "program.cu");

}  // namespace lanes::gpu::cuda
