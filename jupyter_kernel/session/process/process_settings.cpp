#include "process_settings.hpp"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

extern char** environ;

namespace xcpp_session {
namespace {

// A cell may use up all descriptors that it is allowed. What the session itself needs (channels,
// headers) comes out of a reserve above that limit.
constexpr rlim_t reserved_descriptors = 128;

// What cells have set lasts from cell to cell: rounding, flags, traps.
fenv_t floating_point_environment;
bool has_floating_point_environment = false;

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

// Limits that the session needs. (Others that cannot be restored do not harm it.)
constexpr std::pair<__rlimit_resource, const char*> needed[] = {
    {RLIMIT_AS, "RLIMIT_AS"},       {RLIMIT_DATA, "RLIMIT_DATA"}, {RLIMIT_NOFILE, "RLIMIT_NOFILE"},
    {RLIMIT_NPROC, "RLIMIT_NPROC"}, {RLIMIT_CPU, "RLIMIT_CPU"},   {RLIMIT_FSIZE, "RLIMIT_FSIZE"},
    {RLIMIT_STACK, "RLIMIT_STACK"},
};

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

ProcessSettings::ProcessSettings(const char*& lost) : lost_(lost) {
    for (int limit = 0; limit < RLIMIT_NLIMITS; ++limit)
        getrlimit(static_cast<__rlimit_resource>(limit), &limits_[limit]);
    rlimit fewer = limits_[RLIMIT_NOFILE];
    if (fewer.rlim_cur > 2 * reserved_descriptors) fewer.rlim_cur -= reserved_descriptors;
    setrlimit(RLIMIT_NOFILE, &fewer);
    if (has_floating_point_environment) fesetenv(&floating_point_environment);
    let_signals_through();
    start_timers();
}

ProcessSettings::~ProcessSettings() {
    stop_timers();
    hold_signals_of_cells();
    fegetenv(&floating_point_environment);
    has_floating_point_environment = true;
    fesetenv(FE_DFL_ENV);
    for (int limit = 0; limit < RLIMIT_NLIMITS; ++limit)
        if (!put_back(limit, limits_[limit]))
            for (const auto& [number, name] : needed)
                if (number == limit) lost_ = name;
    static char* no_variables[] = {nullptr};
    if (!environ) environ = no_variables;  // after clearenv(), which libomp does not survive
}

}  // namespace xcpp_session
