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

#include <string>
#include <vector>

namespace lanes {

struct CudaProgramOptions {
    std::vector<std::string> flags;  // -Ifolder, -DNAME=value, -std=c++20, -fopenmp, -lm, …
    bool fast = false;               // on the simulator: without its checks
};

// source: the program's text; name: of the text in messages. Its output goes to this process's
// standard output and error while it runs. Returns its exit status, or 128 + the number of the
// signal that ended it; 1 if a CUDA kernel failed, the program never looked at the error and
// returned 0. Throws CudaCompileError with the lines of the text, and Error if the interrupt button
// was pressed.
int run_cuda_program(const std::string& source, const std::string& name,
                     const std::vector<std::string>& arguments = {});
int run_cuda_program(const std::string& source, const std::string& name,
                     const std::vector<std::string>& arguments, const CudaProgramOptions& options);

// The same for a program of one or several files: .cu, .cpp, .cc. Files that they include are
// searched beside them and in the folders of -I.
int run_cuda_files(const std::vector<std::string>& files,
                   const std::vector<std::string>& arguments = {},
                   const CudaProgramOptions& options = {});

}  // namespace lanes
