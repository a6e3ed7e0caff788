// The flags that a user gives: what each compiler gets of them.
#pragma once

#include "build.hpp"
#include "front_end.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace lanes::gpu::whole_program {

// Those that matter before the text is split, and those that matter to the machine code.
struct Flags {
    Words preprocessor, compiler, linker, device;
    std::string standard = "-std=c++17";
};

// Throws Error for a flag that is not known.
Flags sorted_flags(const Words& given);

// The words after "nvcc" that make the executable, without the files. A flag of the user takes the
// place of the one that is given otherwise: nvcc refuses two of a kind.
std::vector<std::string> nvcc_flags(const BuildRequest& request,
                                    const std::filesystem::path& executable);

}  // namespace lanes::gpu::whole_program
