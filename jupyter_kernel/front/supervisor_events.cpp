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
#include <cstring>
#include <iostream>

namespace xcpp_front {
namespace {

using nlohmann::json;
using xcpp_wire::CommIn;
using xcpp_wire::CommOut;
using xcpp_wire::Completed;
using xcpp_wire::InputReply;
using xcpp_wire::InputRequest;
using xcpp_wire::NoCopy;
using xcpp_wire::OutputArea;
using xcpp_wire::Preparing;
using xcpp_wire::Publish;
using xcpp_wire::Ready;
using xcpp_wire::Result;
using xcpp_wire::StageBegins;
using xcpp_wire::TookOver;
using xcpp_wire::unpacked;

constexpr int most_messages_a_turn =
    64;  // a session that floods its channel must not keep the control socket waiting

constexpr double seconds_to_prepare = 600;

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

// A client that is killed sends no shutdown_request: the process that started us is watched. Not by
// PR_SET_PDEATHSIG, which acts already when the thread that started us ends.
xcpp_wire::Descriptor watch_parent() {
    return xcpp_wire::Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, ::getppid(), 0)));
}

bool is_ready(const std::vector<zmq_pollitem_t>& items, const xcpp_wire::Descriptor& descriptor) {
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
    sessions_.on_copy = [this](const xcpp_wire::CopyMade& copy) {
        lost_copy_.clear();
        // A comm message was noted before the session heard of it, and the mark was set before
        // that.
        const bool is_comm = request_ && std::holds_alternative<CommIn>(request_->message);
        if (copy.after_cell || !is_comm) comms_.save();
    };
    sessions_.on_copy_lost = [this](const Ending& ending) {
        const std::string line =
            "The frozen copy of the session was ended by " + ending.description() +
            (ending.signal == SIGKILL ? ", as the system does if memory is short" : "");
        if (request_ && sent_) {
            show_line(line + ": if this cell crashes, all variables are lost.");
            lost_copy_ = line + ".";
        } else {
            copy_was_lost(line);
        }
    };
    restart_session();
}

Supervisor::~Supervisor() = default;

void Supervisor::add_poll_items(std::vector<zmq_pollitem_t>& items, TimePoint& until) {
    items.push_back({nullptr, signals_.get(), ZMQ_POLLIN, 0});
    if (parent_process_) items.push_back({nullptr, parent_process_.get(), ZMQ_POLLIN, 0});
    sessions_.add_poll_items(items, until);
    output_.add_poll_items(items, until);
    until = std::min(
        {until, interrupt_limit_, next_signal_, compile_limit_, start_limit_, idle_limit_});
}

void Supervisor::on_poll(const std::vector<zmq_pollitem_t>& items) {
    if (is_ready(items, parent_process_)) server_->stop();
    if (is_ready(items, signals_)) read_signals();
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
            std::cerr << "xcpp17: invalid message from the session: " << error.what() << '\n';
            sessions_.signal(SIGKILL);
        }
    }
}

void Supervisor::handle(xcpp_wire::Message& message) {
    const json& body = message.body;
    const std::string op = xcpp_wire::op_of(body);
    if (op == Publish::op) {
        output_.drain();
        publish_from_session(unpacked<Publish>(body));
        xcpp_wire::acknowledge(sessions_.page());
    } else if (op == CommOut::op) {
        output_.drain();
        comm_from_session(message);
        xcpp_wire::acknowledge(sessions_.page());
    } else if (op == OutputArea::op) {
        output_.drain();
        set_output_area(unpacked<OutputArea>(body).comm_id);
        xcpp_wire::acknowledge(sessions_.page());
    } else if (op == InputRequest::op) {
        output_.drain();
        ask_for_input(unpacked<InputRequest>(body));
    } else if (op == Result::op) {
        auto result = unpacked<Result>(body);
        if (request_ && result.id == id_) result_ = std::move(result);
    } else if (op == Completed::op) {  // the op of all replies
        if (body.value("id", -1LL) != id_) return;
        unanswered_ = false;
        reply_ = body;
    } else if (op == StageBegins::op) {
        const std::string stage = unpacked<StageBegins>(body).stage;
        const bool compiles = stage == "compile" && request_;
        compile_limit_ = compiles ? Clock::now() + limit(compile_seconds_) : never;
        if (stage == "search" && replacing_)
            take_over_limit_ += limit(compile_seconds_);  // the session takes a quarter of it
    } else if (op == Ready::op) {
        output_.drain();
        output_.hold(false);
        ready_ = true;
        failed_starts_ = 0;
        start_limit_ = never;
        for (auto& note : unpacked<Ready>(body).notes) notes_.push_back(std::move(note));
    } else if (op == Preparing::op) {
        start_limit_ = Clock::now() + limit(seconds_to_prepare);
        const auto note = unpacked<Preparing>(body).note;
        if (request_ && !request_->silent && !request_->keep_value)
            show_line(note);
        else
            notes_.push_back(note);
    } else if (op == NoCopy::op) {
        const auto none = unpacked<NoCopy>(body);
        if (!none.keep) sessions_.drop_copy();
        if (!none.reason.empty() && none.reason != last_reason_) show_line(none.reason);
        last_reason_ = none.reason;
        lost_copy_ = "That cell ran without a frozen copy of the session.";
    } else if (op == TookOver::op) {
        took_over_ = unpacked<TookOver>(body);
    }
}

void Supervisor::publish_from_session(Publish message) {
    auto& [type, content, metadata] = message;
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
    auto body = unpacked<CommOut>(message.body);
    const CommEvent event{body.event,
                          body.comm_id,
                          body.target,
                          std::move(body.data),
                          std::move(body.metadata),
                          std::move(message.buffers)};
    comms_.note(event);
    publish_comms({event});
}

// Jupyter's Output model takes the messages that answer the request it names. That name holds for
// the length of a request, so it is not part of the widget's state: a take-over does not bring it
// back.
void Supervisor::set_output_area(const std::string& comm_id) {
    const auto set_message_id = [this](const std::string& area, const std::string& request) {
        if (comms_.knows(area))
            publish_comms({{"msg",
                            area,
                            "",
                            {{"method", "update"}, {"state", {{"msg_id", request}}}},
                            json::object(),
                            {}}});
    };
    if (comm_id == output_area_) return;
    set_message_id(output_area_, "");
    output_area_ = comm_id;
    set_message_id(output_area_, parent_.value("msg_id", ""));
}

void Supervisor::comm_message(const Message& message) {
    const json& content = message.content;
    const CommEvent event{message.type().substr(std::strlen("comm_")),
                          content.value("comm_id", ""),
                          content.value("target_name", ""),
                          content.value("data", json::object()),
                          message.metadata,
                          message.buffers};
    if (event.event != "open" && !comms_.knows(event.comm_id)) return;
    comms_.save();
    comms_.note(event);
    Request request;
    request.message =
        CommIn{0, event.event, event.comm_id, event.target, event.data, event.metadata};
    request.buffers = event.buffers;
    const RequestOutcome outcome = run(std::move(request));
    if (event.event == "open" && comms_.knows(event.comm_id) &&
        (!outcome.handled || outcome.failure)) {
        CommEvent close{"close", event.comm_id, event.target, json::object(), json::object(), {}};
        comms_.note(close);
        publish_comms({close});
    }
}

void Supervisor::ask_for_input(const InputRequest& request) {
    if (request_ && request_->allow_stdin && !interrupted_) {
        server_->request_input(request.prompt);
    } else {
        sessions_.send(InputReply{"", interrupted_ ? "interrupted" : "not_allowed"});
    }
}

void Supervisor::on_input_reply(const std::string& value) { sessions_.send(InputReply{value, ""}); }

void Supervisor::publish(const std::string& type, json content, json metadata,
                         std::vector<std::string> buffers) {
    if (server_ == nullptr) return;
    server_->publish(type, parent_, std::move(content), std::move(metadata), std::move(buffers));
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
    publish("error", failure.content());
}

}  // namespace xcpp_front
