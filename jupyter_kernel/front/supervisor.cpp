#include "supervisor.hpp"

#include "front/processes/memory_pressure.hpp"

#include <signal.h>

#include <algorithm>
#include <iostream>
#include <sstream>
#include <utility>

namespace xcpp_front {
namespace {

using nlohmann::json;

constexpr int most_starts = 3;
constexpr double seconds_to_start = 60;
constexpr double seconds_to_answer_interrupt = 1;
constexpr int milliseconds_to_next_signal = 100;
constexpr double seconds_until_idle = 60;
constexpr double seconds_to_take_over = 10;
constexpr double seconds_to_answer_late = 10;
constexpr const char* gone =
    "The session was restarted: variables and functions of earlier cells are gone.";

std::string took_too_long() {
    return "the limit of " + std::to_string(static_cast<int>(seconds_to_start * slowness())) + " s";
}

xcpp_wire::TakeOver order(const char* why, std::optional<Ending> ending = {}) {
    xcpp_wire::TakeOver order;
    order.why = why;
    if (ending && ending->signal != 0)
        order.signal = ending->signal;
    else if (ending)
        order.exit_code = ending->exit_code;
    return order;
}

Failure failure_from(const xcpp_wire::ErrorText& error) {
    Failure failure(error.ename.empty() ? "Error" : error.ename, error.evalue);
    if (!error.traceback.empty()) failure.traceback = error.traceback;
    return failure;
}

// Runs at the end of a scope, however it is left.
template <typename Action>
struct ScopeExit {
    Action action;
    ~ScopeExit() { action(); }
};
template <typename Action>
ScopeExit(Action) -> ScopeExit<Action>;

}  // namespace

Failure::Failure(std::string name, std::string value, const std::string& more)
    : ename(std::move(name)), evalue(std::move(value)) {
    traceback.push_back("\x1b[1m" + ename + "\x1b[0m: " + evalue);
    if (!more.empty()) traceback.push_back(more);
}

json Failure::content() const {
    return {{"ename", ename}, {"evalue", evalue}, {"traceback", traceback}};
}

RequestOutcome Supervisor::run(Request request) {
    output_.end_cell();  // what came after the last cell still belongs to it
    parent_ = server_->shell_header();
    output_.begin_cell();
    interrupted_ = interrupted_compiling_ = false;
    interrupts_ = 0;
    idle_limit_ = never;
    result_.reset();
    value_ = nullptr;
    request_ = std::move(request);
    const ScopeExit done{[this] {
        set_output_area("");  // after an error was shown
        request_.reset();
        sent_ = false;
        interrupt_limit_ = next_signal_ = compile_limit_ = never;
        idle_limit_ = Clock::now() + limit(seconds_until_idle);
        // A thread of an older cell, or a completion, must not take it for an interrupt of its own.
        sessions_.page().interrupt = 0;
        server_->forget_input();
    }};

    await_late_reply();
    return run_request();
}

RequestOutcome Supervisor::run_request() {
    RequestOutcome outcome;
    switch (await_ready(never)) {
        case Start::ready:
            break;
        case Start::interrupted:
            outcome.failure = Failure("Interrupted", "interrupted by the user");
            break;
        case Start::stopping:
            outcome.failure = Failure("Interrupted", "the Jupyter kernel is shutting down");
            break;
        case Start::failed:
        case Start::late:
            outcome.failure = no_session();
            break;
    }
    if (outcome.failure) {
        show_failure(*outcome.failure);
        return outcome;
    }
    if (!request_) return outcome;
    if (!request_->silent && !request_->keep_value) {
        for (const auto& note : std::exchange(notes_, {})) show_line(note);
    }
    sessions_.page().interrupt = 0;
    sessions_.page().crash_cause = static_cast<std::int32_t>(xcpp_wire::CrashCause::none);
    sessions_.note_processes();
    id_ = next_id_++;
    sent_ = true;
    std::visit(
        [this](auto& message) {
            message.id = id_;
            sessions_.send(message, request_->buffers);
        },
        request_->message);
    return wait_for_result();
}

// Every turn of the loop ends: by a message, the death of the session, or one of the limits.
RequestOutcome Supervisor::wait_for_result() {
    const Failure interrupted("Interrupted", "interrupted by the user");
    for (;;) {
        server_->step(Server::Shell::ignore);
        if (result_) {
            const xcpp_wire::Result result = std::move(*result_);
            result_.reset();
            return finish(result);
        }
        if (server_->stopping()) {
            graceful_end_ = false;
            RequestOutcome outcome;
            outcome.failure = Failure("Interrupted", "the Jupyter kernel is shutting down");
            return outcome;
        }
        if (!sessions_.alive())
            return interrupted_ ? replace_session("interrupt", interrupted)
                                : replace_session("crash");
        const TimePoint now = Clock::now();
        if (must_take_back())
            return replace_session("interrupt", interrupted,
                                   "It did not stop by itself, so it was stopped. ");
        if (now >= compile_limit_) {
            std::ostringstream words;
            words << "compiling took longer than " << compile_seconds_ * slowness() << " s";
            return replace_session("compile_timeout", Failure("CompileError", words.str()),
                                   "XCPP_COMPILE_TIMEOUT sets the limit, in seconds. ");
        }
    }
}

// The cell has read a part of the precompiled header that is damaged: a new session that does
// without the header runs it.
RequestOutcome Supervisor::run_without_header(const std::string& problem) {
    without_header_ = true;
    sessions_.add_argument("--no-pch");
    sessions_.add_argument(problem);
    sessions_.kill();
    sessions_.kill_processes_of_failed_cell();
    restart_session();
    if (last_count_ > 0) notes_.emplace_back(gone);
    return run_request();
}

RequestOutcome Supervisor::finish(const xcpp_wire::Result& result) {
    if (!result.bad_header.empty() && !without_header_)
        return run_without_header(result.bad_header);
    output_.end_cell();
    RequestOutcome outcome;
    outcome.payload = result.payload;
    outcome.handled = result.handled;
    outcome.value = value_;
    bool restarted = false;
    if (result.undo) {
        if (!sessions_.has_copy() || sessions_.cell_of_copy() != last_count_) {
            outcome.failure =
                Failure("UndoError", "nothing to undo",
                        lost_copy_.empty()
                            ? "One cell can be taken back, once, as long as no other has run since."
                            : lost_copy_);
        } else {
            const std::string cell = "In[" + std::to_string(sessions_.cell_of_copy()) + "]";
            sessions_.kill();
            restore_session(order("undo"), restarted);
            if (restarted)
                outcome.failure = Failure("UndoError", "the cell could not be taken back", gone);
            else
                show_line(cell +
                          " was taken back. Files, shared memory, GPU memory, threads and what was "
                          "shown stay as they are.");
        }
        if (outcome.failure) show_failure(*outcome.failure);
        return outcome;
    }
    // The frozen copy of a user expression would take back that expression, and not the cell.
    if (request_) last_count_ = request_->keep_value ? 0 : request_->count;
    if (!result.ok()) {
        outcome.failure = failure_from({result.ename, result.evalue, result.traceback});
    } else if (interrupted_) {
        // A cell that waited in system() returns normally; the user pressed interrupt and
        // must see that it worked.
        outcome.failure = Failure("Interrupted", "interrupted by the user");
    }
    if (outcome.failure) show_failure(*outcome.failure);
    // Interrupted before it ran: half of its declarations may be there.
    const bool half_compiled = interrupted_compiling_ && outcome.failure && sessions_.has_copy();
    if (result.take_over || half_compiled) {
        const bool of_this_cell = copy_is_of_this_cell();
        const std::string restored = restored_state();
        sessions_.kill();
        xcpp_wire::TakeOver failed = order("failed");
        if (result.ename == "CompileError") failed.compile_error = result.evalue;
        restore_session(failed, restarted);
        if (restarted)
            show_line(gone);
        else if (!of_this_cell)
            show_line(restored);
    }
    return outcome;
}

// What a take-over would bring back now. As a rule that is the time before the present cell;
// between two cells it is the time before the last one.
std::string Supervisor::restored_state() const {
    if (copy_is_of_this_cell()) return "Everything is as it was before the cell.";
    return "Everything is as it was before cell [" + std::to_string(sessions_.cell_of_copy()) +
           "]; run that cell again if you need what it did.";
}

bool Supervisor::copy_is_of_this_cell() const {
    return request_ && sent_ &&
           (sessions_.cell_of_copy() == request_->count || request_->count == 0);
}

// No result will come. failure: what the user is told, followed by `advice`; empty: the session has
// crashed, and its copy says how.
RequestOutcome Supervisor::replace_session(const char* why, std::optional<Failure> failure,
                                           const std::string& advice) {
    sessions_.kill();
    read_messages();
    output_.end_cell();
    const Ending ending = sessions_.ending();
    const std::string restored = restored_state();
    const bool crashed = !failure;
    bool restarted = false;
    const std::optional<Failure> crash = restore_session(order(why, ending), restarted);
    // clang 19 may crash after it has found that the precompiled header is damaged.
    if (crash && !without_header_ && crash->ename == "CompileError" &&
        crash->evalue.find("malformed or corrupted AST file") != std::string::npos)
        return run_without_header(crash->evalue);
    if (crashed)
        failure = crash ? *crash : Failure("Crash", "the session ended by " + ending.description());
    if (restarted || !crashed) failure->traceback.push_back(restarted ? gone : advice + restored);
    show_failure(*failure);
    RequestOutcome outcome;
    outcome.failure = failure;
    return outcome;
}

// The session is dead. Its copy takes over, or, where there is none, a new session starts. Returns
// what the copy has to say about the end.
std::optional<Failure> Supervisor::restore_session(const xcpp_wire::TakeOver& order,
                                                   bool& restarted) {
    replacing_ = true;
    const ScopeExit done{[this] { replacing_ = false; }};
    server_->forget_input();
    interrupt_limit_ = next_signal_ = compile_limit_ = never;
    sessions_.kill_processes_of_failed_cell();
    took_over_.reset();
    if (sessions_.take_over(order)) {
        take_over_limit_ = Clock::now() + limit(seconds_to_take_over);
        while (!took_over_ && sessions_.alive() && !server_->stopping() &&
               Clock::now() < take_over_limit_)
            server_->step(Server::Shell::ignore, take_over_limit_);
        sessions_.page().interrupt = 0;  // it ended a search
        if (server_->stopping()) return {};
        if (took_over_) {
            publish_comms(comms_.restore());
            if (took_over_->error.ename.empty()) return {};
            return failure_from(took_over_->error);
        }
        sessions_.kill();
        sessions_.kill_processes_of_failed_cell();
    }
    restarted = true;
    restart_session();
    return {};
}

void Supervisor::restart_session() {
    lost_copy_.clear();
    publish_comms(comms_.close_all());
    ready_ = false;
    output_.drain();
    output_.hold(true);
    start_limit_ = Clock::now() + limit(seconds_to_start);
    sessions_.page().compiling = 0;
    sessions_.start();
}

void Supervisor::between_requests() {
    if (!gave_up_.empty()) return;
    if (!sessions_.alive()) {
        replace_between_cells();
    } else if (Clock::now() >= start_limit_) {
        start_failed(took_too_long());
    } else if (Clock::now() >= idle_limit_) {
        idle_limit_ = Clock::now() + limit(seconds_until_idle);
        if (sessions_.has_copy() &&
            is_copy_too_expensive(read_memory(), private_bytes(sessions_.pid_of_copy()))) {
            sessions_.drop_copy();
            copy_was_lost("The frozen copy of the session was given up, because memory is short");
        }
    }
}

// Between two cells.
void Supervisor::copy_was_lost(const std::string& why) {
    lost_copy_ = why + ": the last cell cannot be taken back.";
    notes_.push_back(lost_copy_);
}

void Supervisor::replace_between_cells() {
    const Ending ending = sessions_.ending();
    if (!ready_) return start_failed(ending.description());
    output_.end_cell();
    const std::string restored = restored_state();
    bool restarted = false;
    const std::optional<Failure> failure = restore_session(order("idle_crash", ending), restarted);
    std::string line = "Between two cells the session ended by " + ending.description();
    if (failure && !failure->evalue.empty()) line = "Between two cells: " + failure->evalue;
    notes_.push_back(line + ". " + (restarted ? gone : restored));
}

void Supervisor::start_failed(const std::string& why) {
    sessions_.kill();
    sessions_.kill_processes_of_failed_cell();
    output_.drain();
    const std::string words = output_.unshown_text();
    std::cerr << "xcpp17: the session did not start: " << why << "\n" << words << std::flush;
    if (++failed_starts_ < most_starts) return restart_session();
    gave_up_ = "it ended " + std::to_string(most_starts) + " times while it loaded, by " + why;
    if (!words.empty()) gave_up_ += ".\nIts last output:\n" + words;
    start_limit_ = never;
}

Failure Supervisor::no_session() const {
    const std::string why = gave_up_.empty() ? "it takes too long" : gave_up_;
    // Where only evalue is shown, as by a grader, it must do: the first line, and the last
    // line of the session's output.
    std::string evalue = "the session does not start: " + why.substr(0, why.find('\n'));
    const std::size_t last = why.find_last_not_of('\n');
    const std::size_t begin = why.rfind('\n', last);
    if (begin != std::string::npos) evalue += " " + why.substr(begin + 1, last - begin);
    return Failure("Crash", evalue, "Why: " + why + "\nRestart the Jupyter kernel.");
}

Supervisor::Start Supervisor::await_ready(TimePoint until) {
    for (;;) {
        if (server_->stopping()) return Start::stopping;
        if (!gave_up_.empty()) return Start::failed;
        if (!sessions_.alive()) {
            replace_between_cells();
            continue;
        }
        if (request_ && interrupted_) return Start::interrupted;
        if (ready_) return Start::ready;
        const TimePoint now = Clock::now();
        if (now >= start_limit_) {
            start_failed(took_too_long());
            continue;
        }
        if (now >= until) return Start::late;
        server_->step(Server::Shell::ignore, until);
    }
}

void Supervisor::await_reply(TimePoint until) {
    reply_ = nullptr;
    unanswered_ = true;
    while (unanswered_ && sessions_.alive() && !server_->stopping() && Clock::now() < until)
        server_->step(Server::Shell::ignore, until);
}

// A session that is still answering a completion when a cell arrives gets time to finish; one that
// does not is replaced.
void Supervisor::await_late_reply() {
    const TimePoint until = Clock::now() + limit(seconds_to_answer_late);
    // An interrupt ends the work on the question, not the session.
    while (unanswered_ && sessions_.alive() && !server_->stopping() && Clock::now() < until) {
        server_->step(Server::Shell::ignore, until);
    }
    if (unanswered_ && sessions_.alive() && !server_->stopping()) sessions_.kill();
    unanswered_ = false;
}

// The first press asks: the cell stops when it next prints, sleeps or waits, and what it has done
// stays. The second one takes the cell back.
void Supervisor::interrupt() {
    if (!request_) return;
    if (replacing_) {  // a copy that searches for the cause of a crash gives it up
        sessions_.page().interrupt = 1;
        return;
    }
    interrupted_ = true;
    interrupted_compiling_ = interrupted_compiling_ || compile_limit_ != never;
    sessions_.page().interrupt = 1;
    if (!ready_) return;
    if (server_->awaits_input()) {
        server_->forget_input();
        sessions_.send(xcpp_wire::InputReply{"", "interrupted"});
    }
    sessions_.signal(SIGINT);
    next_signal_ = Clock::now() + Milliseconds(milliseconds_to_next_signal);
    if (++interrupts_ == 1)
        interrupt_limit_ = Clock::now() + user_wait(seconds_to_answer_interrupt);
    else if (interrupt_limit_ == never)  // the user has been told
        interrupt_limit_ = Clock::now();
}

bool Supervisor::must_take_back() {
    const TimePoint now = Clock::now();
    if (now >= next_signal_) {
        sessions_.signal(SIGINT);
        next_signal_ = now + Milliseconds(milliseconds_to_next_signal);
    }
    if (now < interrupt_limit_) return false;
    interrupt_limit_ = never;
    // A program that runs a notebook presses once; a compiler that is ended costs nothing.
    const bool nobody_presses_again = !request_ || !request_->allow_stdin;
    if (interrupts_ > 1 || nobody_presses_again || compile_limit_ != never) return true;
    show_line(
        "The cell has not stopped yet. It stops when it next prints, sleeps or waits, and keeps "
        "what it has done. Interrupt again to end it now: then the cell is taken back.");
    return false;
}

void Supervisor::end() { sessions_.end(ready_ && graceful_end_); }

}  // namespace xcpp_front
