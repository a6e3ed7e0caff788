// A folder for files that must not outlive this Jupyter kernel, whoever is killed while he uses
// them. Only its name is made here, and told in XCPP_TEMPORARY: the session, a library or a child
// makes the folder when it needs it, and takes it away if it can.
#pragma once

#include <filesystem>

namespace xcpp_front {

class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder() { remove(); }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    // With all that is in it, and those of fronts that were killed themselves.
    void remove() const;

private:
    std::filesystem::path path_;
};

}  // namespace xcpp_front
