// A file without a name. It disappears when no process has it open any more, even after a kill.
#pragma once

#include <string>

namespace lanes::gpu::simulator {

class MemoryFile {
public:
    // Throws Error if no memory or no file descriptor is left.
    explicit MemoryFile(const std::string& content);
    ~MemoryFile();
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    int descriptor() const { return descriptor_; }
    // A path for programs that this process starts, valid as long as this object exists.
    std::string path_for_children() const;

private:
    int descriptor_;
};

}  // namespace lanes::gpu::simulator
