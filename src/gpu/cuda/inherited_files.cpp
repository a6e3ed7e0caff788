#include "inherited_files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace lanes::gpu::cuda {

namespace {

constexpr const char* device_files = "/dev/nvidia";

bool is_device_file(const char* path) {
    return std::strncmp(path, device_files, std::strlen(device_files)) == 0;
}

// Numbers and addresses stay taken: the library that used them is still loaded.
void release_files(int nothing) {
    DIR* const folder = opendir("/proc/self/fd");
    if (folder == nullptr) return;
    while (const dirent* entry = readdir(folder)) {
        char path[64] = "";
        if (readlinkat(dirfd(folder), entry->d_name, path, sizeof path - 1) > 0 &&
            is_device_file(path))
            dup3(nothing, std::atoi(entry->d_name), O_CLOEXEC);
    }
    closedir(folder);
}

void release_mappings() {
    std::FILE* const maps = std::fopen("/proc/self/maps", "re");
    if (maps == nullptr) return;
    char line[512];
    while (std::fgets(line, sizeof line, maps) != nullptr) {
        const char* const path = std::strchr(line, '/');
        unsigned long long begin = 0, end = 0;
        if (path == nullptr || !is_device_file(path) ||
            std::sscanf(line, "%llx-%llx", &begin, &end) != 2)
            continue;
        // NOLINTNEXTLINE(performance-no-int-to-ptr): the system gives numbers
        void* const place = reinterpret_cast<void*>(begin);
        // NOLINTNEXTLINE(bugprone-unused-return-value): it stays what it is if that fails
        mmap(place, end - begin, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
    }
    std::fclose(maps);
}

void release() {
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0) return;
    release_files(nothing);
    release_mappings();
    close(nothing);
}

}  // namespace

void release_in_forks() {
    static const int registered = pthread_atfork(nullptr, nullptr, release);
    (void)registered;
}

}  // namespace lanes::gpu::cuda
