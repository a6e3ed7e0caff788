// The session and its frozen copy, as processes with channels. Knows nothing of Jupyter: who asks
// for what is told in supervisor.hpp.
#pragma once

#include "front/base/clock.hpp"
#include "orphan_cleaner.hpp"
#include "process.hpp"
#include "temporary_folder.hpp"

#include "wire/frame_reader.hpp"
#include "wire/messages.hpp"
#include "wire/shared_state.hpp"
#include "wire/wire.hpp"

#include <zmq.h>

#include <functional>
#include <string>
#include <vector>

namespace xcpp_front {

class Sessions {
public:
    // stdout_fd, stderr_fd: where sessions write; borrowed.
    Sessions(std::string program, std::vector<std::string> arguments, int stdout_fd, int stderr_fd);
    Sessions(const Sessions&) = delete;
    Sessions& operator=(const Sessions&) = delete;
    ~Sessions();

    // A new session, with nothing of the old ones. Throws std::runtime_error.
    void start();

    // For the sessions that start from here on.
    void add_argument(std::string argument) { arguments_.push_back(std::move(argument)); }

    bool alive() const { return pid_ != 0; }
    Ending ending() const { return ending_; }  // of the last session that ended
    xcpp_wire::SharedState& page() { return *page_; }

    // A session that cannot be reached any more is killed; its end is noticed as any other.
    template <typename M>
    void send(const M& message, const std::vector<std::string>& buffers = {}) {
        send_body(xcpp_wire::packed(message), buffers);
    }
    // The next message, without waiting. Copies that arrive are kept and passed to `on_copy` first.
    bool receive(xcpp_wire::Message& message);
    std::function<void(const xcpp_wire::CopyMade&)> on_copy;

    // A copy has ended that nobody has ended on purpose.
    std::function<void(const Ending&)> on_copy_lost;

    // What runs now was started by earlier requests: kill_processes_of_failed_cell() leaves it
    // alone.
    void note_processes();

    void signal(int number) const;
    // Kills the session and waits for its end.
    void kill();
    // Ends what the session has started since its copy was made (everything, if there is no copy).
    void kill_processes_of_failed_cell();

    bool has_copy() const { return static_cast<bool>(copy_.channel); }
    int cell_of_copy() const { return copy_.cell; }
    pid_t pid_of_copy();  // 0: it has not said so yet
    void drop_copy();
    // The session is dead: the copy is the session now and has got the order. False: there was
    // none.
    bool take_over(const xcpp_wire::TakeOver& order);

    // Takes in children that have ended. Called when SIGCHLD came.
    void reap();
    // No process and no temporary file is left afterwards. graceful: the session may end by itself
    // first.
    void end(bool graceful);

    void add_poll_items(std::vector<zmq_pollitem_t>& items, TimePoint& until) const;
    // Ends a session that has lost its channel and lives on.
    void check_deadlines();

private:
    struct Copy {
        xcpp_wire::Channel channel;
        xcpp_wire::FrameReader reader;
        pid_t pid = 0;  // 0: its hello has not been read yet
        int cell = 0;
        std::vector<pid_t> earlier_processes;  // those that ran before its cell
    };

    void send_body(const nlohmann::json& body, const std::vector<std::string>& buffers);
    void take_in_copy(xcpp_wire::Message& message);
    void read_copy_pid(Milliseconds timeout);
    void channel_lost();

    std::string program_;
    std::vector<std::string> arguments_;
    int stdout_fd_, stderr_fd_;
    TemporaryFolder temporary_;
    OrphanCleaner orphan_cleaner_{temporary_};
    xcpp_wire::Descriptor page_file_;
    xcpp_wire::SharedState* page_ = nullptr;

    pid_t pid_ = 0;
    Ending ending_;
    xcpp_wire::Channel channel_;
    xcpp_wire::FrameReader reader_;
    TimePoint kill_at_ = never;
    Copy copy_;
    std::vector<pid_t> earlier_processes_;
};

}  // namespace xcpp_front
