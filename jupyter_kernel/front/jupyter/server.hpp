// The ZeroMQ side of the front: sockets, the queue of requests, and the one poll loop of the
// process. It knows how requests and replies travel, and not what they mean.
#pragma once

#include "bound_socket.hpp"
#include "front/base/clock.hpp"
#include "heartbeat.hpp"
#include "message.hpp"

#include <nlohmann/json.hpp>
#include <zmq.hpp>

#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace xcpp_front {

// Takes part in the poll loop and receives its events.
class PollParticipant {
public:
    virtual ~PollParticipant() = default;
    // Adds descriptors to wait for, and lowers `until` to the time by which on_poll() must be
    // called.
    virtual void add_poll_items(std::vector<zmq_pollitem_t>& items, TimePoint& until) = 0;
    // After a wait. `items` as polled.
    virtual void on_poll(const std::vector<zmq_pollitem_t>& items) = 0;
    // After each request, when nothing runs.
    virtual void between_requests() = 0;
    // The answer to request_input().
    virtual void on_input_reply(const std::string& value) = 0;
};

class Server {
public:
    // Answers a request with the content of its reply; null: this kind has no reply.
    using Handler = std::function<nlohmann::json(const Message& request)>;

    Server(const Connection& connection, PollParticipant& participant);

    // Serves until stop().
    void run(Handler handler);
    void stop() { stopping_ = true; }
    bool stopping() const { return stopping_; }

    enum class Shell { listen, ignore };
    // Waits once, at most until then, and handles what came. A request that runs calls it with
    // Shell::ignore, over and over, until it is done.
    void step(Shell shell, TimePoint until = never);

    // The header of the request on the shell channel that is being handled.
    const nlohmann::json& shell_header() const { return shell_request_.header; }

    // parent: the header of the request to which the message belongs.
    void publish(const std::string& type, const nlohmann::json& parent, nlohmann::json content,
                 nlohmann::json metadata = nlohmann::json::object(),
                 std::vector<std::string> buffers = {});
    // Asks the client that sent the present request. An earlier question is void, and so is its
    // answer.
    void request_input(const std::string& prompt);
    void forget_input() { input_id_.clear(); }
    bool awaits_input() const { return !input_id_.empty(); }

private:
    bool receive(zmq::socket_t& socket, const char* name, Message& message);
    void handle_request(zmq::socket_t& socket, const Message& request);
    void handle_stdin(const Message& message);
    void read_shell_queue();
    void abort_cells();
    void reply(zmq::socket_t& socket, const Message& request, nlohmann::json content,
               nlohmann::json metadata = nlohmann::json::object());
    void status(const nlohmann::json& parent, const char* state);
    nlohmann::json header(const std::string& type);

    Serializer serializer_;
    zmq::context_t context_{1};
    BoundSocket shell_, control_, stdin_, iopub_;
    Heartbeat heartbeat_;
    PollParticipant& participant_;
    Handler handler_;

    bool stopping_ = false;
    const std::string session_id_;
    long long messages_ = 0;  // sent so far, for their ids
    Message shell_request_;
    std::string input_id_;       // of the question that waits for an answer
    std::deque<Message> queue_;  // read from the shell socket, not handled yet
};

}  // namespace xcpp_front
