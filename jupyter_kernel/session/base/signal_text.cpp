#include "signal_text.hpp"

#include <csignal>
#include <cstring>

namespace xcpp_session {
namespace {

constexpr const char* timer_ran_out =
    "alarm clock (%): a timer ran out that this cell or an earlier one has set (alarm, setitimer), "
    "and nothing handles the signal";

// %: the name of the signal.
constexpr struct {
    int number;
    const char* text;
} signals[] = {
    {SIGSEGV, "segmentation fault (%): memory was used that does not belong to the program"},
    {SIGBUS, "bus error (%): memory was used that is not there"},
    {SIGFPE, "integer division by zero (%)"},
    {SIGALRM, timer_ran_out},
    {SIGVTALRM, timer_ran_out},
    {SIGPROF, timer_ran_out},
    {SIGILL,
     "illegal instruction (%): a function without return, or code that the compiler knew to be "
     "undefined"},
    {SIGABRT, "aborted (%)"},
    {SIGTRAP, "trap (%): code that the compiler knew to be undefined was reached"},
    {SIGKILL, "killed (%)"},
    {SIGXCPU, "out of processor time (%)"},
};

}  // namespace

std::string signal_name(int number) {
    const char* name = sigabbrev_np(number);
    return name ? std::string("SIG") + name : "signal " + std::to_string(number);
}

std::string signal_text(int number, std::optional<std::uint64_t> fault_address) {
    constexpr std::uint64_t first_page = 65536;
    std::string text = std::string(strsignal(number)) + " (%)";
    for (const auto& known : signals)
        if (known.number == number) text = known.text;
    if (number == SIGSEGV && fault_address && *fault_address < first_page)
        text = "segmentation fault (%): a null pointer was used";
    return text.replace(text.find('%'), 1, signal_name(number));
}

}  // namespace xcpp_session
