// What a compiled program needs to know of itself when it runs: the device texts, and which
// function of the host stands for which CUDA kernel. The one who compiles it writes this to a file;
// src/cuda_runtime reads it.
#pragma once

#include "split.hpp"

#include <string>
#include <vector>

namespace lanes::gpu::whole_program {

// Names the file of the manifest to the program.
constexpr const char* manifest_variable = "LANES_CUDA_PROGRAM";

struct Launchable {
    std::string symbol;      // of the host's function that launches it, mangled
    std::string expression;  // as Program::kernel takes it: "tile<float, 16>"
};

struct DeviceUnit {
    std::string name;  // of the file, for messages
    // What the executable's local symbols say of their origin: two files may have a static CUDA
    // kernel or a variable of the same name.
    std::string host_file;
    std::string text;
    std::vector<SourcePlace> lines;
    std::vector<std::string> flags;
    std::vector<Launchable> launchables;
};

struct SourceText {
    std::string name, text;
};

struct Manifest {
    std::vector<DeviceUnit> units;
    std::vector<SourceText> texts;  // those that are in no file, to be shown in messages
    // Places "file.cu:12" where the result of a CUDA function is not looked at.
    std::vector<std::string> ignored;
    bool fast = false;           // no checks
    std::string runtime_folder;  // of CUDA's headers, whose lines are not the program's
    std::string report;          // the file that gets a ProgramReport at the end; "": none
};

// What the program's CUDA functions say of the run when it ends.
struct ProgramReport {
    std::size_t launches = 0;                  // of CUDA kernels that ran
    unsigned long long loads = 0, stores = 0;  // of elements of global memory, by all of them
    std::string findings;                      // what was printed about mistakes, with newlines
};

std::string to_bytes(const ProgramReport& report);
ProgramReport report_of(const std::string& bytes);  // throws Error if they are damaged

std::string to_bytes(const Manifest& manifest);
Manifest manifest_of(const std::string& bytes);  // throws Error if they are damaged

// A list of texts as one, and back.
std::string joined(const std::vector<std::string>& texts);
std::vector<std::string> taken_apart(const std::string& bytes);

}  // namespace lanes::gpu::whole_program
