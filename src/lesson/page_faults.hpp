// Page faults of this process, and memory whose pages the operating system has not given out yet.
#pragma once

#include "lanes/base/error.hpp"

#include <sys/mman.h>

#include <cstddef>
#include <fstream>
#include <sstream>
#include <string>

namespace lanes::lesson {

// Those of this process so far that needed no disk: the 10th value of /proc/self/stat.
inline double page_faults() {
    std::ifstream file("/proc/self/stat");
    std::string line, value;
    std::getline(file, line);
    std::istringstream values(line.substr(line.rfind(')') + 1));  // from the 3rd on
    for (int i = 3; i <= 10; ++i) values >> value;
    return std::stod(value);
}

class NewPages {
public:
    explicit NewPages(std::size_t bytes)
        : bytes_(bytes),
          start_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
        LANES_REQUIRE(start_ != MAP_FAILED, "NewPages: ", bytes, " bytes could not be allocated.");
    }
    ~NewPages() { munmap(start_, bytes_); }
    NewPages(const NewPages&) = delete;
    NewPages& operator=(const NewPages&) = delete;
    void* start() const { return start_; }

private:
    std::size_t bytes_;
    void* start_;
};

}  // namespace lanes::lesson
