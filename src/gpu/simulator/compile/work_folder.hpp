// A folder for the files of one compilation, removed at the end of the scope. If the process is
// killed before that, the next WorkFolder of any process of the same user removes it: a folder in
// use is locked, and the system releases the lock of a dead process.
#pragma once

#include <filesystem>
#include <string>

namespace lanes::gpu::simulator {

class WorkFolder {
public:
    WorkFolder();
    ~WorkFolder();
    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

private:
    std::filesystem::path path_;
    int lock_ = -1;
};

}  // namespace lanes::gpu::simulator
