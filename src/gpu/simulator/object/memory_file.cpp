#include "memory_file.hpp"

#include "lanes/base/error.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace lanes::gpu::simulator {

MemoryFile::MemoryFile(const std::string& content)
    : descriptor_(memfd_create("lanes-simulator", MFD_CLOEXEC)) {
    if (descriptor_ < 0)
        throw Error("simulator: no memory file for a compiled CUDA program (", std::strerror(errno),
                    "). Close files that are no longer needed.");
    std::size_t done = 0;
    while (done < content.size()) {
        const ssize_t wrote = write(descriptor_, content.data() + done, content.size() - done);
        if (wrote > 0) {
            done += static_cast<std::size_t>(wrote);
        } else if (errno != EINTR) {
            const int why = errno;
            close(descriptor_);
            throw Error(std::string("simulator: no memory for a compiled CUDA program (") +
                        std::strerror(why) + "). Free memory.");
        }
    }
}

MemoryFile::~MemoryFile() { close(descriptor_); }

// Not /proc/self: for a child process that would be the child itself.
std::string MemoryFile::path_for_children() const {
    return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(descriptor_);
}

}  // namespace lanes::gpu::simulator
