#include "server.hpp"

#include <xeus/xguid.hpp>
#include <xeus/xzmq_serializer.hpp>

#include <algorithm>
#include <iostream>

namespace xcpp_front {
namespace {

using nlohmann::json;
constexpr auto replace_invalid = json::error_handler_t::replace;
constexpr int most_faults = 10;

// Only a debugger would need a line between control and shell.
class NoMessenger : public xeus::xcontrol_messenger {
    json send_to_shell_impl(const json&) override { return json::object(); }
};

// xeus takes identities off the front until it meets the delimiter, and has no word for a message
// without one. It compares a signature to the length of its own digest: a shorter one would be read
// beyond its end.
bool is_jupyter_message(const zmq::multipart_t& message, std::size_t signature_size) {
    for (std::size_t part = 0; part < message.size(); ++part) {
        if (message.peekstr(part) == "<IDS|MSG>")
            return message.size() - part >= 6 && message.peek(part + 1)->size() >= signature_size;
    }
    return false;
}

std::size_t signature_size(const xeus::xauthentication& authentication) {
    const xeus::xraw_buffer nothing(nullptr, 0);
    return authentication.sign(nothing, nothing, nothing, nothing).size();
}

xeus::xmessage with_content(const xeus::xmessage& message, json content) {
    return xeus::xmessage(message.identities(), message.header(), message.parent_header(),
                          message.metadata(), std::move(content), {});
}

int wait_milliseconds(TimePoint until) {
    if (until == never) return -1;
    const TimePoint now = Clock::now();
    if (until <= now) return 0;
    return static_cast<int>(
        std::min<long long>(std::chrono::ceil<Milliseconds>(until - now).count(), 3'600'000));
}

}  // namespace

Server::Server(zmq::context_t& context, const xeus::xconfiguration& config)
    : authentication_(xeus::make_xauthentication(config.m_signature_scheme, config.m_key)),
      signature_size_(signature_size(*authentication_)),
      shell_(context, zmq::socket_type::router, config, config.m_shell_port),
      control_(context, zmq::socket_type::router, config, config.m_control_port),
      stdin_(context, zmq::socket_type::router, config, config.m_stdin_port),
      iopub_(context, zmq::socket_type::pub, config, config.m_iopub_port),
      heartbeat_(config),
      messenger_(std::make_unique<NoMessenger>()) {}

Server::~Server() = default;

xeus::xcontrol_messenger& Server::get_control_messenger_impl() { return *messenger_; }

void Server::start_impl(xeus::xpub_message message) {
    user_ = message.header().value("username", "");
    session_ = message.header().value("session", "");
    publish_impl(std::move(message), xeus::channel::SHELL);
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
    if (participant_ != nullptr) participant_->add_poll_items(items, until);
    if (zmq_poll(items.data(), static_cast<int>(items.size()), wait_milliseconds(until)) < 0) {
        if (zmq_errno() != EINTR)
            throw std::runtime_error(std::string("poll: ") + zmq_strerror(zmq_errno()));
        return;
    }
    xeus::xmessage message;
    try {
        if (items[0].revents != 0 && receive(control_, "control", message)) {
            note_order(message);
            notify_control_listener(std::move(message));
        }
        if (items[1].revents != 0 && receive(stdin_, "stdin", message)) handle_stdin(message);
    } catch (const json::exception& error) {
        std::cerr << "xcpp17: ignored a message with odd content: " << error.what() << '\n';
    }
    const bool shell_ready = shell == Shell::listen && items[own - 1].revents != 0;
    items.erase(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(own));
    if (participant_ != nullptr) participant_->on_poll(items);
    if (shell == Shell::ignore || stopping_) return;
    if (!queue_.empty()) {
        message = std::move(queue_.front());
        queue_.pop_front();
        handle_shell(std::move(message));
    } else if (shell_ready && receive(shell_, "shell", message)) {
        handle_shell(std::move(message));
    }
    if (participant_ != nullptr && !stopping_) participant_->between_requests();
}

// False: nothing there, or nothing that a client with the right key would send; that is
// written to the log.
bool Server::receive(zmq::socket_t& socket, const char* name, xeus::xmessage& message) {
    zmq::multipart_t parts;
    if (!parts.recv(socket, ZMQ_DONTWAIT)) return false;
    try {
        if (!is_jupyter_message(parts, signature_size_))
            throw std::runtime_error("no Jupyter message");
        message = xeus::xzmq_serializer::deserialize(parts, *authentication_);
        if (!message.header().is_object() || !message.content().is_object())
            throw std::runtime_error("header or content is no object");
        return true;
    } catch (const std::exception& error) {
        std::cerr << "xcpp17: ignored what came over the " << name << " socket: " << error.what()
                  << '\n';
        return false;
    }
}

void Server::handle_shell(xeus::xmessage message) {
    shell_header_ = message.header();
    shell_metadata_ = message.metadata();
    shell_identities_ = message.identities();
    stop_on_error_ =
        message.content().value("stop_on_error", true) && !message.content().value("silent", false);
    note_order(message);
    const std::string type = shell_header_.value("msg_type", "");
    if (type == "execute_request") cell_count_.begin(message.content());
    if (participant_ == nullptr || type.rfind("comm_", 0) != 0)
        return notify_shell_listener(std::move(message));
    // Comms live in the session: xeus's comm manager knows nothing of them.
    status(message.header(), "busy");
    try {
        if (type == "comm_info_request") {
            reply(
                message, "comm_info_reply",
                {{"status", "ok"},
                 {"comms", participant_->open_comms(message.content().value("target_name", ""))}});
        } else {
            participant_->comm_message(message);
        }
    } catch (const std::exception& error) {
        std::cerr << "xcpp17: " << type << ": " << error.what() << '\n';
    }
    status(message.header(), "idle");
}

// Orders belong to the control channel; old clients send them over the shell channel.
void Server::note_order(const xeus::xmessage& message) {
    const std::string type = message.header().value("msg_type", "");
    if (type == "shutdown_request") restart_ = message.content().value("restart", false);
    if (type == "interrupt_request" && participant_ != nullptr) participant_->interrupt_requested();
}

void Server::handle_stdin(const xeus::xmessage& message) {
    if (message.header().value("msg_type", "") != "input_reply" || !awaits_input()) return;
    // Answers of jupyter_client's blocking clients name no question.
    const json& parent = message.parent_header();
    const std::string question = parent.is_object() ? parent.value("msg_id", "") : "";
    if (!question.empty() && question != input_id_) return;
    input_id_.clear();
    const json value = message.content().value("value", json(""));
    if (participant_ != nullptr)
        participant_->input_came(value.is_string() ? value.get<std::string>() : value.dump());
}

void Server::request_input(const std::string& prompt, bool password) {
    for (xeus::xmessage late; receive(stdin_, "stdin", late);) {
    }
    json question = header("input_request");
    input_id_ = question.value("msg_id", "");
    send(stdin_, xeus::xmessage(shell_identities_, std::move(question), shell_header_,
                                json::object(), {{"prompt", prompt}, {"password", password}}, {}));
}

// What waits behind a failed cell is aborted; what the client sends after it has seen the failure
// is not: so look before the reply goes out.
void Server::send_shell_impl(xeus::xmessage message) {
    if (message.header().value("msg_type", "") == "execute_reply" && stop_on_error_ &&
        message.content().value("status", "") == "error") {
        zmq_pollitem_t item{shell_.handle(), 0, ZMQ_POLLIN, 0};
        for (xeus::xmessage waiting; zmq_poll(&item, 1, 0) > 0;) {
            if (receive(shell_, "shell", waiting)) queue_.push_back(std::move(waiting));
        }
        to_abort_ = queue_.size();
    }
    if (message.header().value("msg_type", "") == "execute_reply") {
        json content = message.content();
        content["execution_count"] = cell_count_.stored();
        message = with_content(message, std::move(content));
    }
    send(shell_, std::move(message));
}

void Server::abort_queue_impl(const listener&, long) {
    std::deque<xeus::xmessage> kept;
    for (; to_abort_ > 0 && !queue_.empty(); --to_abort_) {
        xeus::xmessage message = std::move(queue_.front());
        queue_.pop_front();
        if (message.header().value("msg_type", "") != "execute_request") {
            kept.push_back(std::move(message));
            continue;
        }
        status(message.header(), "busy");
        reply(message, "execute_reply", {{"status", "aborted"}, {"execution_count", nullptr}});
        status(message.header(), "idle");
    }
    for (; !kept.empty(); kept.pop_back()) queue_.push_front(std::move(kept.back()));
    to_abort_ = 0;
}

void Server::send_control_impl(xeus::xmessage message) { send(control_, std::move(message)); }

void Server::send_stdin_impl(xeus::xmessage message) { send(stdin_, std::move(message)); }

void Server::publish_impl(xeus::xpub_message message, xeus::channel) {
    if (message.header().value("msg_type", "") == "execute_input") {
        json content = message.content();
        content["execution_count"] = cell_count_.number();
        message = xeus::xpub_message(message.topic(), message.header(), message.parent_header(),
                                     message.metadata(), std::move(content), {});
    }
    xeus::xzmq_serializer::serialize_iopub(std::move(message), *authentication_, replace_invalid)
        .send(iopub_);
}

void Server::publish_now(const std::string& type, const json& parent, json content, json metadata,
                         xeus::buffer_sequence buffers) {
    publish_impl(xeus::xpub_message("xcpp17." + type, header(type), parent, std::move(metadata),
                                    std::move(content), std::move(buffers)),
                 xeus::channel::SHELL);
}

void Server::send(zmq::socket_t& socket, xeus::xmessage message) {
    // xeus 2.4.1 sends these two without a status, and hands out what it has moved away already.
    const std::string type = message.header().value("msg_type", "");
    if (type == "shutdown_reply" || type == "interrupt_reply") {
        json content{{"status", "ok"}};
        if (type == "shutdown_reply") content["restart"] = restart_;
        message = with_content(message, std::move(content));
    }
    xeus::xzmq_serializer::serialize(std::move(message), *authentication_, replace_invalid)
        .send(socket);
}

void Server::reply(const xeus::xmessage& request, const std::string& type, json content) {
    send(shell_, xeus::xmessage(request.identities(), header(type), request.header(),
                                json::object(), std::move(content), {}));
}

void Server::status(const json& parent, const char* state) {
    publish_now("status", parent, {{"execution_state", state}});
}

json Server::header(const std::string& type) const {
    return xeus::make_header(type, user_, session_);
}

std::unique_ptr<xeus::xserver> make_server(xeus::xcontext& context,
                                           const xeus::xconfiguration& config,
                                           json::error_handler_t) {
    return std::make_unique<Server>(context.get_wrapped_context<zmq::context_t>(), config);
}

}  // namespace xcpp_front
