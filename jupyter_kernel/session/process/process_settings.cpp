#include "process_settings.hpp"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>

extern char** environ;

namespace xcpp_session {
namespace {

// A cell may use up all descriptors that it is allowed. What the session itself needs (channels,
// headers) comes out of a reserve above that limit.
constexpr rlim_t reserved_descriptors = 128;

// What cells have set lasts from cell to cell: rounding, flags, traps.
fenv_t numbers_of_cells;
bool numbers_known = false;

// Of earlier cells, with the time that is left.
constexpr __itimer_which clocks[] = {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF};
itimerval timers[3];

void stop_timers() {
    const itimerval none{};
    for (int i = 0; i < 3; ++i) setitimer(clocks[i], &none, &timers[i]);
}

void start_timers() {
    for (int i = 0; i < 3; ++i)
        if (timerisset(&timers[i].it_value)) setitimer(clocks[i], &timers[i], nullptr);
}

// Limits that the session needs, and their names.
const char* needed(int limit) {
    switch (limit) {
        case RLIMIT_AS:
            return "RLIMIT_AS";
        case RLIMIT_DATA:
            return "RLIMIT_DATA";
        case RLIMIT_NOFILE:
            return "RLIMIT_NOFILE";
        case RLIMIT_NPROC:
            return "RLIMIT_NPROC";
        case RLIMIT_CPU:
            return "RLIMIT_CPU";
        case RLIMIT_FSIZE:
            return "RLIMIT_FSIZE";
        case RLIMIT_STACK:
            return "RLIMIT_STACK";
        default:
            return nullptr;
    }
}

bool put_back(int limit, const rlimit& before) {
    rlimit now{};
    if (getrlimit(limit, &now) != 0 ||
        (now.rlim_cur == before.rlim_cur && now.rlim_max == before.rlim_max))
        return true;
    if (setrlimit(limit, &before) == 0) return true;
    const rlimit most{std::min(before.rlim_cur, now.rlim_max), now.rlim_max};
    setrlimit(limit, &most);
    return most.rlim_cur == before.rlim_cur;
}

// After unshare(CLONE_NEWPID) the first child is the init of all others, and a frozen copy would
// end with it.
bool put_back_children() {
    struct stat own{}, of_children{};
    if (stat("/proc/self/ns/pid", &own) != 0 ||
        stat("/proc/self/ns/pid_for_children", &of_children) != 0)
        return true;  // no /proc: nothing to compare
    if (own.st_ino == of_children.st_ino) return true;
    const int space = open("/proc/self/ns/pid", O_RDONLY | O_CLOEXEC);
    const bool done = space >= 0 && setns(space, CLONE_NEWPID) == 0;
    if (space >= 0) close(space);
    return done;
}

// After chroot() no header is where it was.
bool has_its_root() {
    struct stat now{};
    static const struct stat first = [] {
        struct stat root{};
        stat("/", &root);
        return root;
    }();
    return stat("/", &now) == 0 && now.st_ino == first.st_ino && now.st_dev == first.st_dev;
}

void let_signals_through() {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
}

}  // namespace

void hold_signals_of_cells() {
    sigset_t held;
    sigemptyset(&held);
    for (const int number :
         {SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGCHLD, SIGIO, SIGURG, SIGWINCH})
        sigaddset(&held, number);
    for (int number = SIGRTMIN; number <= SIGRTMAX; ++number) sigaddset(&held, number);
    sigprocmask(SIG_SETMASK, &held, nullptr);
}

void forget_timers() {
    for (itimerval& timer : timers) timer = {};
}

ProcessSettings::ProcessSettings(const char*& lost)
    : lost_(lost), scheduler_(sched_getscheduler(0)) {
    for (int limit = 0; limit < RLIMIT_NLIMITS; ++limit)
        getrlimit(static_cast<__rlimit_resource>(limit), &limits_[limit]);
    has_its_root();  // as it is before the first cell
    rlimit fewer = limits_[RLIMIT_NOFILE];
    if (fewer.rlim_cur > 2 * reserved_descriptors) fewer.rlim_cur -= reserved_descriptors;
    setrlimit(RLIMIT_NOFILE, &fewer);
    if (numbers_known) fesetenv(&numbers_of_cells);
    let_signals_through();
    start_timers();
}

ProcessSettings::~ProcessSettings() {
    stop_timers();
    hold_signals_of_cells();
    fegetenv(&numbers_of_cells);
    numbers_known = true;
    fesetenv(FE_DFL_ENV);
    for (int limit = 0; limit < RLIMIT_NLIMITS; ++limit)
        if (!put_back(limit, limits_[limit]) && needed(limit)) lost_ = needed(limit);
    if (!put_back_children()) lost_ = "the namespace of its children (CLONE_NEWPID)";
    if (!has_its_root()) lost_ = "its root folder (chroot)";
    if (sched_getscheduler(0) != scheduler_) {
        const sched_param usual{};
        sched_setscheduler(0, scheduler_, &usual);
    }
    static char* no_variables[] = {nullptr};
    if (!environ) environ = no_variables;  // after clearenv(), which libomp does not survive
}

}  // namespace xcpp_session
