#include "out_of_memory.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <bits/functexcept.h>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

std::atomic<std::size_t> refused = 0;  // bytes that operator new could not give, last

struct Amount {
    char text[32];
    explicit Amount(double bytes) {
        const char* units[] = {"bytes", "KB", "MB", "GB", "TB", "PB", "EB"};
        int unit = 0;
        for (; bytes >= 1024 && unit < 6; ++unit) bytes /= 1024;
        std::snprintf(text, sizeof text, bytes < 10 && unit > 0 ? "%.1f %s" : "%.0f %s", bytes,
                      units[unit]);
    }
};

// What counts against RLIMIT_DATA.
double bytes_held() {
    char text[256] = {};
    const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    const ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    long data = 0;
    if (length <= 0 || std::sscanf(text, "%*d %*d %*d %*d %*d %ld", &data) != 1) return 0;
    return static_cast<double>(data) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
}

// `give` asks once.
template <class Give>
void* allocate(std::size_t size, Give give) {
    for (;;) {
        if (void* memory = give()) return memory;
        const std::new_handler handler = std::get_new_handler();
        if (!handler) break;
        handler();
    }
    refused = size;
    std::__throw_bad_alloc();
}

}  // namespace

namespace xcpp_session {

const char* out_of_memory_words(const char* when) {
    static char text[400];
    rlimit limit{};
    getrlimit(RLIMIT_DATA, &limit);
    const bool limited = limit.rlim_cur != RLIM_INFINITY;
    char asked[80] = "";
    if (const std::size_t size = refused.exchange(0))
        std::snprintf(asked, sizeof asked, "%s were asked for, ",
                      Amount(static_cast<double>(size)).text);
    const Amount held(bytes_held());
    if (limited)
        std::snprintf(text, sizeof text,
                      "the memory limit was reached%s: %sthe session holds %s and may hold %s. Use "
                      "less, or start Jupyter with a larger limit, such as "
                      "XCPP_MEMORY=%lluG.",
                      when, asked, held.text, Amount(static_cast<double>(limit.rlim_cur)).text,
                      static_cast<unsigned long long>(limit.rlim_cur >> 29) +
                          (limit.rlim_cur < (1U << 29) ? 1 : 0));  // twice as much
    else
        std::snprintf(text, sizeof text,
                      "the machine has no more memory%s: %sthe session holds %s.", when, asked,
                      held.text);
    return text;
}

}  // namespace xcpp_session

// These replace the library's, for cells and for libraries: they record the size of a request that
// failed.
// Address sanitizer has its own.
#if !__has_feature(address_sanitizer)
void* operator new(std::size_t size) {
    return allocate(size, [size] { return std::malloc(size == 0 ? 1 : size); });
}

void* operator new(std::size_t size, std::align_val_t alignment) {
    const auto boundary = static_cast<std::size_t>(alignment);
    return allocate(size, [=] {
        void* memory = nullptr;
        return posix_memalign(&memory, boundary < sizeof(void*) ? sizeof(void*) : boundary,
                              size == 0 ? 1 : size) == 0
                   ? memory
                   : nullptr;
    });
}
#endif
