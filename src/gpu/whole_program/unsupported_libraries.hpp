// What a program may use with nvcc and not here, by name.
#pragma once

#include <string>

namespace lanes::gpu::whole_program {

// A sentence about the library of a header, "curand.h: …"; "" if it is none of those refused.
std::string refused_header(const std::string& path);

// The same for a name of CUDA that the compiler does not know.
std::string refused_name(const std::string& name);

}  // namespace lanes::gpu::whole_program
