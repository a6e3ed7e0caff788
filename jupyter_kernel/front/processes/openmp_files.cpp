#include "openmp_files.hpp"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

namespace xcpp_front {

void remove_abandoned_openmp_files(const std::filesystem::path& folder) {
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
        int pid = 0, end = 0;
        unsigned user = 0;
        const std::string name = entry.path().filename().string();
        if (std::sscanf(name.c_str(), "__KMP_REGISTERED_LIB_%d_%u%n", &pid, &user, &end) != 2 ||
            end != static_cast<int>(name.size()) || pid <= 0)
            continue;
        if (user == ::getuid() && ::kill(pid, 0) != 0 && errno == ESRCH)
            std::filesystem::remove(entry.path(), failed);
    }
}

}  // namespace xcpp_front
