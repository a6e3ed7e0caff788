#include "work_folder.hpp"

#include "lanes/base/error.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace lanes::gpu::simulator {

namespace {

namespace fs = std::filesystem;

const std::string prefix = "lanes-simulator-";

int open_folder(const fs::path& path) {
    return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

bool is_own_folder(int folder) {
    struct stat seen{};
    return fstat(folder, &seen) == 0 && seen.st_uid == geteuid();
}

// Whether the path still names the folder that was opened.
bool is_at(int folder, const fs::path& path) {
    struct stat opened{}, named{};
    return fstat(folder, &opened) == 0 && lstat(path.c_str(), &named) == 0 &&
           opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

void remove_folder(const fs::path& path) {
    std::error_code ignored;
    fs::remove_all(path, ignored);
}

// In a notebook the Jupyter kernel removes this folder when it stops, even if its session was
// killed.
const char* of_notebook() { return std::getenv("XCPP_TEMPORARY"); }

fs::path place() {
    const char* folder = of_notebook();
    if (!folder) return fs::temp_directory_path();
    mkdir(folder, 0700);
    return folder;
}

void remove_abandoned(const fs::path& where) {
    std::error_code failed;
    for (fs::directory_iterator at(where, failed), end; !failed && at != end;
         at.increment(failed)) {
        if (at->path().filename().string().rfind(prefix, 0) != 0) continue;
        const int folder = open_folder(at->path());
        if (folder < 0) continue;
        if (is_own_folder(folder) && flock(folder, LOCK_EX | LOCK_NB) == 0)
            remove_folder(at->path());
        close(folder);
    }
}

}  // namespace

WorkFolder::WorkFolder() {
    remove_abandoned(place());
    for (int turn = 0; lock_ < 0; ++turn) {
        const fs::path where = place();
        std::string pattern = (where / (prefix + "XXXXXX")).string();
        if (!mkdtemp(pattern.data())) {
            // Another WorkFolder was just removed, and the notebook's folder with it: try again.
            if (errno == ENOENT && of_notebook() && turn < 1000) continue;
            throw Error("simulator: no folder can be made in " + where.string() + " (" +
                        std::strerror(errno) + "). Free some space there, or set TMPDIR.");
        }
        path_ = pattern;
        lock_ = open_folder(path_);
        if (lock_ < 0) {
            const int why = errno;
            remove_folder(path_);
            if (why != ENOENT)
                throw Error("simulator: ", pattern, " cannot be opened (", std::strerror(why),
                            "). Close files that are no longer needed.");
            continue;
        }
        // Another process may have removed it as abandoned before it was locked.
        while (flock(lock_, LOCK_EX) != 0 && errno == EINTR) {
        }
        if (is_at(lock_, path_)) continue;
        close(lock_);
        lock_ = -1;
    }
}

WorkFolder::~WorkFolder() {
    remove_folder(path_);
    close(lock_);
    if (const char* folder = of_notebook()) rmdir(folder);  // fails if it is still in use
}

}  // namespace lanes::gpu::simulator
