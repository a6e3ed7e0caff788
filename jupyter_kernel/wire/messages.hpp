// The messages between front and session, one struct each. The comments name the answer.
// jupyter_kernel/README.md explains the flow; wire.hpp sends them.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <type_traits>
#include <vector>

namespace xcpp_wire {

using Json = nlohmann::json;

// {"op": M::op, and its fields}
template <typename M>
Json packed(const M& message) {
    Json body = message;
    body["op"] = M::op;
    return body;
}

// Does the session wait until the front has acted on the message (acknowledge.hpp)?
template <typename M, typename = void>
struct IsAcknowledged : std::false_type {};
template <typename M>
struct IsAcknowledged<M, std::enable_if_t<M::is_acknowledged>> : std::true_type {};

inline std::string op_of(const Json& body) { return body.value("op", ""); }

// Throws nlohmann::json::exception if a field has another type. A field that is missing keeps its
// default.
template <typename M>
M unpacked(const Json& body) {
    return body.get<M>();
}

// Of a cell, as the user reads it.
struct ErrorText {
    std::string ename, evalue;
    std::vector<std::string> traceback;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(ErrorText, ename, evalue, traceback)

// From the front to the session

// Answered by Result.
struct Execute {
    static constexpr const char* op = "execute";
    long long id = 0;
    int count = 0;  // the number of the cell
    std::string code;
    bool silent = false, allow_stdin = false;
    bool is_cell = false;  // of the notebook, and no expression of the client's own
    std::string cell_id;   // the notebook's id of the cell; "" if the client sends none
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Execute, id, count, code, silent, allow_stdin,
                                                is_cell, cell_id)

// A message of the client for a comm; with buffers. Answered by Result.
struct CommIn {
    static constexpr const char* op = "comm";
    long long id = 0;
    std::string event;  // "open", "msg" or "close"
    std::string comm_id, target;
    Json data = Json::object(), metadata = Json::object();
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(CommIn, id, event, comm_id, target, data, metadata)

// Answered by Completed. Positions are bytes.
struct Complete {
    static constexpr const char* op = "complete";
    long long id = 0;
    std::string code;
    std::size_t cursor = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Complete, id, code, cursor)

// Answered by Inspected.
struct Inspect {
    static constexpr const char* op = "inspect";
    long long id = 0;
    std::string code;
    std::size_t cursor = 0;
    int detail = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Inspect, id, code, cursor, detail)

// Answered by CompletenessChecked.
struct CheckCompleteness {
    static constexpr const char* op = "is_complete";
    long long id = 0;
    std::string code;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(CheckCompleteness, id, code)

struct InputReply {
    static constexpr const char* op = "input_reply";
    std::string value;
    std::string error;  // "not_allowed", "interrupted"; "" if there is a value
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(InputReply, value, error)

// The session flushes its streams and ends.
struct Shutdown {
    static constexpr const char* op = "shutdown";
};
inline void to_json(Json& body, const Shutdown&) { body = Json::object(); }

// To a frozen copy. Answered by TookOver.
struct TakeOver {
    static constexpr const char* op = "take_over";
    // "crash", with a signal or an exit code as waitpid reported them; "failed", "interrupt",
    // "undo", "idle_crash", "compile_timeout"
    std::string why;
    int signal = 0;
    int exit_code = -1;         // -1: none
    std::string compile_error;  // of a cell that "failed" because it did not compile: evalue
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(TakeOver, why, signal, exit_code, compile_error)

// From the session to the front

// The first message on every channel.
struct Hello {
    static constexpr const char* op = "hello";
    int pid = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Hello, pid)

struct Ready {
    static constexpr const char* op = "ready";
    std::vector<std::string> notes;  // shown once, with the first cell's output
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Ready, notes)

// The session does something before it is ready that takes long, and happens once.
struct Preparing {
    static constexpr const char* op = "preparing";
    std::string note;  // for the user
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Preparing, note)

// A frozen copy waits; the older one may end. Carries the descriptor of the copy's channel.
struct CopyMade {
    static constexpr const char* op = "copy";
    int cell = 0;
    bool after_cell = false;  // not before the cell: a take-over then takes nothing back
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(CopyMade, cell, after_cell)

// This cell runs without a frozen copy.
struct NoCopy {
    static constexpr const char* op = "no_copy";
    std::string reason;
    bool keep = false;  // the older copy stays: a crash then takes back more than one cell
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(NoCopy, reason, keep)

// The front limits the time of "compile". The other stages are "run" and "rehearse", whose time the
// session limits.
struct StageBegins {
    static constexpr const char* op = "stage";
    std::string stage;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(StageBegins, stage)

// To iopub.
struct Publish {
    static constexpr const char* op = "publish";
    static constexpr bool is_acknowledged = true;
    std::string type;
    Json content = Json::object(), metadata = Json::object();
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Publish, type, content, metadata)

// A comm message for the client; with buffers.
struct CommOut {
    static constexpr const char* op = "comm_out";
    static constexpr bool is_acknowledged = true;
    std::string event, comm_id, target;
    Json data = Json::object(), metadata = Json::object();
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(CommOut, event, comm_id, target, data, metadata)

// From here on the output of the request goes to this Output widget; "": to where it went before.
struct OutputArea {
    static constexpr const char* op = "output_area";
    static constexpr bool is_acknowledged = true;
    std::string comm_id;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(OutputArea, comm_id)

// Answered by InputReply.
struct InputRequest {
    static constexpr const char* op = "input_request";
    std::string prompt;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(InputRequest, prompt)

// The end of a cell or of a comm message.
struct Result {
    static constexpr const char* op = "result";
    long long id = 0;
    std::string status = "ok";  // or "error", with the three texts
    std::string ename, evalue;
    std::vector<std::string> traceback;
    Json payload = Json::array();
    bool take_over = false;  // the copy is to take over; the session sends nothing more
    bool undo = false;       // %undo
    bool handled = true;     // false: nobody knows the target of the comm
    std::string bad_header;  // what is wrong with the precompiled header, of which the cell was the
                             // first to read that part; "": nothing

    bool ok() const { return status == "ok"; }
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Result, id, status, ename, evalue, traceback,
                                                payload, take_over, undo, handled, bad_header)

// The answers to questions have one op.
struct Completed {
    static constexpr const char* op = "reply";
    long long id = 0;
    Json matches = Json::array();
    std::size_t cursor_start = 0, cursor_end = 0;
    Json metadata = Json::object();
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Completed, id, matches, cursor_start, cursor_end,
                                                metadata)

struct Inspected {
    static constexpr const char* op = "reply";
    long long id = 0;
    bool found = false;
    Json data = Json::object();
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Inspected, id, found, data)

struct CompletenessChecked {
    static constexpr const char* op = "reply";
    long long id = 0;
    std::string status = "unknown", indent;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(CompletenessChecked, id, status, indent)

struct TookOver {
    static constexpr const char* op = "took_over";
    ErrorText error;  // what the copy says about the end of the session; ename "" if nothing
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(TookOver, error)

}  // namespace xcpp_wire
