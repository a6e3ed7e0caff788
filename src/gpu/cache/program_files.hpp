// Finds the CUDA programs of the course (kernels_src) and those of a student.
#pragma once

#include <filesystem>
#include <string>

namespace lanes::gpu {

// A file at this path; otherwise one of that name in kernels_src of the checkout. Throws Error with
// every place that was tried.
std::filesystem::path find_program_file(const std::string& path);

// A file in kernels_src of the checkout, never one in the working folder: a student's max.cu must
// not replace the library's. Throws Error like the above.
std::filesystem::path find_course_program(const std::string& name);

}  // namespace lanes::gpu
