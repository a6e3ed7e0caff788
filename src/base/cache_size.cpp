#include "cache_size.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <system_error>

namespace fs = std::filesystem;

namespace lanes {

namespace {

// The first word of a file; "" if it cannot be read.
std::string word_in(const fs::path& path) {
    std::ifstream file(path);
    std::string word;
    file >> word;
    return word;
}

// "1024K" and "36M" in bytes; 0 for anything else.
std::size_t bytes_of(const std::string& text) {
    constexpr std::size_t most_digits = 12;
    const std::size_t digits = text.find_first_not_of("0123456789");
    if (digits == 0 || text.empty() || text.size() > most_digits) return 0;
    const std::size_t number = std::stoull(text);
    const std::string unit = digits == std::string::npos ? "" : text.substr(digits);
    if (unit == "K") return number << 10;
    if (unit == "M") return number << 20;
    return unit.empty() ? number : 0;
}

[[maybe_unused]] std::size_t from_sysconf(int name) {
    const long bytes = sysconf(name);
    return bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
}

// The first that is known.
std::size_t first_of(std::size_t a, std::size_t b, std::size_t c) {
    return a > 0 ? a : b > 0 ? b : c;
}

CacheSizes find_sizes() {
    CacheSizes reported;
#ifdef _SC_LEVEL3_CACHE_SIZE  // of glibc; it is 0 on most aarch64 machines
    reported.second = from_sysconf(_SC_LEVEL2_CACHE_SIZE);
    reported.last = from_sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
    const CacheSizes described = cache_sizes_in("/sys/devices/system/cpu/cpu0/cache");
    return {first_of(reported.second, described.second, std::size_t{1} << 20),
            first_of(reported.last, described.last, std::size_t{8} << 20)};
}

}  // namespace

CacheSizes cache_sizes_in(const std::string& folder) {
    CacheSizes sizes;
    int last_level = 1;
    std::error_code failed;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
        const fs::path& cache = entry.path();
        const std::string level = word_in(cache / "level");
        if (level.size() != 1 || level < "2" || word_in(cache / "type") == "Instruction") continue;
        const std::size_t bytes = bytes_of(word_in(cache / "size"));
        if (level == "2") sizes.second = bytes;
        if (level[0] - '0' > last_level) {
            last_level = level[0] - '0';
            sizes.last = bytes;
        }
    }
    return sizes;
}

const CacheSizes& cache_sizes() {
    static const CacheSizes sizes = find_sizes();
    return sizes;
}

}  // namespace lanes
