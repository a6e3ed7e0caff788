#include "orphan_cleaner.hpp"

#include "front/base/clock.hpp"
#include "openmp_files.hpp"
#include "process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace xcpp_front {
namespace {

// What a front's descendants have in common when it is gone and init is their parent: what it wrote
// into their environment and, where it led one (Jupyter starts it so), the session of processes. A
// cell may drop the one or the other.
struct Family {
    std::string variable;  // NAME=value
    pid_t process_session = 0;

    bool holds(pid_t pid) const {
        if (process_session != 0 && ::getsid(pid) == process_session) return true;
        std::ifstream file("/proc/" + std::to_string(pid) + "/environ", std::ios::binary);
        const std::string environment{std::istreambuf_iterator<char>(file), {}};
        return ('\0' + environment).find('\0' + variable + '\0') != std::string::npos;
    }

    std::vector<pid_t> living() const {
        std::vector<pid_t> found;
        std::error_code failed;
        for (std::filesystem::directory_iterator process("/proc", failed), end;
             !failed && process != end; process.increment(failed)) {
            const pid_t pid = std::atoi(process->path().filename().c_str());
            if (pid > 0 && pid != ::getpid() && holds(pid) && !has_ended(pid)) found.push_back(pid);
        }
        return found;
    }

    void end() const {
        const TimePoint until = Clock::now() + limit(5);
        for (std::vector<pid_t> left; !(left = living()).empty() && Clock::now() < until;) {
            for (const pid_t pid : left) ::kill(pid, SIGKILL);
            std::this_thread::sleep_for(Milliseconds(10));
        }
    }
};

// Keeps nothing of the front's: a process that reads its output or waits for a socket to close must
// not wait for us. Returns the one descriptor that stays.
int close_inherited(int front_lives) {
    ::setsid();  // signals to the front's process group are not for us
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) ::signal(number, SIG_IGN);
    const int kept = ::dup2(front_lives, 3);
    const int null = ::open("/dev/null", O_RDWR);
    for (const int standard : {0, 1, 2}) ::dup2(null, standard);
    ::close_range(4, ~0U, 0);
    (void)!::chdir("/");
    ::prctl(PR_SET_NAME, "xcpp17-cleaner");
    return kept;
}

}  // namespace

OrphanCleaner::OrphanCleaner(const TemporaryFolder& folder) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        throw std::runtime_error(std::string("pipe: ") + std::strerror(errno));
    xcpp_wire::Descriptor reading(ends[0]);
    front_lives_ = xcpp_wire::Descriptor(ends[1]);
    const Family family{"XCPP_TEMPORARY=" + folder.path().string(),
                        ::getsid(0) == ::getpid() ? ::getpid() : 0};
    pid_ = ::fork();
    if (pid_ < 0) throw std::runtime_error(std::string("fork: ") + std::strerror(errno));
    if (pid_ != 0) return;
    const int front_lives = close_inherited(reading.get());
    for (char byte = 0; ::read(front_lives, &byte, 1) < 0 && errno == EINTR;) {
    }
    family.end();
    remove_abandoned_openmp_files();
    folder.remove();
    ::_exit(0);
}

void OrphanCleaner::dismiss() {
    if (pid_ == 0) return;
    ::kill(pid_, SIGKILL);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
    pid_ = 0;
}

}  // namespace xcpp_front
