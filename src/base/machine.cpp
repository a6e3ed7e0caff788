#include "lanes/base/machine.hpp"

#include "lanes/base/workers.hpp"

#include <cstdlib>
#include <fstream>
#include <map>

namespace lanes {

namespace {

std::string (*name_of_device)() = nullptr;

// The value of a line of /proc/cpuinfo, of the first core; "" if it is not there.
std::string cpu_value(const std::string& key) {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(':');
        if (line.compare(0, key.size(), key) == 0 && colon + 2 < line.size())
            return line.substr(colon + 2);
    }
    return "";
}

// On Arm the kernel gives numbers only. These are the designs of servers; the numbers are those of
// the register MIDR_EL1 in Arm's technical reference manuals.
std::string arm_name() {
    static const std::map<std::string, const char*> names{
        {"0xd08", "Cortex-A72"},  {"0xd0b", "Cortex-A76"},  {"0xd0c", "Neoverse N1"},
        {"0xd40", "Neoverse V1"}, {"0xd49", "Neoverse N2"}, {"0xd4f", "Neoverse V2"}};
    if (cpu_value("CPU implementer") != "0x41") return "";
    const auto found = names.find(cpu_value("CPU part"));
    return found == names.end() ? "" : std::string("Arm ") + found->second;
}

std::string cpu_name() {
    const std::string model = cpu_value("model name");
    return model.empty() ? arm_name() : model;
}

}  // namespace

bool is_unattended() {
    for (const char* name : {"CI", "NBGRADER_EXECUTION", "PYTEST_CURRENT_TEST"})
        if (std::getenv(name)) return true;
    return false;
}

std::string cpu_line() {
#if defined(__x86_64__)
    const std::string processor = "x86-64";
#elif defined(__aarch64__)
    const std::string processor = "aarch64";
#else
    const std::string processor = "another processor";
#endif
    const int cores = num_cores();
    const std::string name = cpu_name();
    return std::to_string(cores) + (cores == 1 ? " core, " : " cores, ") + processor +
           (name.empty() ? "" : " (" + name + ")");
}

std::string machine_line() { return cpu_line() + (name_of_device ? ", " + name_of_device() : ""); }

namespace detail {

bool set_device_name(std::string (*device_name)()) {
    name_of_device = device_name;
    return true;
}

}  // namespace detail

}  // namespace lanes
