// What the checks of save_checkpoint and load_checkpoint share: a folder, and the form of the file:
// the step as an int, then the weights as floats, both as they are in memory.
#pragma once

#include <signal.h>
#include <sys/resource.h>

#include <cstddef>
#include <string>
#include <vector>

namespace lanes::exercises {

// A new folder, removed with its files.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::string& path() const { return path_; }
    std::vector<std::string> names() const;

private:
    std::string path_;
};

void write_checkpoint(const std::string& path, int step, const std::vector<float>& weights);

// While it exists, this process cannot make a file longer than so many bytes: as on a full disk,
// the bytes before are written and the rest is an error. All threads have the limit. Choose it
// longer than files are that other threads may write to.
class FullDisk {
public:
    explicit FullDisk(std::size_t bytes);
    ~FullDisk();
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

private:
    rlimit limit_before_{};
    struct sigaction action_before_{};
};

// What has happened in a folder, in order: "create NAME", "modify NAME", "delete NAME" and "move
// NAME" if a file got this name by a rename.
class FolderWatch {
public:
    explicit FolderWatch(const std::string& folder);
    ~FolderWatch();
    FolderWatch(const FolderWatch&) = delete;
    FolderWatch& operator=(const FolderWatch&) = delete;
    std::vector<std::string> events() const;

private:
    int queue_;
};

}  // namespace lanes::exercises
