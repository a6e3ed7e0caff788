#include "disk_cache.hpp"

#define XXH_INLINE_ALL  // the header alone, no library to link
#include <xxhash.h>

#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
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

std::optional<std::string> read_verified(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) return std::nullopt;
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    if (bytes.size() < seal_bytes) return std::nullopt;
    const std::size_t length = bytes.size() - seal_bytes;
    if (bytes.compare(length, seal_bytes, seal_of(std::string_view(bytes).substr(0, length))) != 0)
        return std::nullopt;
    bytes.resize(length);
    return bytes;
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

// The folder, made if necessary, or "" if other users could put files there: everybody may write to
// /tmp, and what is loaded from the cache is executed.
fs::path own_folder(const fs::path& path) {
    struct stat found{};
    if (mkdir(path.c_str(), S_IRWXU) != 0 && errno != EEXIST) return {};
    if (lstat(path.c_str(), &found) != 0) return {};
    const bool safe = S_ISDIR(found.st_mode) && found.st_uid == getuid() &&
                      (found.st_mode & (S_IWGRP | S_IWOTH)) == 0;
    return safe ? path : fs::path();
}

}  // namespace

fs::path DiskCache::folder() {
    const auto set = [](const char* name) {
        const char* value = std::getenv(name);
        return value && *value ? value : nullptr;
    };
    if (const char* own = set("LANES_CACHE")) return own;
    if (const char* cache = set("XDG_CACHE_HOME")) return fs::path(cache) / "lanes";
    if (const char* home = set("HOME")) return fs::path(home) / ".cache" / "lanes";
    std::error_code failed;
    const fs::path temporary = fs::temp_directory_path(failed);
    return failed ? fs::path() : own_folder(temporary / ("lanes-" + std::to_string(getuid())));
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
    if (folder_.empty()) return std::nullopt;
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
    std::error_code failed;
    fs::create_directories(folder_, failed);
    if (failed) return false;
    const fs::path aside =
        folder_ / (key + aside_name + std::to_string(getpid()) + "-" + std::to_string(number++));
    {
        std::ofstream out(aside, std::ios::binary | std::ios::trunc);
        out << payload << seal_of(payload);
        out.close();
        if (!out) {
            fs::remove(aside, failed);
            return false;
        }
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
