// Runs requests in the session, from the first message to the last, and handles what can go wrong
// meanwhile: a session that dies, hangs, compiles for ever or asks to be replaced. Whatever
// happens, a request has an outcome.
#pragma once

#include "front/jupyter/comms.hpp"
#include "front/jupyter/message.hpp"
#include "front/jupyter/server.hpp"
#include "front/output/output.hpp"
#include "front/processes/sessions.hpp"
#include "wire/messages.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace xcpp_front {

struct Failure {
    std::string ename, evalue;
    std::vector<std::string> traceback;

    Failure() = default;
    // The traceback repeats both: it is all that a notebook shows.
    Failure(std::string name, std::string value, const std::string& more = {});

    nlohmann::json content() const;  // of a message of type "error"
};

struct RequestOutcome {
    std::optional<Failure> failure;
    nlohmann::json payload = nlohmann::json::array();
    nlohmann::json value;  // the MIME bundle of the last value, if it was to be kept
    bool handled = true;   // of a comm message
};

struct Request {
    std::variant<xcpp_wire::Execute, xcpp_wire::CommIn> message;  // gets its id here
    std::vector<std::string> buffers;
    bool silent = false;
    bool allow_stdin = false;
    bool keep_value = false;  // return the last value instead of publishing it
    int count = 0;
};

class Supervisor : public PollParticipant {
public:
    // The session starts to load at once.
    Supervisor(std::string session_program, std::vector<std::string> session_arguments);
    ~Supervisor() override;

    void attach(Server& server) { server_ = &server; }

    RequestOutcome run(Request request);
    // Questions that change nothing. Empty: no answer in time.
    template <typename Answer, typename Question>
    std::optional<Answer> ask(Question question, double seconds) {
        const TimePoint until = Clock::now() + limit(seconds);
        if (await_ready(until) != Start::ready) return {};
        question.id = id_ = next_id_++;
        sessions_.send(question);
        await_reply(until);
        if (reply_.is_null()) return {};
        return xcpp_wire::unpacked<Answer>(std::exchange(reply_, nullptr));
    }

    void comm_message(const Message& message);
    nlohmann::json open_comms(const std::string& target) const { return comms_.list(target); }
    void interrupt();
    // A cell that was interrupted has not ended: true if it is to be taken back now.
    bool must_take_back();

    // Nothing is left running afterwards.
    void end();

    void add_poll_items(std::vector<zmq_pollitem_t>& items, TimePoint& until) override;
    void on_poll(const std::vector<zmq_pollitem_t>& items) override;
    void between_requests() override;
    void on_input_reply(const std::string& value) override;

private:
    enum class Start { ready, interrupted, stopping, failed, late };

    void read_signals();
    void read_messages();
    void handle(xcpp_wire::Message& message);
    void publish_from_session(xcpp_wire::Publish message);
    void comm_from_session(xcpp_wire::Message& message);
    void set_output_area(const std::string& comm_id);
    void ask_for_input(const xcpp_wire::InputRequest& request);

    Start await_ready(TimePoint until);
    void await_reply(TimePoint until);
    void await_late_reply();
    RequestOutcome run_request();
    RequestOutcome run_without_header(const std::string& problem);
    RequestOutcome wait_for_result();
    RequestOutcome finish(const xcpp_wire::Result& result);
    RequestOutcome replace_session(const char* why, std::optional<Failure> failure = {},
                                   const std::string& advice = {});
    std::string restored_state() const;
    bool copy_is_of_this_cell() const;
    std::optional<Failure> restore_session(const xcpp_wire::TakeOver& order, bool& restarted);
    void restart_session();
    void copy_was_lost(const std::string& why);
    void replace_between_cells();
    void start_failed(const std::string& why);
    Failure no_session() const;

    void publish(const std::string& type, nlohmann::json content,
                 nlohmann::json metadata = nlohmann::json::object(),
                 std::vector<std::string> buffers = {});
    void publish_comms(const std::vector<CommEvent>& events);
    void show_line(const std::string& text);
    void show_failure(const Failure& failure);

    Server* server_ = nullptr;
    Output output_;
    Sessions sessions_;
    Comms comms_;
    xcpp_wire::Descriptor signals_, parent_process_;

    // The session
    bool ready_ = false;
    bool without_header_ = false;  // sessions start without the precompiled header
    int failed_starts_ = 0;
    std::string gave_up_;  // why no session could be started
    TimePoint start_limit_ = never;
    std::vector<std::string> notes_;  // lines that the next cell shows
    std::string last_reason_;         // why there was no copy, as shown last
    std::string lost_copy_;           // why the last cell has no copy any more
    std::optional<xcpp_wire::TookOver> took_over_;

    // The request that runs, or ran last
    nlohmann::json parent_ = nlohmann::json::object();
    std::optional<Request> request_;
    std::string output_area_;  // comm of the Output widget that shows what comes; "": what comes
                               // goes where it belongs
    bool sent_ = false;        // to the session
    bool replacing_ = false;   // a copy takes over, or the session is restarted
    long long next_id_ = 1;
    long long id_ = 0;
    std::optional<xcpp_wire::Result> result_;
    nlohmann::json reply_, value_;
    int last_count_ = 0;       // of the last cell that ended by itself, %undo not counted
    bool unanswered_ = false;  // the session has not answered a question yet
    bool interrupted_ = false;
    bool interrupted_compiling_ = false;
    bool graceful_end_ = true;
    int interrupts_ = 0;  // of this request: how often the button was pressed
    TimePoint take_over_limit_ = never;
    TimePoint interrupt_limit_ = never;  // then the user is told, or the cell is taken back
    TimePoint idle_limit_ = never;       // then a copy that costs much memory may be given up
    TimePoint next_signal_ = never;      // SIGINT again: the last one may have come too early
    TimePoint compile_limit_ = never;
    const double compile_seconds_ = number_from_environment("XCPP_COMPILE_TIMEOUT", 120);
};

}  // namespace xcpp_front
