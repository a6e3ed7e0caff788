// A folder for files that must not outlive this Jupyter kernel, even if a process that uses them is
// killed. XCPP_TEMPORARY names it for the session, for libraries and for children.
#pragma once

#include "wire/wire.hpp"

#include <filesystem>

namespace xcpp_front {

class TemporaryFolder {
public:
    // Makes the folder, which nobody else may read. If none can be made, there is a name only.
    TemporaryFolder();
    ~TemporaryFolder() { remove(); }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    // With all that is in it, and those of fronts that were killed themselves.
    void remove() const;

private:
    std::filesystem::path path_;
    // A file in the folder, locked as long as this process lives: processes of other machines may
    // share the folder for temporary files, so a process id says nothing.
    xcpp_wire::Descriptor lock_;
};

}  // namespace xcpp_front
