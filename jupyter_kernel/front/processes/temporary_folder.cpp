#include "temporary_folder.hpp"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

namespace xcpp_front {
namespace {

namespace fs = std::filesystem;

// Whether the name is one of ours and its process is gone.
bool is_abandoned(const fs::path& path) {
    int pid = 0;
    unsigned number = 0;
    if (std::sscanf(path.filename().c_str(), "xcpp17-%d-%8x", &pid, &number) != 2 || pid <= 0)
        return false;
    struct stat seen{};
    if (::lstat(path.c_str(), &seen) != 0 || !S_ISDIR(seen.st_mode) || seen.st_uid != ::geteuid())
        return false;
    return ::kill(pid, 0) != 0 && errno == ESRCH;
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
    std::error_code failed;
    const fs::path where = fs::temp_directory_path(failed);
    char name[40];
    std::snprintf(name, sizeof name, "xcpp17-%d-%08x", static_cast<int>(::getpid()),
                  std::random_device()());
    path_ = (failed ? fs::path("/tmp") : where) / name;
    ::setenv("XCPP_TEMPORARY", path_.c_str(), 1);
}

void TemporaryFolder::remove() const {
    std::error_code failed;
    fs::remove_all(path_, failed);
    for (fs::directory_iterator at(path_.parent_path(), failed), end; !failed && at != end;
         at.increment(failed)) {
        std::error_code ignored;
        if (is_abandoned(at->path())) fs::remove_all(at->path(), ignored);
    }
}

}  // namespace xcpp_front
