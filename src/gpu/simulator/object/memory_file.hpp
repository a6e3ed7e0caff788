// A file that has no name: gone when nobody has it open any more, also when the process is killed.
#pragma once

#include <string>

namespace lanes::gpu::simulator {

class MemoryFile {
public:
    // Throws Error where there is no memory or no descriptor left.
    explicit MemoryFile(const std::string& content);
    ~MemoryFile();
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    int descriptor() const { return descriptor_; }
    // For programs that this process starts, as long as this object lives.
    std::string path_for_children() const;

private:
    int descriptor_;
};

}  // namespace lanes::gpu::simulator
