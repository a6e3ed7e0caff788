#include "checkpoint_files.hpp"

#include "lanes/base/error.hpp"

#include <stdlib.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>

namespace lanes::exercises {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "lanes-check-XXXXXX").string();
    LANES_REQUIRE(mkdtemp(pattern.data()) != nullptr, "check: the folder ", pattern,
                  " cannot be made. Set TMPDIR to a folder that you may write to.");
    path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code none;
    fs::remove_all(path_, none);
}

std::vector<std::string> TemporaryFolder::names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(path_))
        names.push_back(entry.path().filename().string());
    return names;
}

void write_checkpoint(const std::string& path, int step, const std::vector<float>& weights) {
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(&step), sizeof step);
    file.write(reinterpret_cast<const char*>(weights.data()),
               static_cast<std::streamsize>(weights.size() * sizeof(float)));
}

FullDisk::FullDisk(std::size_t bytes) {
    struct sigaction ignore{};
    ignore.sa_handler = SIG_IGN;  // or the signal of a file that is too long ends the process
    sigaction(SIGXFSZ, &ignore, &action_before_);
    getrlimit(RLIMIT_FSIZE, &limit_before_);
    rlimit limit = limit_before_;
    limit.rlim_cur = std::min<rlim_t>(bytes, limit.rlim_max);
    setrlimit(RLIMIT_FSIZE, &limit);
}

FullDisk::~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &limit_before_);
    sigaction(SIGXFSZ, &action_before_, nullptr);
}

FolderWatch::FolderWatch(const std::string& folder)
    : queue_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
    LANES_REQUIRE(
        queue_ >= 0 && inotify_add_watch(queue_, folder.c_str(),
                                         IN_CREATE | IN_MODIFY | IN_DELETE | IN_MOVED_TO) >= 0,
        "check: the folder ", folder,
        " cannot be watched. Other programs watch too many: close some.");
}

FolderWatch::~FolderWatch() {
    if (queue_ >= 0) close(queue_);
}

std::vector<std::string> FolderWatch::events() const {
    std::vector<std::string> events;
    alignas(inotify_event) char buffer[16384];
    for (ssize_t size; (size = read(queue_, buffer, sizeof buffer)) > 0;)
        for (ssize_t at = 0; at < size;) {
            const auto* event = reinterpret_cast<const inotify_event*>(buffer + at);
            const std::uint32_t kind = event->mask;
            const std::string name = event->len > 0 ? event->name : "";
            events.push_back(((kind & IN_CREATE) != 0   ? "create "
                              : (kind & IN_MODIFY) != 0 ? "modify "
                              : (kind & IN_DELETE) != 0 ? "delete "
                                                        : "move ") +
                             name);
            at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
        }
    return events;
}

}  // namespace lanes::exercises
