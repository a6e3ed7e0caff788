// A complete CUDA program, with host and device code, main() and <<<...>>>: compiled and run in a
// process of its own, on a GPU if there is one, otherwise on the simulator with all its checks.
//
//   const int status = lanes::run_cuda_program(R"(
//       #include <cstdio>
//       __global__ void hello() { printf("thread %d\n", threadIdx.x); }
//       int main() {
//           hello<<<1, 4>>>();
//           return cudaDeviceSynchronize();
//       })", "hello.cu");
//
// docs/cuda-programs.md says what a program may use.
#pragma once

#include "lanes/gpu/program.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lanes {

struct CudaProgramOptions {
    std::vector<std::string> flags;  // -Ifolder, -DNAME=value, -std=c++20, -fopenmp, -lm, …
    bool fast = false;               // on the simulator: without its checks
};

// source: the program's text; name: of the text in messages, unless it is that of a %%cuda NAME
// cell, which has a name of its own. Its output goes to this process's
// standard output and error while it runs. Returns its exit status, or 128 + the number of the
// signal that ended it; 1 if a CUDA kernel failed, the program never looked at the error and
// returned 0. Throws CudaCompileError with the lines of the text, and Error if the interrupt button
// was pressed.
int run_cuda_program(const std::string& source, const std::string& name,
                     const std::vector<std::string>& arguments = {});
int run_cuda_program(const std::string& source, const std::string& name,
                     const std::vector<std::string>& arguments, const CudaProgramOptions& options);

// What a program printed, how it ended, and what its CUDA kernels did.
struct CudaProgramRun {
    int status = 0;      // as run_cuda_program returns it
    std::string output;  // to standard output
    std::string errors;  // to standard error: its own lines, and the findings
    // What the simulator and CUDA's functions found wrong, with the lines of the text; also memory
    // that was never freed. Empty if the program crashed: then errors says why.
    std::string findings;
    std::size_t launches = 0;             // of CUDA kernels that ran
    std::uint64_t loads = 0, stores = 0;  // of elements of global memory, by all of them
};

// A program that is compiled once and run several times, on the simulator with all its checks.
//
//   const lanes::WatchedCudaProgram program(text, "saxpy.cu");
//   const std::string printed = program.run({"10", "2"}).output;
class WatchedCudaProgram {
public:
    // As run_cuda_program. Throws CudaCompileError.
    WatchedCudaProgram(const std::string& source, const std::string& name);
    // Prints nothing, and returns what happened.
    CudaProgramRun run(const std::vector<std::string>& arguments = {}) const;

private:
    struct Files;
    std::shared_ptr<const Files> files_;
};

// As run_cuda_program, for a program of one or several files: .cu, .cpp, .cc. Files that they
// include are searched beside them and in the folders of -I.
int run_cuda_files(const std::vector<std::string>& files,
                   const std::vector<std::string>& arguments = {},
                   const CudaProgramOptions& options = {});

}  // namespace lanes
