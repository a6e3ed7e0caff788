// What a program that the magic %%run makes of a cell includes first. It is written by the Jupyter
// kernel and by nobody else. Such a program
//   - prints each line as soon as it is complete, though its output is a pipe,
//   - before it crashes, leaves a file in XCPP_RUN_FOLDER that says which rank it is, which signal
//     or exception ended it, and what was on its stack (session/magics/program_crash.cpp reads it),
//   - with XCPP_RUN_TAG, writes its rank before each line of its output.
#pragma once

#include <cxxabi.h>
#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <exception>
#include <initializer_list>
#include <typeinfo>

#ifndef XCPP_RUN_FOLDER  // the Jupyter kernel defines it
#define XCPP_RUN_FOLDER "."
#endif

extern "C" const char __ehdr_start[];  // the linker's: where the program lies in memory

namespace xcpp::run {

// Of Open MPI, PMIx (SLURM's), MPICH, SLURM; empty where the program runs once.
inline const char* rank_in(char* const* environment) {
    for (const char* name : {"OMPI_COMM_WORLD_RANK=", "PMIX_RANK=", "PMI_RANK=", "SLURM_PROCID="})
        for (char* const* entry = environment; *entry; ++entry)
            if (strncmp(*entry, name, strlen(name)) == 0) return *entry + strlen(name);
    return "";
}

inline char text_of_exception[1024];

// Built and written with what is allowed in a signal handler.
class Record {
public:
    Record& add(const char* text) {
        while (*text && size_ < sizeof text_) text_[size_++] = *text++;
        return *this;
    }
    Record& add(uint64_t number, unsigned base) {
        char digits[24];
        char* first = digits + sizeof digits;
        *--first = '\0';
        do *--first = "0123456789abcdef"[number % base];
        while ((number /= base) != 0);
        return add(first);
    }
    void write_to_folder() const {
        Record name;
        name.add(XCPP_RUN_FOLDER "/crash.").add(static_cast<uint64_t>(getpid()), 10).terminate();
        const int file = open(name.text_, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (file < 0) return;  // another machine, where the folder is not
        (void)!write(file, text_, size_);
        close(file);
    }

private:
    void terminate() { text_[size_ < sizeof text_ ? size_ : sizeof text_ - 1] = '\0'; }

    char text_[4096];
    size_t size_ = 0;
};

inline uint64_t program_counter(const void* context) {
    const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__aarch64__)
    return machine.pc;
#elif defined(__x86_64__)
    return static_cast<uint64_t>(machine.gregs[REG_RIP]);
#else
    (void)machine;
    return 0;
#endif
}

inline void on_crash(int number, siginfo_t* info, void* context) {
    static volatile sig_atomic_t crashed = 0;
    if (crashed) pause();  // another thread is about to end the process
    crashed = 1;
    void* frames[64];
    const int count = backtrace(frames, 64);
    const auto start = reinterpret_cast<uint64_t>(&__ehdr_start[0]);
    Record record;
    record.add(rank_in(environ)).add("\n").add(static_cast<uint64_t>(number), 10).add("\n");
    record.add(reinterpret_cast<uint64_t>(info->si_addr), 10).add("\n");
    record.add(text_of_exception).add("\n").add(program_counter(context) - start, 16);
    for (int i = 0; i < count; ++i)
        record.add(" ").add(reinterpret_cast<uint64_t>(frames[i]) - start, 16);
    record.write_to_folder();
    signal(number, SIG_DFL);
    raise(number);
}

[[noreturn]] inline void on_terminate() {
    if (const std::type_info* type = abi::__cxa_current_exception_type()) {
        const char* words = "";
        std::exception_ptr current = std::current_exception();
        int status = 0;
        char* readable = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
        try {
            std::rethrow_exception(current);
        } catch (const std::exception& error) {
            words = error.what();
        } catch (...) {
            words = "";
        }
        snprintf(text_of_exception, sizeof text_of_exception, "%s%s%s",
                 readable ? readable : type->name(), *words ? ": " : "", words);
        for (char& c : text_of_exception)
            if (c == '\n') c = ' ';
        fflush(stdout);
        const char* rank = rank_in(environ);
        fprintf(stderr, "%s%s%s%s\n", *rank ? "rank " : "", rank, *rank ? ": " : "",
                text_of_exception);
    }
    abort();
}

// Before the constructors of the program's variables.
__attribute__((constructor(101))) inline void start() {
    setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
    std::set_terminate(on_terminate);
    void* frame = nullptr;
    backtrace(&frame, 1);      // loads what it needs, which a signal handler may not
    static char stack[65536];  // a stack overflow leaves no room on the usual one
    stack_t alternate = {};
    alternate.ss_sp = stack;
    alternate.ss_size = sizeof stack;
    sigaltstack(&alternate, nullptr);
    struct sigaction action = {};
    action.sa_sigaction = on_crash;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP})
        sigaction(number, &action, nullptr);
}

#ifdef XCPP_RUN_TAG
// One of the child's streams: whole lines are passed on with the rank before them.
struct TaggedStream {
    int from, to;
    const char* rank;
    bool open = true;
    size_t size = 0;
    char line[8192] = {};

    void pass_on() {
        char tagged[sizeof line + 64];
        const int length =
            snprintf(tagged, sizeof tagged, "[%s] %.*s\n", rank, static_cast<int>(size), line);
        (void)!write(to, tagged, static_cast<size_t>(length));
        size = 0;
    }
    void read_some() {
        char text[4096];
        const ssize_t count = read(from, text, sizeof text);
        open = count > 0;
        for (ssize_t i = 0; i < count; ++i) {
            if (text[i] != '\n') line[size++] = text[i];
            if (text[i] == '\n' || size == sizeof line) pass_on();
        }
        if (!open && size > 0) pass_on();
    }
};

// Forks before any library was initialised: the child is the program, this process passes its
// output on and ends as it ends.
inline void tag_output(int, char**, char** environment) {
    const char* rank = rank_in(environment);
    int out[2], error[2];
    if (!*rank || pipe2(out, O_CLOEXEC) != 0 || pipe2(error, O_CLOEXEC) != 0) return;
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child < 0) return;
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(1);
        dup2(out[1], 1);
        dup2(error[1], 2);
        return;
    }
    close(out[1]);
    close(error[1]);
    TaggedStream streams[] = {{out[0], 1, rank}, {error[0], 2, rank}};
    int status = 0;
    // What the program leaves running may keep the pipes open: its own end counts.
    for (bool ended = false, idle = false; !(ended && idle);) {
        pollfd waiting[2];
        for (int i = 0; i < 2; ++i)
            waiting[i] = {streams[i].open ? streams[i].from : -1, POLLIN, 0};
        idle = poll(waiting, 2, ended ? 0 : 20) == 0 || (!streams[0].open && !streams[1].open);
        for (int i = 0; i < 2; ++i)
            if (waiting[i].revents != 0) streams[i].read_some();
        if (!ended) ended = waitpid(child, &status, WNOHANG) == child;
    }
    for (TaggedStream& stream : streams)
        if (stream.size > 0) stream.pass_on();
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    _exit(WEXITSTATUS(status));
}

__attribute__((section(".preinit_array"),
               used)) static void (*const tag_first)(int, char**, char**) = tag_output;
#endif

}  // namespace xcpp::run
