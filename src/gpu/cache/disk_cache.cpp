#include "disk_cache.hpp"

#define XXH_INLINE_ALL  // the header alone, no library to link
#include <xxhash.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <system_error>

namespace fs = std::filesystem;

namespace lanes::gpu {

namespace {

constexpr std::string_view seal_name = "\nlanes cache 2 ";
constexpr std::size_t digest_digits = 32;
constexpr std::size_t seal_bytes = seal_name.size() + digest_digits + 1;
constexpr const char* aside_name = ".new-";
// Per kind of payload; the oldest files are removed first.
constexpr std::uintmax_t most_bytes = std::uintmax_t(1) << 30;

std::string digest_of(std::string_view bytes) {
    const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
    char text[digest_digits + 1];
    std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                  static_cast<unsigned long long>(hash.low64));
    return text;
}

std::string seal_of(std::string_view payload) {
    return std::string(seal_name) + digest_of(payload) + "\n";
}

// Whether only this user, or root, can have written it: what is loaded from the cache is executed.
bool is_private(const struct stat& found) {
    return (found.st_uid == geteuid() || found.st_uid == 0) &&
           (found.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// Says once why the cache is slow.
void warn(const fs::path& folder) {
    static std::atomic<bool> said{false};
    if (said.exchange(true)) return;
    std::cerr << "Cache of compiled CUDA kernels: " << folder.string()
              << " is not used, because other users may write to it or own it, and what it holds "
                 "is executed. Remove it, or set LANES_CACHE to a folder of your own.\n";
}

// Whether the folder may be used. One that does not exist may: it is made private.
bool is_safe(const fs::path& folder) {
    struct stat found{};
    if (stat(folder.c_str(), &found) != 0 || !S_ISDIR(found.st_mode)) return true;
    if (is_private(found)) return true;
    warn(folder);
    return false;
}

// The bytes of a file that nobody else can have written.
std::optional<std::string> read_private(const fs::path& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) return std::nullopt;
    struct stat found{};
    std::string bytes;
    bool is_good = fstat(file, &found) == 0 && S_ISREG(found.st_mode) && is_private(found);
    if (is_good) bytes.resize(static_cast<std::size_t>(found.st_size));
    for (std::size_t done = 0; is_good && done < bytes.size();) {
        const ssize_t count = read(file, bytes.data() + done, bytes.size() - done);
        if (count < 0 && errno == EINTR) continue;
        is_good = count > 0;
        if (is_good) done += static_cast<std::size_t>(count);
    }
    close(file);
    return is_good ? std::optional(std::move(bytes)) : std::nullopt;
}

bool write_private(const fs::path& path, std::string_view payload, std::string_view seal) {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file < 0) return false;
    bool is_good = true;
    for (std::string_view rest : {payload, seal})
        while (is_good && !rest.empty()) {
            const ssize_t count = write(file, rest.data(), rest.size());
            if (count < 0 && errno == EINTR) continue;
            is_good = count > 0;
            if (is_good) rest.remove_prefix(static_cast<std::size_t>(count));
        }
    return close(file) == 0 && is_good;
}

// With the folders above it; the last one for this user alone.
void make_private_folder(const fs::path& folder) {
    std::error_code ignored;
    fs::create_directories(folder.parent_path(), ignored);
    mkdir(folder.c_str(), S_IRWXU);
}

std::optional<std::string> read_verified(const fs::path& path) {
    std::optional<std::string> found = read_private(path);
    if (!found) return std::nullopt;
    std::string& bytes = *found;
    if (bytes.size() < seal_bytes) return std::nullopt;
    const std::size_t length = bytes.size() - seal_bytes;
    if (bytes.compare(length, seal_bytes, seal_of(std::string_view(bytes).substr(0, length))) != 0)
        return std::nullopt;
    bytes.resize(length);
    return found;
}

// Removes the files that were not used for the longest time, until the rest is small enough.
void shrink(const fs::path& folder) {
    struct Old {
        fs::file_time_type time;
        std::uintmax_t bytes;
        fs::path path;
    };
    std::vector<Old> files;
    std::uintmax_t total = 0;
    std::error_code failed;
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end;
         at.increment(failed)) {
        std::error_code gone;
        const auto bytes = at->file_size(gone);
        const auto time = at->last_write_time(gone);
        if (gone) continue;
        if (at->path().filename().string().find(aside_name) != std::string::npos &&
            fs::file_time_type::clock::now() - time > std::chrono::hours(1)) {
            fs::remove(at->path(), gone);  // left by a process that was killed while it wrote
            continue;
        }
        files.push_back({time, bytes, at->path()});
        total += bytes;
    }
    if (total <= most_bytes) return;
    std::sort(files.begin(), files.end(),
              [](const Old& a, const Old& b) { return a.time < b.time; });
    for (const Old& file : files) {
        if (total <= most_bytes / 2) break;
        if (fs::remove(file.path, failed)) total -= file.bytes;
    }
}

// A folder in /tmp, where everybody may write: made at once, so that no other user can make it; ""
// if one has, or has put a link there.
fs::path temporary_folder(const fs::path& path) {
    struct stat found{};
    if (mkdir(path.c_str(), S_IRWXU) != 0 && errno != EEXIST) return {};
    if (lstat(path.c_str(), &found) != 0) return {};
    return S_ISDIR(found.st_mode) ? path : fs::path();
}

fs::path wanted_folder() {
    const auto set = [](const char* name) {
        const char* value = std::getenv(name);
        return value && *value ? value : nullptr;
    };
    if (const char* own = set("LANES_CACHE")) return own;
    if (const char* cache = set("XDG_CACHE_HOME")) return fs::path(cache) / "lanes";
    if (const char* home = set("HOME")) return fs::path(home) / ".cache" / "lanes";
    std::error_code failed;
    const fs::path temporary = fs::temp_directory_path(failed);
    return failed ? fs::path()
                  : temporary_folder(temporary / ("lanes-" + std::to_string(getuid())));
}

}  // namespace

fs::path DiskCache::folder() {
    const fs::path wanted = wanted_folder();
    return is_safe(wanted) ? wanted : fs::path();
}

DiskCache::DiskCache(const std::string& name, std::string suffix)
    : folder_(folder()), suffix_(std::move(suffix)) {
    if (!folder_.empty()) folder_ /= name;
}

std::string DiskCache::key(const std::vector<std::string>& parts) {
    std::string all;
    for (const std::string& part : parts) all += std::to_string(part.size()) + ":" + part;
    return digest_of(all);
}

fs::path DiskCache::path(const std::string& key) const { return folder_ / (key + suffix_); }

std::optional<std::string> DiskCache::load(const std::string& key) const {
    if (folder_.empty() || !is_safe(folder_)) return std::nullopt;
    auto payload = read_verified(path(key));
    std::error_code ignored;
    // Marks it as used: shrink() removes others first.
    if (payload) fs::last_write_time(path(key), fs::file_time_type::clock::now(), ignored);
    return payload;
}

std::optional<fs::path> DiskCache::file(const std::string& key) const {
    if (!load(key)) return std::nullopt;
    return path(key);
}

bool DiskCache::store(const std::string& key, std::string_view payload) const {
    static std::atomic<unsigned> number{0};
    if (folder_.empty()) return false;
    make_private_folder(folder_.parent_path());
    make_private_folder(folder_);
    if (!is_safe(folder_)) return false;
    std::error_code failed;
    const fs::path aside =
        folder_ / (key + aside_name + std::to_string(getpid()) + "-" + std::to_string(number++));
    if (!write_private(aside, payload, seal_of(payload))) {
        fs::remove(aside, failed);
        return false;
    }
    fs::rename(aside, path(key), failed);
    if (failed) {
        std::error_code ignored;
        fs::remove(aside, ignored);
        return false;
    }
    shrink(folder_);
    return true;
}

}  // namespace lanes::gpu
