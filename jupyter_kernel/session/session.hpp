// The session: takes messages of the front, runs cells, answers. One object, one main thread.
#pragma once

#include "analysis_library.hpp"
#include "cell_pipeline.hpp"
#include "comm_handlers.hpp"
#include "options.hpp"
#include "session/clang/compiler/interpreter.hpp"
#include "session/magics/program_run.hpp"
#include "session/magics/who.hpp"
#include "session/recovery/crash_record.hpp"
#include "session/recovery/snapshot.hpp"
#include "session/run/run_entry.hpp"
#include "session/text/parsed_cell.hpp"
#include "wire/messages.hpp"
#include "wire/shared_state.hpp"
#include "wire/wire.hpp"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace xcpp_session {

// The result of a cell that failed. The traceback repeats both texts if none is given.
xcpp_wire::Result failure(const std::string& ename, const std::string& evalue,
                          std::vector<std::string> traceback = {}, bool take_over = false);

class Session {
public:
    Session(const SessionOptions& options, xcpp_wire::SharedState& page);

    // Where something goes wrong before the first cell; the session is of no use then.
    struct WarmUpFailures {
        std::function<void()> on_failure;  // a first cell of the configuration does not compile
        void (*on_crash)();  // what the precompiled header holds cannot be read; safe in a signal
                             // handler
    };
    void run(const WarmUpFailures& failures);  // until the front says shutdown or goes away

    // For the C interface (capi.cpp), from any thread.
    template <typename M>
    bool send(const M& message, const std::vector<std::string>& buffers = {}) {
        return send_body(xcpp_wire::packed(message), buffers, xcpp_wire::IsAcknowledged<M>::value);
    }
    int ask(const std::string& prompt, std::string& answer);
    bool interrupted() const { return page_.interrupt != 0; }
    const char* cell_source(int cell) const;
    int cell_number() const { return runs_ ? cell_ : 0; }
    int newest_run_of(int cell) const;
    // False in a process that a cell forked: it holds copies of what is open, and has no say in it.
    bool owns_comms() const;
    // What the analysis of the configuration says of a name; null if no cell holds it. Throws
    // std::runtime_error if there is no analysis.
    const char* references(const std::string& name, const void* address);
    CommHandlers& comms() { return comms_; }
    void on_cell_end(xcpp_cell_end_handler handler, void* user);
    // After the present request, a fork of this process becomes the session. False if no request
    // runs, or in a process that a cell forked.
    bool continue_in_fork();
    // What a fork would not have: see xcpp_keep_process.
    int keep_process(const char* what);
    bool release_process(int number);
    void step(int number) { step_ = number; }
    void add_who_row(WhoRow row) { who_rows_.push_back(std::move(row)); }

    static Session* the_session();  // null in a program that is none
    static bool add_magics();       // the Jupyter kernel's own rows of the table of magics

private:
    using Json = nlohmann::json;
    using Result = xcpp_wire::Result;

    bool send_body(const Json& body, const std::vector<std::string>& buffers, bool acknowledged);
    bool warm_up(xcpp_wire::Message& message,
                 const WarmUpFailures& failures);  // true: a message has come
    void handle(const xcpp_wire::Message& message);
    void execute(const xcpp_wire::Execute& request);
    void comm(const xcpp_wire::CommIn& request, const std::vector<std::string>& buffers);
    void complete(const xcpp_wire::Complete& request);
    xcpp_wire::Inspected inspect(const xcpp_wire::Inspect& request);
    void is_complete(const xcpp_wire::CheckCompleteness& request);

    // Runs `work` after a frozen copy was made and sends its result. Returns in the copy, too,
    // after it took over.
    void run_with_snapshot(long long id, const std::function<Result()>& work);
    void call_cell_end_handlers(bool failed);
    // In a copy that took over: it is the session from here on.
    void become_session(Snapshot& snapshot);
    Result run_cell(ParsedCell cell);
    Result run_magic(const Magic& magic);
    Result show_inspection(const Magic& magic);
    Result run_cpp(SourceText source, unsigned first_line, bool verbose);
    // Of a text that is complete. A failure asks for the copy to take over.
    Result compile(SourceText source, unsigned first_line, bool verbose, Interpreter::Entry& entry);
    // Compiles the text in a throw-away copy of this process, which has not seen it afterwards.
    Result rehearse(SourceText& source, unsigned first_line, bool verbose);
    // A take-over would lose more than the cell: a compile error must not lead to one.
    bool must_keep_process() const;
    std::string what_a_crash_cost() const;
    Result run_compiled(const std::function<void()>& entry);
    Result who(bool as_data);
    Result show_machine_code(const Magic& magic);
    ProgramParts program_parts();  // of a program made of the present cell
    Result build_program(const Magic& magic);
    Result run_as_program(const Magic& magic);
    Result run_under(const Magic& magic, Sanitizer sanitizer);
    // In a copy that took over, after the cell has damaged the heap: runs the cell once more, as a
    // program under the address sanitizer. If that finds the line, the error names it.
    void add_place_of_damage(xcpp_wire::ErrorText& error);
    void show_warnings(const std::string& code, bool verbose);
    void show_text(const std::string& text);
    void note_failed(const std::string& error);  // of the present cell
    Json in_throwaway_copy(const std::function<Json()>& work);

    xcpp_wire::SharedState& page_;
    xcpp_wire::Channel channel_;
    std::unique_ptr<std::recursive_mutex> lock_ = std::make_unique<std::recursive_mutex>();
    std::unique_ptr<std::mutex> ask_lock_ = std::make_unique<std::mutex>();
    SessionOptions options_;
    Interpreter interpreter_;
    CellPipeline pipeline_{interpreter_};
    LineTable lines_;  // the line of a cell for an address of machine code
    CommHandlers comms_;
    std::vector<std::pair<xcpp_cell_end_handler, void*>> cell_end_handlers_;
    std::map<int, std::string>
        sources_;  // of cells by number, also of those that threw an exception
    std::map<int, std::string>
        identities_;  // of the same cells: the notebook's name for them, or their text
    std::map<std::string, int> newest_runs_;  // by identity
    AnalysisLibrary analysis_;
    std::string references_;  // the last answer
    std::vector<WhoRow> who_rows_;
    int process_ = 0;
    int cell_ = 0;
    int step_ = 0;
    std::size_t warmed_templates_ = 0;       // first templates that are read already
    std::size_t warmed_cells_ = 0;           // first cells that are compiled already
    std::size_t warmed_names_ = 0;           // namespaces whose names are read already
    std::atomic<bool> has_request_ = false;  // a cell or a comm message
    std::atomic<bool> continues_in_fork_ = false;
    bool allow_stdin_ = false;
    bool runs_ = false;                // a cell is running
    std::map<int, std::string> kept_;  // what keeps the process, by number
    int last_kept_ = 0;
    bool has_copy_ = false;  // a frozen copy from before this cell
    bool said_no_copy_ = false;
    bool grading_ = false;
    bool compile_only_ = false;  // XCPP_COMPILE_ONLY: cells are compiled and not run
};

}  // namespace xcpp_session
