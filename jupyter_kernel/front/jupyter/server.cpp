#include "server.hpp"

#include "version.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <random>
#include <utility>

namespace xcpp_front {
namespace {

using nlohmann::json;
constexpr int most_faults = 10;

std::string random_id() {
    std::random_device random;
    std::string id;
    for (int digit = 0; digit < 32; ++digit) id += "0123456789abcdef"[random() % 16];
    return id;
}

// ISO 8601, with microseconds.
std::string now() {
    const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
    const auto microseconds =
        std::chrono::duration_cast<std::chrono::microseconds>(since_1970).count();
    const std::time_t seconds = microseconds / 1'000'000;
    std::tm date{};
    ::gmtime_r(&seconds, &date);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &date);
    const std::string fraction = std::to_string(1'000'000 + microseconds % 1'000'000).substr(1);
    return std::string(text) + "." + fraction + "Z";
}

int wait_milliseconds(TimePoint until) {
    if (until == never) return -1;
    const TimePoint now = Clock::now();
    if (until <= now) return 0;
    return static_cast<int>(
        std::min<long long>(std::chrono::ceil<Milliseconds>(until - now).count(), 3'600'000));
}

// A failed cell aborts the cells that the client has sent after it.
bool aborts_others(const Message& request, const json& reply) {
    return request.type() == "execute_request" && reply.value("status", "") == "error" &&
           request.content.value("stop_on_error", true) && !request.content.value("silent", false);
}

}  // namespace

Server::Server(const Connection& connection, PollParticipant& participant)
    : serializer_(connection.signature_scheme, connection.key),
      shell_(context_, zmq::socket_type::router, connection, connection.shell_port),
      control_(context_, zmq::socket_type::router, connection, connection.control_port),
      stdin_(context_, zmq::socket_type::router, connection, connection.stdin_port),
      iopub_(context_, zmq::socket_type::pub, connection, connection.iopub_port),
      heartbeat_(connection),
      participant_(participant),
      session_id_(random_id()) {}

void Server::run(Handler handler) {
    handler_ = std::move(handler);
    status(json::object(), "starting");
    // A fault of our own must not end the session; one that comes back at once has no other end.
    for (int faults = 0; !stopping_;) {
        try {
            step(Shell::listen);
            faults = 0;
        } catch (const std::exception& error) {
            std::cerr << "xcpp17: " << error.what() << '\n';
            if (++faults == most_faults) throw;
        }
    }
}

void Server::step(Shell shell, TimePoint until) {
    if (shell == Shell::listen && !queue_.empty()) until = TimePoint::min();
    std::vector<zmq_pollitem_t> items{{control_.handle(), 0, ZMQ_POLLIN, 0},
                                      {stdin_.handle(), 0, ZMQ_POLLIN, 0}};
    if (shell == Shell::listen) items.push_back({shell_.handle(), 0, ZMQ_POLLIN, 0});
    const std::size_t own = items.size();
    participant_.add_poll_items(items, until);
    if (zmq_poll(items.data(), static_cast<int>(items.size()), wait_milliseconds(until)) < 0) {
        if (zmq_errno() != EINTR)
            throw std::runtime_error(std::string("poll: ") + zmq_strerror(zmq_errno()));
        return;
    }
    Message message;
    if (items[0].revents != 0 && receive(control_, "control", message))
        handle_request(control_, message);
    if (items[1].revents != 0 && receive(stdin_, "stdin", message)) handle_stdin(message);
    const bool shell_ready = shell == Shell::listen && items[own - 1].revents != 0;
    items.erase(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(own));
    participant_.on_poll(items);
    if (shell == Shell::ignore || stopping_) return;
    if (queue_.empty() && shell_ready && receive(shell_, "shell", message))
        queue_.push_back(std::move(message));
    if (!queue_.empty()) {
        shell_request_ = std::move(queue_.front());
        queue_.pop_front();
        handle_request(shell_, shell_request_);
    }
    if (!stopping_) participant_.between_requests();
}

// False: nothing there, or nothing that a client with the right key would send; that is
// written to the log.
bool Server::receive(zmq::socket_t& socket, const char* name, Message& message) {
    zmq::multipart_t parts;
    if (!parts.recv(socket, ZMQ_DONTWAIT)) return false;
    try {
        message = serializer_.deserialize(parts);
        return true;
    } catch (const std::exception& error) {
        std::cerr << "xcpp17: ignored what came over the " << name << " socket: " << error.what()
                  << '\n';
        return false;
    }
}

void Server::handle_request(zmq::socket_t& socket, const Message& request) {
    status(request.header, "busy");
    try {
        const json metadata{{"started", now()}};
        json content = handler_(request);
        if (!content.is_null()) {
            // Cells that are queued when a cell fails are aborted; those that the client sends
            // after it has seen the failure are not: so read the queue before the reply is sent.
            const bool abort = aborts_others(request, content);
            if (abort) read_shell_queue();
            reply(socket, request, std::move(content), metadata);
            if (abort) abort_cells();
        }
    } catch (const std::exception& error) {
        std::cerr << "xcpp17: " << request.type() << ": " << error.what() << '\n';
    }
    status(request.header, "idle");
}

void Server::handle_stdin(const Message& message) {
    if (message.type() != "input_reply" || !awaits_input()) return;
    // Answers of jupyter_client's blocking clients name no question.
    const json& parent = message.parent_header;
    const json question = parent.is_object() ? parent.value("msg_id", json("")) : json("");
    if (question != "" && question != input_id_) return;
    input_id_.clear();
    const json value = message.content.value("value", json(""));
    participant_.on_input_reply(value.is_string() ? value.get<std::string>() : value.dump());
}

void Server::request_input(const std::string& prompt) {
    for (Message late; receive(stdin_, "stdin", late);) {
    }
    Message question;
    question.identities = shell_request_.identities;
    question.header = header("input_request");
    question.parent_header = shell_request_.header;
    question.content = {{"prompt", prompt}, {"password", false}};
    input_id_ = question.header["msg_id"];
    serializer_.serialize(question).send(stdin_);
}

void Server::read_shell_queue() {
    zmq_pollitem_t item{shell_.handle(), 0, ZMQ_POLLIN, 0};
    for (Message waiting; zmq_poll(&item, 1, 0) > 0;) {
        if (receive(shell_, "shell", waiting)) queue_.push_back(std::move(waiting));
    }
}

// Everything that waits is in the queue.
void Server::abort_cells() {
    std::deque<Message> others;
    for (Message& request : std::exchange(queue_, {})) {
        if (request.type() != "execute_request") {
            others.push_back(std::move(request));
            continue;
        }
        status(request.header, "busy");
        reply(shell_, request, {{"status", "aborted"}, {"execution_count", nullptr}});
        status(request.header, "idle");
    }
    queue_ = std::move(others);
}

void Server::reply(zmq::socket_t& socket, const Message& request, json content, json metadata) {
    const std::string type = request.type();
    Message message;
    message.identities = request.identities;
    message.header = header(type.substr(0, type.rfind("_request")) + "_reply");
    message.parent_header = request.header;
    message.metadata = std::move(metadata);
    message.content = std::move(content);
    serializer_.serialize(message).send(socket);
}

void Server::publish(const std::string& type, const json& parent, json content, json metadata,
                     std::vector<std::string> buffers) {
    Message message;
    message.identities = {"xcpp17." + type};
    message.header = header(type);
    message.parent_header = parent;
    message.metadata = std::move(metadata);
    message.content = std::move(content);
    message.buffers = std::move(buffers);
    serializer_.serialize(message).send(iopub_);
}

void Server::status(const json& parent, const char* state) {
    publish("status", parent, {{"execution_state", state}});
}

json Server::header(const std::string& type) {
    const char* user = std::getenv("USER");
    return {{"msg_id", session_id_ + "_" + std::to_string(++messages_)},
            {"msg_type", type},
            {"session", session_id_},
            {"username", user == nullptr ? "" : user},
            {"date", now()},
            {"version", protocol_version}};
}

}  // namespace xcpp_front
