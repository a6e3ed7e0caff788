#include "sessions.hpp"

#include "openmp_files.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <thread>

namespace xcpp_front {
namespace {

// A session that reads nothing for this long hangs; a send must not hang with it.
void limit_sending(const xcpp_wire::Channel& channel) {
    const auto timeout = std::chrono::duration_cast<std::chrono::microseconds>(limit(5)).count();
    const timeval time{static_cast<time_t>(timeout / 1'000'000),
                       static_cast<suseconds_t>(timeout % 1'000'000)};
    ::setsockopt(channel.fd(), SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
}

}  // namespace

Sessions::Sessions(std::string program, std::vector<std::string> arguments, int stdout_fd,
                   int stderr_fd)
    : program_(std::move(program)),
      arguments_(std::move(arguments)),
      stdout_fd_(stdout_fd),
      stderr_fd_(stderr_fd) {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // copies, and what cells leave behind, become our children
    page_file_ = xcpp_wire::Descriptor(::memfd_create("xcpp17", MFD_CLOEXEC));
    if (!page_file_ || ::ftruncate(page_file_.get(), sizeof(xcpp_wire::SharedState)) != 0) {
        throw std::runtime_error(std::string("shared page: ") + std::strerror(errno));
    }
    void* memory = ::mmap(nullptr, sizeof(xcpp_wire::SharedState), PROT_READ | PROT_WRITE,
                          MAP_SHARED, page_file_.get(), 0);
    if (memory == MAP_FAILED)
        throw std::runtime_error(std::string("shared page: ") + std::strerror(errno));
    page_ = static_cast<xcpp_wire::SharedState*>(memory);
}

Sessions::~Sessions() {
    try {
        end(false);
    } catch (const std::exception& error) {
        std::cerr << "xcpp17: " << error.what() << '\n';
    }
    ::munmap(page_, sizeof(xcpp_wire::SharedState));
}

void Sessions::start() {
    auto pair = xcpp_wire::make_channel_pair();
    SpawnPlan plan;
    plan.program = program_;
    plan.descriptors = {{"--channel", pair.theirs.fd()}, {"--page", page_file_.get()}};
    plan.arguments = arguments_;
    plan.stdout_fd = stdout_fd_;
    plan.stderr_fd = stderr_fd_;
    drop_copy();
    pid_ = spawn(plan);
    channel_ = std::move(pair.mine);
    limit_sending(channel_);
    reader_ = {};
    kill_at_ = never;
}

void Sessions::send_body(const nlohmann::json& body, const std::vector<std::string>& buffers) {
    if (!alive() || !channel_) return;
    try {
        channel_.send(body, buffers);
    } catch (const xcpp_wire::Broken&) {
        signal(SIGKILL);
    }
}

bool Sessions::receive(xcpp_wire::Message& message) {
    while (channel_) {
        try {
            if (!reader_.read(channel_.fd(), message)) return false;
        } catch (const xcpp_wire::Broken&) {
            channel_lost();
            return false;
        }
        const std::string op = xcpp_wire::op_of(message.body);
        if (op == xcpp_wire::CopyMade::op) {
            take_in_copy(message);
        } else if (op != xcpp_wire::Hello::op) {
            return true;
        }
    }
    return false;
}

// A cell has closed the descriptor, or has written something else to it. The session notices and
// ends; if it does not, it is ended.
void Sessions::channel_lost() {
    channel_.close();
    if (alive()) kill_at_ = Clock::now() + limit(0.5);
}

void Sessions::check_deadlines() {
    if (Clock::now() < kill_at_) return;
    kill_at_ = never;
    signal(SIGKILL);
}

void Sessions::take_in_copy(xcpp_wire::Message& message) {
    if (!message.descriptor) return;
    drop_copy();
    copy_.channel = xcpp_wire::Channel(std::move(message.descriptor));
    const auto made = xcpp_wire::unpacked<xcpp_wire::CopyMade>(message.body);
    copy_.cell = made.cell;
    copy_.earlier_processes = earlier_processes_;
    page_->copy_lost = 0;
    limit_sending(copy_.channel);
    if (on_copy) on_copy(made);
}

// Learns the copy's pid from its hello. A copy that says nothing is none.
void Sessions::read_copy_pid(Milliseconds timeout) {
    if (!copy_.channel || copy_.pid != 0) return;
    const TimePoint until = Clock::now() + timeout;
    try {
        for (xcpp_wire::Message message;;) {
            if (copy_.reader.read(copy_.channel.fd(), message)) {
                if (xcpp_wire::op_of(message.body) != xcpp_wire::Hello::op) continue;
                copy_.pid = xcpp_wire::unpacked<xcpp_wire::Hello>(message.body).pid;
                return;
            }
            const auto left =
                std::chrono::duration_cast<Milliseconds>(until - Clock::now()).count();
            if (left <= 0) break;
            pollfd waiting{copy_.channel.fd(), POLLIN, 0};
            ::poll(&waiting, 1, static_cast<int>(left));
        }
    } catch (const xcpp_wire::Broken&) {
        copy_ = Copy{};
    }
    if (timeout.count() > 0) copy_ = Copy{};
}

pid_t Sessions::pid_of_copy() {
    read_copy_pid(Milliseconds(0));
    return copy_.pid;
}

void Sessions::drop_copy() {
    read_copy_pid(Milliseconds(0));
    if (copy_.pid != 0) ::kill(copy_.pid, SIGKILL);
    copy_ = Copy{};  // it goes away when its channel is closed, too
}

void Sessions::signal(int number) const {
    if (alive()) ::kill(pid_, number);
}

void Sessions::kill() {
    const TimePoint until = Clock::now() + limit(5);
    while (alive() && Clock::now() < until) {
        signal(SIGKILL);
        reap();
        if (alive()) std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    pid_ = 0;  // in uninterruptible sleep: give it up
    kill_at_ = never;
}

void Sessions::kill_processes_of_failed_cell() {
    read_copy_pid(limit(2));
    std::vector<pid_t> except{orphan_cleaner_.pid()};
    if (alive()) except.push_back(pid_);
    if (copy_.pid != 0) except.push_back(copy_.pid);
    // What earlier cells started stays: a cell that fails must not end a server in the background.
    // The time of a start is known to 10 ms only.
    if (copy_.channel)
        except.insert(except.end(), copy_.earlier_processes.begin(), copy_.earlier_processes.end());
    kill_descendants(copy_.channel ? start_of(copy_.pid) : 0, except, [this] { reap(); });
}

bool Sessions::take_over(const xcpp_wire::TakeOver& order) {
    read_copy_pid(limit(2));
    if (copy_.channel && ::kill(copy_.pid, 0) != 0)
        copy_ = Copy{};  // it was killed before anybody knew its pid, so nobody heard of it
    if (!copy_.channel) return false;
    pid_ = copy_.pid;
    channel_ = std::move(copy_.channel);
    reader_ = std::move(copy_.reader);
    kill_at_ = never;
    copy_ = Copy{};
    send(order);
    return true;
}

void Sessions::note_processes() {
    read_copy_pid(Milliseconds(0));
    earlier_processes_ = descendants();
    const auto is_ours = [this](pid_t pid) { return pid == pid_ || pid == copy_.pid; };
    earlier_processes_.erase(
        std::remove_if(earlier_processes_.begin(), earlier_processes_.end(), is_ours),
        earlier_processes_.end());
}

void Sessions::reap() {
    read_copy_pid(Milliseconds(0));  // else a copy that has ended would not be known
    int status = 0;
    for (pid_t ended = 0; (ended = ::waitpid(-1, &status, WNOHANG | WUNTRACED | __WALL)) > 0;) {
        if (WIFSTOPPED(status)) {
            // A session that stopped itself has nobody to wake it.
            if (ended == pid_) ::kill(ended, SIGCONT);
        } else if (ended == pid_) {
            pid_ = 0;
            kill_at_ = never;
            ending_ = Ending::from(status);
        } else if (ended == copy_.pid) {
            copy_ = Copy{};
            page_->copy_lost = 1;
            if (on_copy_lost) on_copy_lost(Ending::from(status));
        } else if (ended == orphan_cleaner_.pid()) {
            orphan_cleaner_.has_ended();
        }
    }
}

void Sessions::end(bool graceful) {
    if (graceful && alive()) {
        send(xcpp_wire::Shutdown{});
        const TimePoint until = Clock::now() + limit(0.5);
        while (alive() && Clock::now() < until) {
            reap();
            if (alive()) std::this_thread::sleep_for(Milliseconds(1));
        }
    }
    drop_copy();
    if (!kill_descendants(0, {orphan_cleaner_.pid()}, [this] { reap(); }))
        std::cerr << "xcpp17: processes that a cell started could not be ended\n";
    remove_abandoned_openmp_files();
    temporary_.remove();
    orphan_cleaner_.dismiss();
    pid_ = 0;
    channel_.close();
}

void Sessions::add_poll_items(std::vector<zmq_pollitem_t>& items, TimePoint& until) const {
    if (channel_) items.push_back({nullptr, channel_.fd(), ZMQ_POLLIN, 0});
    until = std::min(until, kill_at_);
}

}  // namespace xcpp_front
