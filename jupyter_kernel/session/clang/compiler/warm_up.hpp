// Parts of the precompiled header that first cells need, read while nobody waits.
//
// Where a template has one instantiation in the header and a cell needs it, clang 19 reads all of
// them: of std's type traits some ten thousand, a third of the time of the first cell with an
// array. A template at a time they can be read before that, with a look at the channel in between.
#pragma once

#include <signal.h>

#include <array>
#include <string>

namespace clang {
class CompilerInstance;
}

namespace xcpp_session {

// Reads what the precompiled header holds instantiated of a class template, by its name
// "std::is_same". Nothing happens where there is no such template: which ones are worth it depends
// on the standard library. Changes no meaning of any cell.
void read_instantiations(clang::CompilerInstance& compiler, const std::string& name);

// Reads all names of a namespace ("std"; "": the global one and the macros) from the precompiled
// header, as completion needs them: each time it would take a tenth of a second and more. Only
// before the first cell: a name that a cell has replaced would come back.
void read_names(clang::CompilerInstance& compiler, const std::string& space);

// While it lives, a crash calls on_crash, which does not return, and says nothing: clang 19 does
// not survive a precompiled header that is damaged.
class CrashGuard {
public:
    explicit CrashGuard(void (*on_crash)());
    CrashGuard(const CrashGuard&) = delete;
    CrashGuard& operator=(const CrashGuard&) = delete;
    ~CrashGuard();

private:
    static constexpr std::array<int, 5> deadly{SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE};
    std::array<struct sigaction, deadly.size()> before_{};
};

}  // namespace xcpp_session
