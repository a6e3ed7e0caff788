#include "lanes/base/machine.hpp"

#include "lanes/base/workers.hpp"

#include <cstdlib>

namespace lanes {

namespace {

std::string (*name_of_device)() = nullptr;

}  // namespace

bool is_unattended() {
    for (const char* name : {"CI", "NBGRADER_EXECUTION", "PYTEST_CURRENT_TEST"})
        if (std::getenv(name)) return true;
    return false;
}

std::string machine_line() {
#if defined(__x86_64__)
    const std::string processor = "x86-64";
#elif defined(__aarch64__)
    const std::string processor = "aarch64";
#else
    const std::string processor = "another processor";
#endif
    const int cores = num_cores();
    return std::to_string(cores) + (cores == 1 ? " core, " : " cores, ") + processor +
           (name_of_device ? ", " + name_of_device() : "");
}

namespace detail {

bool set_device_name(std::string (*device_name)()) {
    name_of_device = device_name;
    return true;
}

}  // namespace detail

}  // namespace lanes
