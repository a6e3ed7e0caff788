// Where a program runs, for notebooks that time something.
//
//   #include <iostream>
//   const int repeats = lanes::is_unattended() ? 2 : 20;  // CI does not check the speed
//   std::cout << repeats << " repeats on " << lanes::machine_line() << '\n';
#pragma once

#include <string>

namespace lanes {

// Whether nobody watches the output: CI, NBGRADER_EXECUTION or PYTEST_CURRENT_TEST is set.
// Notebooks then repeat less, and progress is plain text.
bool is_unattended();

// "16 cores, x86-64 (Intel(R) Xeon(R) Platinum 8468)"; without the name if the system does not say.
std::string cpu_line();

// What a table of times must name: cpu_line() and "CUDA simulator" or the name of the GPU. A
// program without the module gpu gets cpu_line().
std::string machine_line();

namespace detail {

// The module gpu calls this when it is loaded, because base cannot include it.
bool set_device_name(std::string (*device_name)());

}  // namespace detail

}  // namespace lanes
