// From the files of a CUDA program to an executable: clang compiles the host's side, the simulator
// or NVRTC the device's.
#pragma once

#include "manifest.hpp"

#include "gpu/backend.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace lanes::gpu::whole_program {

struct SourceFile {
    std::string name;  // path of the file; in messages, too
    std::string text;
    bool on_disk = true;  // false: a text without a file, such as a cell's
};

struct BuildRequest {
    std::vector<SourceFile> files;   // .cu, .cpp, .cc, .c
    std::vector<std::string> flags;  // -I, -D, -std=c++17, -O3, -fopenmp, …
    bool fast = false;
    std::string architecture;  // of the GPU, such as "sm_90"; empty: the simulator
};

struct BuiltProgram {
    std::string executable;  // its bytes
    Manifest manifest;
};

// As a back-end compiles it, with all the templates that the host launches.
ProgramText program_text(const DeviceUnit& unit, const std::string& architecture);

// Throws CudaCompileError with the lines of the program's files.
BuiltProgram build(const BuildRequest& request, const std::filesystem::path& work_folder);

}  // namespace lanes::gpu::whole_program
