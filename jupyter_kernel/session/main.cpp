// xcpp17-session: started by xcpp17, never by hand.
#include "options.hpp"
#include "session.hpp"
#include "session/process/fork_pace.hpp"
#include "session/program/notebook_program.hpp"
#include "session/run/streams.hpp"
#include "session/text/tokens.hpp"
#include "standard_header.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <iostream>
#include <string>

namespace {

char** arguments = nullptr;
int inherited[] = {-1, -1};  // channel and page
char first_folder[4096];
const char* next_fallback = "--no-pch";  // what the next start does without, if this one fails

// clang 19 reports a precompiled header that does not fit, or crashes on it; either way the process
// is of no use. Only what is safe in a signal handler.
[[noreturn]] void start_again(const char* word, const char* value = nullptr) {
    static char* words[256];
    int count = 0;
    for (char** given = arguments; *given && count < 250; ++given) words[count++] = *given;
    words[count++] = const_cast<char*>(word);
    if (value) words[count++] = const_cast<char*>(value);
    words[count] = nullptr;
    for (const int fd : inherited)
        if (fd >= 0) fcntl(fd, F_SETFD, 0);
    if (first_folder[0] != '\0' && chdir(first_folder) != 0)
        xcpp_session::leave_process(1);  // relative names in the arguments are meant from there
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    // By its own name, which ps and top show; a file that was replaced has no name any more.
    static char program[4096];
    if (readlink("/proc/self/exe", program, sizeof program - 1) > 0) execv(program, words);
    execv("/proc/self/exe", words);
    xcpp_session::leave_process(1);
}

void on_crash_while_loading(int) {
    start_again(next_fallback, xcpp_session::problem_while_loading());
}

void watch_loading(xcpp_session::InterpreterOptions& options) {
    options.on_bad_pch = [](const std::string& problem) {
        start_again("--no-pch", problem.c_str());
    };
    options.on_bad_header = [](const std::string& problem) {
        start_again("--no-headers", problem.c_str());
    };
    if (!options.header_problem.empty()) return;
    if (!options.pch_problem.empty()) next_fallback = "--no-headers";
    for (const int number : {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE})
        signal(number, on_crash_while_loading);
}

}  // namespace

int main(int argc, char** argv) {
    using namespace xcpp_session;
    arguments = argv;
    if (!getcwd(first_folder, sizeof first_folder)) first_folder[0] = '\0';
    try {
        SessionOptions options = read_options(argc, argv);
        if (!options.standard.empty()) use_language_standard(options.standard);
        if (options.prepare) leave_process(prepare_standard_header(options));
        if (!options.program.empty()) {
            use_standard_header(options,
                                [](const std::string& text) { std::cerr << text << "\n"; });
            watch_loading(options.interpreter);
            leave_process(
                write_program(options.interpreter, options.program, options.program_file));
        }
        inherited[0] = options.channel;
        inherited[1] = options.page;
        void* memory = mmap(nullptr, sizeof(xcpp_wire::SharedState), PROT_READ | PROT_WRITE,
                            MAP_SHARED, options.page, 0);
        if (memory == MAP_FAILED)
            throw std::runtime_error("cannot map the page that is shared with the front");
        auto& page = *static_cast<xcpp_wire::SharedState*>(memory);
        if (!options.again) {
            const xcpp_wire::Channel hello{xcpp_wire::Descriptor(dup(options.channel))};
            hello.send(xcpp_wire::packed(xcpp_wire::Hello{getpid()}));
        }
        use_standard_header(options, [&options](const std::string& text) {
            const xcpp_wire::Channel channel{xcpp_wire::Descriptor(dup(options.channel))};
            channel.send(xcpp_wire::packed(xcpp_wire::Preparing{text}));
        });
        watch_loading(options.interpreter);
        options.interpreter.on_error = [&page](const std::string& evalue) {
            if (page.text[0] == '\0')
                std::snprintf(page.text, sizeof page.text, "%s", evalue.c_str());
        };
        Session session(options, page);
        for (const int fd : inherited)
            fcntl(fd, F_SETFD, FD_CLOEXEC);  // not for programs that cells start
        set_up_streams([&session](const char* prompt, std::string& line) {
            return session.ask(prompt, line);
        });
        install_crash_handlers(page);
        pace_forks(page);
        install_terminate_handler();
        session.run({[] { start_again("--no-first-cells"); },
                     [] { start_again("--no-pch", "it is damaged"); }});
    } catch (const std::exception& error) {
        std::fprintf(stderr, "xcpp17-session: %s\n", error.what());
        leave_process(1);
    }
    leave_process(0);
}
