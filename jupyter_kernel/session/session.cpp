#include "session.hpp"

#include "session/base/cell_names.hpp"
#include "session/clang/compiler/warm_up.hpp"
#include "session/clang/completion/completion.hpp"
#include "session/clang/diagnostics/diagnostics_picture.hpp"
#include "session/clang/diagnostics/hints_configured.hpp"
#include "session/clang/diagnostics/hints_failed.hpp"
#include "session/clang/names/detached_initialisers.hpp"
#include "session/process/fork_pace.hpp"
#include "session/process/out_of_memory.hpp"
#include "session/process/process_settings.hpp"
#include "session/process/threads_after_restore.hpp"
#include "session/recovery/throwaway_copy.hpp"
#include "session/run/streams.hpp"
#include "session/text/completeness.hpp"
#include "wire/acknowledge.hpp"
#include "wire/send_lock.hpp"

#include "llvm/Support/ErrorHandling.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <set>

namespace xcpp_session {
namespace {

using xcpp_wire::CheckCompleteness;
using xcpp_wire::CommIn;
using xcpp_wire::Complete;
using xcpp_wire::Execute;
using xcpp_wire::Inspect;
using xcpp_wire::unpacked;

Session* session = nullptr;

std::uint64_t resident_bytes() {
    long pages = 0, resident = 0;
    if (std::FILE* file = std::fopen("/proc/self/statm", "re")) {
        if (std::fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
        std::fclose(file);
    }
    return static_cast<std::uint64_t>(resident) *
           static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
}

void limit_memory(std::uint64_t bytes) {
    if (bytes == 0) return;
    rlimit limit{};
    getrlimit(RLIMIT_DATA, &limit);
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, bytes);
    setrlimit(RLIMIT_DATA, &limit);
}

void on_compiler_out_of_memory(void*, const char*, bool) {
    record_crash(xcpp_wire::CrashCause::out_of_memory,
                 out_of_memory_words(" while the cell was compiled"));
    leave_process(1);
}

}  // namespace

xcpp_wire::Result failure(const std::string& ename, const std::string& evalue,
                          std::vector<std::string> traceback, bool take_over) {
    if (traceback.empty()) traceback.push_back("\x1b[1m" + ename + "\x1b[0m: " + evalue);
    xcpp_wire::Result result;
    result.status = "error";
    result.ename = ename;
    result.evalue = evalue;
    result.traceback = std::move(traceback);
    result.take_over = take_over;
    return result;
}

Session* Session::the_session() { return session; }

Session::Session(const SessionOptions& options, xcpp_wire::SharedState& page)
    : page_(page),
      channel_(xcpp_wire::Descriptor(options.channel)),
      options_(options),
      interpreter_(options.interpreter),
      analysis_(options.analysis) {
    session = this;
    xcpp_wire::make_send_lock(page_.send_lock);
    channel_.use_lock(page_.send_lock);
    if (!options.hints.empty()) read_configured_hints(options.hints);
    interpreter_.names().ask_for_newest_runs([this](int cell) { return newest_run_of(cell); });
    process_ = getpid();
    const char* grader = std::getenv("NBGRADER_EXECUTION");
    grading_ = grader && *grader;
    compile_only_ = options.interpreter.compile_only;
    llvm::install_bad_alloc_error_handler(on_compiler_out_of_memory);
    limit_memory(options.memory);
}

// Nobody has sent a cell yet: the time is used to read and compile what first cells are made of.
// Later a user's macros might change its meaning, and a crash (of a precompiled header that is
// damaged where nobody has looked) would cost the user's variables.
bool Session::warm_up(xcpp_wire::Message& message, const WarmUpFailures& failures) {
    if (pipeline_.has_compiled() || !interpreter_.has_precompiled_header()) return false;
    // A program sends its first cell at once; then it is not kept waiting.
    constexpr int wait_for_first_cell_ms = 400;
    const auto& cells = options_.first_cells;
    const auto& templates = options_.first_templates;
    const CrashGuard watched(failures.on_crash);
    for (; warmed_templates_ < templates.size();
         ++warmed_templates_) {  // a few milliseconds each: at once
        if (channel_.receive(message, 0)) return true;
        read_instantiations(interpreter_.compiler(), templates[warmed_templates_]);
    }
    while (warmed_cells_ < cells.size()) {
        if (channel_.receive(message, warmed_cells_ == 0 ? wait_for_first_cell_ms : 0)) return true;
        constexpr std::array<const char*, 2> spaces = {"", "std"};
        if (warmed_cells_ > 0 && warmed_names_ < spaces.size()) {
            read_names(interpreter_.compiler(), spaces[warmed_names_++]);
            continue;
        }
        try {
            interpreter_.warm_up(cells[warmed_cells_++]);
        } catch (const std::exception&) {
            failures.on_failure();
        }
    }
    return false;
}

void Session::run(const WarmUpFailures& failures) {
    send(xcpp_wire::Ready{interpreter_.notes()});
    for (;;) {
        xcpp_wire::Message message;
        try {
            if (!warm_up(message, failures)) channel_.receive(message);
        } catch (const xcpp_wire::Broken&) {
            return;  // the front is gone
        }
        if (xcpp_wire::op_of(message.body) == xcpp_wire::Shutdown::op) return;
        handle(message);
    }
}

void Session::handle(const xcpp_wire::Message& message) {
    const Json& body = message.body;
    const std::string op = xcpp_wire::op_of(body);
    if (op == Execute::op)
        execute(unpacked<Execute>(body));
    else if (op == CommIn::op)
        comm(unpacked<CommIn>(body), message.buffers);
    else if (op == Complete::op)
        complete(unpacked<Complete>(body));
    else if (op == Inspect::op)
        send(inspect(unpacked<Inspect>(body)));
    else if (op == CheckCompleteness::op)
        is_complete(unpacked<CheckCompleteness>(body));
}

void Session::is_complete(const CheckCompleteness& request) {
    const Completeness found = check_completeness(request.code);
    const char* words[] = {"complete", "incomplete", "invalid"};
    send(xcpp_wire::CompletenessChecked{request.id, words[static_cast<int>(found.status)],
                                        found.indent});
}

bool Session::send_body(const Json& body, const std::vector<std::string>& buffers,
                        bool acknowledged) {
    // Another thread may have held the lock when a cell forked this process.
    std::unique_lock<std::recursive_mutex> guard(*lock_, std::defer_lock);
    if (getpid() == process_) guard.lock();
    try {
        if (acknowledged)  // else what is printed next might be shown before it
            xcpp_wire::send_acknowledged(channel_, page_, body, buffers);
        else
            channel_.send(body, buffers);
        return true;
    } catch (const xcpp_wire::Broken&) {
        // The front would not go away without ending us: the cell has closed the descriptor.
        if (fcntl(channel_.fd(), F_GETFD) < 0) record_crash(xcpp_wire::CrashCause::channel_lost);
        leave_process(1);
    }
}

int Session::ask(const std::string& prompt, std::string& answer) {
    if (!allow_stdin_) return -1;
    // Not the lock of send: other threads may display something while the user thinks.
    const std::lock_guard<std::mutex> guard(*ask_lock_);
    if (interrupted()) return -2;
    send(xcpp_wire::InputRequest{prompt});
    for (;;) {
        xcpp_wire::Message message;
        if (!channel_.receive(message, 100)) {
            if (interrupted()) return -2;
            continue;
        }
        if (xcpp_wire::op_of(message.body) != xcpp_wire::InputReply::op) continue;
        auto reply = xcpp_wire::unpacked<xcpp_wire::InputReply>(message.body);
        if (reply.error == "interrupted") return -2;
        if (!reply.error.empty()) return -1;
        answer = std::move(reply.value);
        return 0;
    }
}

const char* Session::cell_source(int cell) const {
    const std::lock_guard<std::recursive_mutex> guard(*lock_);
    const auto found = sources_.find(cell);
    return found == sources_.end() ? nullptr : found->second.c_str();
}

bool Session::owns_comms() const { return getpid() == process_; }

const char* Session::references(const std::string& name, const void* address) {
    std::vector<xcpp::CellName> names;
    for (HeldName& held : interpreter_.names().held())
        names.push_back({std::move(held.name), held.declaration});
    const xcpp::AnalysisInput input = {
        interpreter_.syntax_tree(),
        name,
        address,
        std::move(names),
        pipeline_.declarations(),
        cell_of_file_name,
        unit_of_namespace_name,
        [this](const std::string& file) { return pipeline_.is_own_header(file); },
        [this](const clang::FunctionDecl* function) { return interpreter_.address_of(function); },
        detached_initialiser};
    return analysis_.analyse(input, references_) ? references_.c_str() : nullptr;
}

int Session::newest_run_of(int cell) const {
    const std::lock_guard<std::recursive_mutex> guard(*lock_);
    const auto found = identities_.find(cell);
    return found == identities_.end() ? cell : newest_runs_.at(found->second);
}

void Session::run_with_snapshot(long long id, const std::function<Result()>& work) {
    page_.row_count = 0;
    clear_crash_record();
    const std::uint64_t resident = resident_bytes();
    has_copy_ = false;
    if (options_.copy_limit != 0 && resident > options_.copy_limit) {
        // Sent each time, so that the front gives up an older copy; said once.
        send(xcpp_wire::NoCopy{said_no_copy_
                                   ? ""
                                   : "The session holds " + std::to_string(resident >> 20) +
                                         " MB, more than XCPP_COPY_LIMIT allows to copy: from here "
                                         "on a cell that crashes loses all variables. A cell that "
                                         "does not compile still costs nothing.",
                               false});
        said_no_copy_ = true;
    } else {
        Snapshot snapshot = fork_snapshot(channel_, cell_);
        if (snapshot.role == Role::took_over) {
            become_session(snapshot);
            xcpp_wire::TookOver report{describe_crash(page_, snapshot.order, lines_, sources_)};
            if (snapshot.order.why == "crash" && is_damage_of_heap(page_))
                add_place_of_damage(report.error);
            report.error.traceback.push_back(what_a_crash_cost());
            kept_.clear();
            const std::string& compile_error = snapshot.order.compile_error;
            if (!compile_error.empty())
                note_failed_cell(pipeline_.names_in(sources_[cell_]), cell_);
            if (snapshot.order.why != "undo") {
                note_failed(compile_error.empty() ? report.error.evalue : compile_error);
                sources_.erase(cell_);
            }
            send(report);
            return;
        }
        has_copy_ = snapshot.role == Role::original;
        if (has_copy_)
            said_no_copy_ = false;
        else
            send(xcpp_wire::NoCopy{
                "No frozen copy could be made (" + snapshot.problem +
                    "): if this cell crashes, the session goes back to before an earlier one.",
                true});
    }
    rearm_handlers();
    begin_fork_pace();
    const pid_t self = getpid();
    has_request_ = true;
    Result result = work();
    if (getpid() != self)
        leave_process(0);  // a child that the cell forked and that came back from it
    restore_streams();
    if (found_end_of_stdin())
        show_text(
            hint_line("scanf, getchar and others of C's functions find no input in a cell: "
                      "std::cin and std::getline ask for it."));
    make_blocking(channel_.fd());
    call_cell_end_handlers(!result.ok() || interrupted());
    if (result.ok() && interrupted()) result = failure("Interrupted", "interrupted by the user");
    lines_.keep(page_);
    page_.row_count = 0;
    page_.compiling = 0;
    has_request_ = false;
    if (continues_in_fork_.exchange(false)) {
        Snapshot successor = fork_snapshot(channel_, cell_, true);
        if (successor.role == Role::took_over) {
            become_session(successor);
            kept_.clear();
            send(xcpp_wire::TookOver{});
            return;
        }
        result.take_over = successor.role == Role::original;
    }
    result.id = id;
    send(result);
}

void Session::become_session(Snapshot& snapshot) {
    process_ = getpid();
    lock_ = std::make_unique<std::recursive_mutex>();  // another thread may have held it when we
                                                       // were forked
    comms_.renew_lock();
    // Out of the way of what a cell opens, as the first channel was.
    constexpr int first_kept_descriptor = 200;
    channel_ = std::move(snapshot.channel);
    const int high = fcntl(channel_.fd(), F_DUPFD_CLOEXEC, first_kept_descriptor);
    if (high >= 0) channel_ = xcpp_wire::Channel(xcpp_wire::Descriptor(high));
    channel_.use_lock(page_.send_lock);
    ask_lock_ = std::make_unique<std::mutex>();
    rearm_handlers();
    forget_timers();
    restore_streams();
}

// In a copy that took over, which still knows what the old process had.
std::string Session::what_a_crash_cost() const {
    std::set<std::string> lost;
    for (const auto& [number, what] : kept_) lost.insert(what);
    std::string words;
    for (const std::string& what : lost) words += (words.empty() ? "" : ", ") + what;
    std::string text = "Everything is as it was before " + cell_file_name(cell_) +
                       ", except files, shared memory and threads.";
    if (!words.empty()) text += " Lost with the process: " + words + ".";
    return text;
}

int Session::keep_process(const char* what) {
    if (getpid() != process_) return -1;
    const std::lock_guard<std::recursive_mutex> guard(*lock_);
    kept_[++last_kept_] = what;
    return last_kept_;
}

bool Session::release_process(int number) {
    if (getpid() != process_) return false;
    const std::lock_guard<std::recursive_mutex> guard(*lock_);
    return kept_.erase(number) > 0;
}

bool Session::must_keep_process() const {
    const std::lock_guard<std::recursive_mutex> guard(*lock_);
    return !has_copy_ || page_.copy_lost != 0 || !kept_.empty() || counted_threads() > 0;
}

bool Session::continue_in_fork() {
    if (!has_request_ || getpid() != process_) return false;
    continues_in_fork_ = true;
    return true;
}

void Session::on_cell_end(xcpp_cell_end_handler handler, void* user) {
    const std::lock_guard<std::recursive_mutex> guard(*lock_);
    cell_end_handlers_.emplace_back(handler, user);
}

void Session::call_cell_end_handlers(bool failed) {
    decltype(cell_end_handlers_) handlers;
    {
        const std::lock_guard<std::recursive_mutex> guard(*lock_);
        handlers.swap(cell_end_handlers_);
    }
    const char* lost = nullptr;
    for (const auto& [handler, user] : handlers)
        run_entry([&, call = handler, about = user] {  // what they throw changes nothing
            const ProcessSettings of_the_cell(lost);
            call(failed ? 1 : 0, about);
        });
}

void Session::execute(const xcpp_wire::Execute& request) {
    ParsedCell cell(request.code);
    cell_ = request.count;
    allow_stdin_ = request.allow_stdin;
    // These change nothing: the copy of the last cell stays, for %undo.
    if (cell.is_only("%undo")) {
        Result result;
        result.id = request.id;
        result.undo = true;
        send(result);
        return;
    }
    std::string replaced;
    {
        const std::lock_guard<std::recursive_mutex> guard(*lock_);
        replaced = std::exchange(sources_[cell_], cell.code);
    }
    run_with_snapshot(request.id, [&] {
        runs_ = true;
        if (request.is_cell) {
            const std::lock_guard<std::recursive_mutex> guard(*lock_);
            std::string& identity = identities_[cell_] =
                request.cell_id.empty() ? "text " + cell.code : "name " + request.cell_id;
            newest_runs_[identity] = cell_;
        }
        Result result = run_cell(std::move(cell));
        if (!result.ok() && request.is_cell) note_failed(result.evalue);
        return result;
    });
    runs_ = false;
    if (request.is_cell || replaced.empty()) return;
    // A user expression has the number of the cell that was run before it.
    const std::lock_guard<std::recursive_mutex> guard(*lock_);
    sources_[cell_] = std::move(replaced);
}

void Session::comm(const xcpp_wire::CommIn& request, const std::vector<std::string>& buffers) {
    allow_stdin_ = false;
    run_with_snapshot(request.id, [&] {
        bool handled = false;
        Result result = run_compiled([&] { handled = comms_.deliver(request, buffers); });
        result.handled = handled;
        return result;
    });
}

nlohmann::json Session::in_throwaway_copy(const std::function<Json()>& work) {
    constexpr double seconds = 10;
    const CopyOutcome outcome = run_in_throwaway_copy(
        [&] { return work().dump(-1, ' ', false, Json::error_handler_t::replace); }, seconds,
        [this] { return interrupted(); });
    clear_crash_record();  // of the copy
    return Json::parse(outcome.text, nullptr, false);
}

void Session::complete(const Complete& request) {
    const Json reply = in_throwaway_copy([&]() -> Json {
        const Completions found = xcpp_session::complete(
            interpreter_.compiler(),
            [this](const std::string& text) { interpreter_.parse_and_forget(text); }, request.code,
            request.cursor);
        Json matches = Json::array();
        for (const Match& match : found.matches) matches.push_back(match.text);
        return xcpp_wire::Completed{request.id,
                                    matches,
                                    found.start,
                                    found.end,
                                    {{"_jupyter_types_experimental", found.matches}}};
    });
    send(reply.is_object() ? unpacked<xcpp_wire::Completed>(reply)
                           : xcpp_wire::Completed{request.id, Json::array(), request.cursor,
                                                  request.cursor, Json::object()});
}

xcpp_wire::Inspected Session::inspect(const Inspect& request) {
    const Json reply = in_throwaway_copy([&]() -> Json {
        const Inspection found = xcpp_session::inspect(
            interpreter_.compiler(),
            [this](const std::string& text) { interpreter_.parse_and_forget(text); }, request.code,
            request.cursor, request.detail);
        Json data = Json::object();
        if (found.found) data["text/plain"] = found.text;
        if (found.found && !found.html.empty()) data["text/html"] = found.html;
        return xcpp_wire::Inspected{request.id, found.found, data};
    });
    return reply.is_object() ? unpacked<xcpp_wire::Inspected>(reply)
                             : xcpp_wire::Inspected{request.id, false, Json::object()};
}

}  // namespace xcpp_session
