#include "snapshot.hpp"

#include "fork_copy.hpp"
#include "session/process/threads_after_restore.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstring>
#include <string>

namespace xcpp_session {
namespace {

// OpenBLAS stays on one thread in a forked process until it is asked twice.
void wake_blas() {
    using Set = void (*)(int);
    using Get = int (*)();
    const auto set = reinterpret_cast<Set>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
    const auto get = reinterpret_cast<Get>(dlsym(RTLD_DEFAULT, "openblas_get_num_threads"));
    if (!set || !get) return;
    const int threads = get();
    if (threads < 2) return;
    set(1);
    set(threads);
}

// If memory runs out, the system ends a copy first, not a session: only the way back is lost then.
// score: as in proc(5); a process may go back to the score that it had.
void set_memory_killer_score(const char* score) {
    const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0) return;
    (void)!write(file, score, std::strlen(score));
    close(file);
}

std::string memory_killer_score() {
    char text[16] = "0";
    const int file = open("/proc/self/oom_score_adj", O_RDONLY | O_CLOEXEC);
    if (file < 0) return text;
    (void)!read(file, text, sizeof text - 1);
    close(file);
    return text;
}

// In the copy. Returns when it is to take over.
void wait_for_order(Snapshot& result) {
    // Interrupts and terminations of the process group are the original's business, and SIGKILL
    // cannot be ignored.
    setpgid(0, 0);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    const std::string score = memory_killer_score();
    set_memory_killer_score("800");
    try {
        result.channel.send(xcpp_wire::packed(xcpp_wire::Hello{getpid()}));
        xcpp_wire::Message message;
        result.channel.receive(message);
        if (xcpp_wire::op_of(message.body) != xcpp_wire::TakeOver::op) end_quietly();
        result.order = xcpp_wire::unpacked<xcpp_wire::TakeOver>(message.body);
    } catch (const xcpp_wire::Broken&) {
        end_quietly();  // closed: not needed any more
    }
    set_memory_killer_score(score.c_str());
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // not before: it would fire when the original dies
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    threads_are_lost();
    wake_blas();  // it starts new ones
    result.role = Role::took_over;
}

}  // namespace

Snapshot fork_snapshot(const xcpp_wire::Channel& channel, int cell, bool after_cell) {
    Snapshot result;
    xcpp_wire::ChannelPair pair;
    try {
        pair = xcpp_wire::make_channel_pair();
    } catch (const xcpp_wire::Broken& broken) {
        result.problem = broken.what();
        return result;
    }
    const ForkedCopy copy = fork_copy();
    if (copy.is_copy) {
        pair.theirs.close();
        result.channel = std::move(pair.mine);
        wait_for_order(result);
        return result;
    }
    if (copy.error != 0) {
        result.problem = std::string("fork: ") + std::strerror(copy.error);
        return result;
    }
    pair.mine.close();
    channel.send(xcpp_wire::packed(xcpp_wire::CopyMade{cell, after_cell}), {}, pair.theirs.fd());
    result.role = Role::original;
    return result;
}

}  // namespace xcpp_session
