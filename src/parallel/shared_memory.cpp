#include "shared_memory.hpp"

#include "lanes/base/error.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace lanes::parallel {

SharedMemory::SharedMemory(const char* name, std::size_t bytes) : bytes_(bytes), data_(MAP_FAILED) {
    const int file = memfd_create(name, MFD_CLOEXEC);
    if (file >= 0 && ftruncate(file, static_cast<off_t>(bytes)) == 0)
        data_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    const int error = errno;
    if (file >= 0) close(file);
    LANES_REQUIRE(data_ != MAP_FAILED, name, ": no shared memory of ", bytes, " bytes (",
                  std::strerror(error), "). Ask for less, or close what is no longer needed.");
}

SharedMemory::~SharedMemory() { munmap(data_, bytes_); }

}  // namespace lanes::parallel
