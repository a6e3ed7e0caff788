// The half of the supervisor that reacts: to signals, to messages of the session, to comm messages
// of the client.
#include "supervisor.hpp"

#include "wire/acknowledge.hpp"

#include <signal.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iostream>

namespace xcpp_front {
namespace {

using nlohmann::json;

constexpr int most_messages_a_turn =
    64;  // a session that floods its channel must not keep the control socket waiting

xcpp_wire::Descriptor watch_signals() {
    ::signal(SIGPIPE, SIG_IGN);
    sigset_t signals;
    ::sigemptyset(&signals);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) ::sigaddset(&signals, number);
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);  // threads that are made later inherit it
    xcpp_wire::Descriptor descriptor(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!descriptor) throw std::runtime_error(std::string("signalfd: ") + std::strerror(errno));
    return descriptor;
}

// A Jupyter server that was killed cannot say good-bye. jupyter_client tells its pid; another one's
// child does not watch it.
xcpp_wire::Descriptor watch_parent() {
    const char* parent = std::getenv("JPY_PARENT_PID");
    if (parent == nullptr || std::atoi(parent) != ::getppid()) return {};
    return xcpp_wire::Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, ::getppid(), 0)));
}

bool came(const std::vector<zmq_pollitem_t>& items, const xcpp_wire::Descriptor& descriptor) {
    return descriptor && std::any_of(items.begin(), items.end(), [&](const auto& item) {
               return item.fd == descriptor.get() && item.revents != 0;
           });
}

const char* name_of(Stream stream) { return stream == Stream::out ? "stdout" : "stderr"; }

}  // namespace

Supervisor::Supervisor(std::string session_program, std::vector<std::string> session_arguments)
    : output_([this](Stream stream, const std::string& text) {
          publish("stream", {{"name", name_of(stream)}, {"text", text}});
      }),
      sessions_(std::move(session_program), std::move(session_arguments),
                output_.end_for_writing(Stream::out), output_.end_for_writing(Stream::err)),
      signals_(watch_signals()),
      parent_process_(watch_parent()) {
    sessions_.on_copy = [this](int) {
        // A comm message was noted before the session heard of it, and the mark was set before
        // that.
        if (!request_ || request_->message.value("op", "") != "comm") comms_.mark();
    };
    restart_session();
}

Supervisor::~Supervisor() = default;

void Supervisor::add_poll_items(std::vector<zmq_pollitem_t>& items, TimePoint& until) {
    items.push_back({nullptr, signals_.get(), ZMQ_POLLIN, 0});
    if (parent_process_) items.push_back({nullptr, parent_process_.get(), ZMQ_POLLIN, 0});
    sessions_.add_poll_items(items, until);
    output_.add_poll_items(items, until);
    until = std::min({until, interrupt_limit_, compile_limit_, start_limit_});
}

void Supervisor::on_poll(const std::vector<zmq_pollitem_t>& items) {
    if (came(items, parent_process_)) server_->stop();
    if (came(items, signals_)) read_signals();
    sessions_.check_deadlines();
    read_messages();
    output_.on_poll(items);
}

void Supervisor::read_signals() {
    signalfd_siginfo info{};
    bool child = false;
    while (::read(signals_.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
        switch (info.ssi_signo) {
            case SIGINT:
                interrupt();
                break;
            case SIGCHLD:
                child = true;
                break;
            default:
                server_->stop();
        }
    }
    if (child) sessions_.reap();
}

void Supervisor::read_messages() {
    xcpp_wire::Message message;
    for (int count = 0;
         (count < most_messages_a_turn || !sessions_.alive()) && sessions_.receive(message);
         ++count) {
        try {
            handle(message);
        } catch (const json::exception& error) {
            std::cerr << "xcpp17: the session sent nonsense: " << error.what() << '\n';
            sessions_.signal(SIGKILL);
        }
    }
}

void Supervisor::handle(xcpp_wire::Message& message) {
    const json& body = message.body;
    const std::string op = body.value("op", "");
    if (op == "publish") {
        output_.drain();
        publish_from_session(body);
        xcpp_wire::acknowledge(sessions_.page());
    } else if (op == "comm_out") {
        output_.drain();
        comm_from_session(message);
        xcpp_wire::acknowledge(sessions_.page());
    } else if (op == "output_area") {
        output_.drain();
        set_output_area(body.value("comm_id", ""));
        xcpp_wire::acknowledge(sessions_.page());
    } else if (op == "input_request") {
        output_.drain();
        ask_for_input(body);
    } else if (op == "result") {
        if (request_ && body.value("id", -1LL) == id_) result_ = body;
    } else if (op == "reply") {
        if (body.value("id", -1LL) != id_) return;
        unanswered_ = false;
        reply_ = body;
    } else if (op == "stage") {
        compile_limit_ = body.value("stage", "") == "compile" && request_
                             ? Clock::now() + limit(compile_seconds_)
                             : never;
    } else if (op == "ready") {
        output_.drain();
        output_.hold(false);
        ready_ = true;
        failed_starts_ = 0;
        start_limit_ = never;
        for (const auto& note : body.value("notes", std::vector<std::string>{}))
            notes_.push_back(note);
    } else if (op == "no_copy") {
        if (!body.value("keep", false)) sessions_.drop_copy();
        const std::string reason = body.value("reason", "");
        if (!reason.empty() && reason != last_reason_) show_line(reason);
        last_reason_ = reason;
    } else if (op == "took_over") {
        took_over_ = body;
    }
}

void Supervisor::publish_from_session(const json& body) {
    const std::string type = body.value("type", "");
    json content = body.value("content", json::object());
    json metadata = body.value("metadata", json::object());
    if (type == "execute_result" && request_) {
        if (request_->keep_value) value_ = content.value("data", json::object());
        if (request_->keep_value || request_->silent) return;
        if (!content.contains("execution_count")) content["execution_count"] = request_->count;
    }
    if (type == "display_data" || type == "update_display_data" || type == "execute_result") {
        // A display's metadata is part of its content.
        if (!content.contains("metadata"))
            content["metadata"] = std::exchange(metadata, json::object());
        if (type != "execute_result" && !content.contains("transient"))
            content["transient"] = json::object();
    }
    publish(type, std::move(content), std::move(metadata));
}

void Supervisor::comm_from_session(xcpp_wire::Message& message) {
    const json& body = message.body;
    CommEvent event{body.value("event", ""),
                    body.value("comm_id", ""),
                    body.value("target", ""),
                    body.value("data", json::object()),
                    body.value("metadata", json::object()),
                    std::move(message.buffers)};
    comms_.note(event);
    publish_comms({event});
}

// Jupyter's Output model takes the messages that answer the request it names. That name holds for
// the length of a request, so it is no part of the widget's state: a take-over does not bring it
// back.
void Supervisor::set_output_area(const std::string& comm_id) {
    const auto tell = [this](const std::string& area, const std::string& request) {
        if (comms_.knows(area))
            publish_comms({{"msg",
                            area,
                            "",
                            {{"method", "update"}, {"state", {{"msg_id", request}}}},
                            json::object(),
                            {}}});
    };
    if (comm_id == output_area_) return;
    tell(output_area_, "");
    output_area_ = comm_id;
    tell(output_area_, parent_.value("msg_id", ""));
}

std::string Supervisor::cell_id() const {
    const json& metadata = server_->shell_metadata();
    const json name = metadata.is_object() ? metadata.value("cellId", json()) : json();
    return name.is_string() ? name.get<std::string>() : "";
}

void Supervisor::comm_message(const xeus::xmessage& message) {
    const json& content = message.content();
    CommEvent event{message.header().value("msg_type", "").substr(std::strlen("comm_")),
                    content.value("comm_id", ""),
                    content.value("target_name", ""),
                    content.value("data", json::object()),
                    message.metadata(),
                    {}};
    for (const auto& buffer : message.buffers())
        event.buffers.emplace_back(buffer.begin(), buffer.end());
    if (event.event != "open" && !comms_.knows(event.comm_id)) return;
    comms_.mark();
    comms_.note(event);
    Request request;
    request.message = {
        {"op", "comm"},           {"event", event.event}, {"comm_id", event.comm_id},
        {"target", event.target}, {"data", event.data},   {"metadata", event.metadata}};
    request.buffers = event.buffers;
    const RequestOutcome outcome = run(std::move(request));
    if (event.event == "open" && comms_.knows(event.comm_id) &&
        (!outcome.handled || outcome.failure)) {
        CommEvent close{"close", event.comm_id, event.target, json::object(), json::object(), {}};
        comms_.note(close);
        publish_comms({close});
    }
}

void Supervisor::ask_for_input(const json& body) {
    if (request_ && request_->allow_stdin && !interrupted_) {
        server_->request_input(body.value("prompt", ""), body.value("password", false));
    } else {
        sessions_.send(
            {{"op", "input_reply"}, {"error", interrupted_ ? "interrupted" : "not_allowed"}});
    }
}

void Supervisor::input_came(const std::string& value) {
    sessions_.send({{"op", "input_reply"}, {"value", value}});
}

void Supervisor::publish(const std::string& type, json content, json metadata,
                         const std::vector<std::string>& buffers) {
    if (server_ == nullptr) return;
    xeus::buffer_sequence bytes;
    for (const auto& buffer : buffers) bytes.emplace_back(buffer.begin(), buffer.end());
    server_->publish_now(type, parent_, std::move(content), std::move(metadata), std::move(bytes));
}

void Supervisor::publish_comms(const std::vector<CommEvent>& events) {
    for (const auto& event : events) {
        json content{{"comm_id", event.comm_id}, {"data", event.data}};
        if (event.event == "open") content["target_name"] = event.target;
        publish("comm_" + event.event, std::move(content), event.metadata, event.buffers);
    }
}

void Supervisor::show_line(const std::string& text) {
    publish("display_data", {{"data", {{"text/plain", text}}},
                             {"metadata", json::object()},
                             {"transient", json::object()}});
}

void Supervisor::show_failure(const Failure& failure) {
    if (request_ && (request_->silent || request_->keep_value)) return;
    publish(
        "error",
        {{"ename", failure.ename}, {"evalue", failure.evalue}, {"traceback", failure.traceback}});
}

}  // namespace xcpp_front
