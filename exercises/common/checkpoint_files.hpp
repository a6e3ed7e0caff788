// What the checks of save_checkpoint and load_checkpoint share: a folder, and the form of the file:
// the step as an int, then the weights as floats, both as they are in memory.
#pragma once

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
