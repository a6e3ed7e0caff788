#include "temporary_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

namespace xcpp_front {
namespace {

namespace fs = std::filesystem;

const std::string prefix = "xcpp17-temporary-";

fs::path lock_file(const fs::path& folder) { return folder / "lock"; }

bool is_own_folder(const fs::path& path) {
    struct stat seen{};
    return ::lstat(path.c_str(), &seen) == 0 && S_ISDIR(seen.st_mode) && seen.st_uid == ::geteuid();
}

// Whether the name is one of ours and no front holds its lock. A folder without a lock file is
// about to be used, or to be removed by somebody else.
bool is_abandoned(const fs::path& path) {
    if (path.filename().string().compare(0, prefix.size(), prefix) != 0 || !is_own_folder(path))
        return false;
    const xcpp_wire::Descriptor lock(
        ::open(lock_file(path).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
    return lock && ::flock(lock.get(), LOCK_EX | LOCK_NB) == 0;
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
    std::error_code failed;
    const fs::path where = fs::temp_directory_path(failed);
    std::string name = ((failed ? fs::path("/tmp") : where) / (prefix + "XXXXXX")).string();
    if (::mkdtemp(name.data()) != nullptr) {
        // Locked before it has its name: a lock file that can be found is held.
        const std::string unnamed = name + "/lock.new";
        lock_ = xcpp_wire::Descriptor(
            ::open(unnamed.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
        if (lock_) ::flock(lock_.get(), LOCK_EX);
        std::rename(unnamed.c_str(), lock_file(name).c_str());
    } else {
        name.resize(name.size() - 6);
        name += std::to_string(::getpid()) + "-" + std::to_string(std::random_device()());
    }
    path_ = name;
    ::setenv("XCPP_TEMPORARY", path_.c_str(), 1);
}

void TemporaryFolder::remove() const {
    std::error_code failed;
    // An empty one can be removed even if this process may open no more files.
    ::unlink(lock_file(path_).c_str());
    if (::rmdir(path_.c_str()) != 0) fs::remove_all(path_, failed);
    for (fs::directory_iterator at(path_.parent_path(), failed), end; !failed && at != end;
         at.increment(failed)) {
        std::error_code ignored;
        if (is_abandoned(at->path())) fs::remove_all(at->path(), ignored);
    }
}

}  // namespace xcpp_front
