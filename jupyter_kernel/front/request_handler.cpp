#include "request_handler.hpp"

#include "front/base/utf8.hpp"
#include "front/jupyter/version.hpp"
#include "wire/version.hpp"

#include <iostream>
#include <stdexcept>
#include <utility>

namespace xcpp_front {
namespace {

using nlohmann::json;

constexpr double seconds_to_complete = 5;
constexpr double seconds_to_inspect = 5;
constexpr double seconds_to_check = 2;

json reply_of(const Failure& failure) {
    json reply = failure.content();
    reply["status"] = "error";
    return reply;
}

std::size_t cursor_in_bytes(const std::string& code, const json& request) {
    const int cursor = request.value("cursor_pos", -1);
    return cursor < 0 ? code.size() : bytes_before(code, static_cast<std::size_t>(cursor));
}

// The notebook's name for the cell that is to be run; "" where the client tells none.
std::string cell_id(const json& metadata) {
    const json name = metadata.is_object() ? metadata.value("cellId", json()) : json();
    return name.is_string() ? name.get<std::string>() : "";
}

json kernel_info(const std::string& standard) {
    return {{"status", "ok"},
            {"protocol_version", protocol_version},
            {"implementation", "xcpp17"},
            {"implementation_version", xcpp_wire::version},
            {"language_info",
             {{"name", "c++"},
              {"version", standard},
              {"mimetype", "text/x-c++src"},
              {"file_extension", ".cpp"},
              {"pygments_lexer", "c++"},
              {"codemirror_mode", "text/x-c++src"},
              {"nbconvert_exporter", ""}}},
            {"banner",
             std::string("xcpp17 ") + xcpp_wire::version + ": C++" + standard + " in notebooks"},
            {"debugger", false},
            {"help_links",
             {{{"text", "C++ reference"}, {"url", "https://en.cppreference.com"}},
              {{"text", "xtensor"}, {"url", "https://xtensor.readthedocs.io"}}}}};
}

// If completion or inspection fails, the client gets an empty reply.
template <typename Answer, typename Question>
Answer ask(Supervisor& supervisor, const Question& question, double seconds, Answer otherwise) {
    try {
        return supervisor.ask<Answer>(question, seconds).value_or(otherwise);
    } catch (const std::exception& error) {
        std::cerr << "xcpp17: " << error.what() << '\n';
        return otherwise;
    }
}

}  // namespace

json RequestHandler::answer(const Message& request) {
    const std::string type = request.type();
    const json& content = request.content;
    if (type == "execute_request") return execute(request);
    if (type == "complete_request") return complete(content);
    if (type == "inspect_request") return inspect(content);
    if (type == "is_complete_request") return is_complete(content);
    if (type == "kernel_info_request") return kernel_info(standard_);
    if (type == "history_request") return history_.answer(content);
    if (type == "comm_info_request")
        return {{"status", "ok"},
                {"comms", supervisor_.open_comms(content.value("target_name", ""))}};
    if (type == "comm_open" || type == "comm_msg" || type == "comm_close") {
        supervisor_.comm_message(request);
        return nullptr;
    }
    // These two belong to the control channel; old clients send them over the shell channel.
    if (type == "interrupt_request") {
        supervisor_.interrupt();
        return {{"status", "ok"}};
    }
    if (type == "shutdown_request") {
        server_.stop();
        return {{"status", "ok"}, {"restart", content.value("restart", false)}};
    }
    throw std::runtime_error("unknown kind of request");
}

json RequestHandler::execute(const Message& request) {
    const std::string code = request.content.value("code", "");
    const bool silent = request.content.value("silent", false);
    // A cell that stores no history takes the number that the next cell will have: no stored cell's
    // text gives way to it.
    const int number = history_.size() + 1;
    if (!silent && request.content.value("store_history", true)) history_.store(code);
    json reply;
    try {
        reply = run_cell(request, code, silent, number);
    } catch (const std::exception& error) {
        std::cerr << "xcpp17: " << error.what() << '\n';
        const Failure failure("Crash", "internal error of the Jupyter kernel",
                              std::string(error.what()) + "\nRestart the Jupyter kernel.");
        reply = reply_of(failure);
        if (!silent) server_.publish("error", request.header, failure.content());
    }
    reply["execution_count"] = history_.size();
    return reply;
}

json RequestHandler::run_cell(const Message& message, const std::string& code, bool silent,
                              int number) {
    if (!silent)
        server_.publish("execute_input", message.header,
                        {{"code", code}, {"execution_count", number}});
    xcpp_wire::Execute cell;
    cell.count = number;
    cell.code = code;
    cell.silent = silent;
    cell.allow_stdin = message.content.value("allow_stdin", true);
    cell.is_cell = !silent;
    if (!silent) cell.cell_id = cell_id(message.metadata);
    Request request;
    request.silent = silent;
    request.allow_stdin = cell.allow_stdin;
    request.count = number;
    request.message = std::move(cell);
    const RequestOutcome outcome = supervisor_.run(std::move(request));
    if (outcome.failure) return reply_of(*outcome.failure);
    json values = json::object();
    const json expressions = message.content.value("user_expressions", json::object());
    if (expressions.is_object()) {
        for (const auto& [name, expression] : expressions.items()) {
            if (expression.is_string())
                values[name] = evaluate(expression.get<std::string>(), number);
        }
    }
    return {{"status", "ok"}, {"payload", outcome.payload}, {"user_expressions", values}};
}

json RequestHandler::evaluate(const std::string& expression, int number) {
    Request request;
    xcpp_wire::Execute message;
    message.count = number;
    message.code = expression;
    request.message = std::move(message);
    request.keep_value = true;
    request.count = number;
    const RequestOutcome outcome = supervisor_.run(std::move(request));
    if (outcome.failure) return reply_of(*outcome.failure);
    return {{"status", "ok"},
            {"data", outcome.value.is_object() ? outcome.value : json::object()},
            {"metadata", json::object()}};
}

json RequestHandler::complete(const json& request) {
    const std::string code = request.value("code", "");
    const std::size_t here = cursor_in_bytes(code, request);
    const auto found = ask(supervisor_, xcpp_wire::Complete{0, code, here}, seconds_to_complete,
                           xcpp_wire::Completed{0, json::array(), here, here, json::object()});
    return {{"status", "ok"},
            {"matches", found.matches},
            {"cursor_start", code_points_before(code, found.cursor_start)},
            {"cursor_end", code_points_before(code, found.cursor_end)},
            {"metadata", found.metadata}};
}

json RequestHandler::inspect(const json& request) {
    const std::string code = request.value("code", "");
    const auto found = ask(supervisor_,
                           xcpp_wire::Inspect{0, code, cursor_in_bytes(code, request),
                                              request.value("detail_level", 0)},
                           seconds_to_inspect, xcpp_wire::Inspected{});
    return {{"status", "ok"},
            {"found", found.found},
            {"data", found.data},
            {"metadata", json::object()}};
}

json RequestHandler::is_complete(const json& request) {
    const auto found = ask(supervisor_, xcpp_wire::CheckCompleteness{0, request.value("code", "")},
                           seconds_to_check, xcpp_wire::CompletenessChecked{0, "unknown", ""});
    json reply{{"status", found.status}};
    if (found.status == "incomplete") reply["indent"] = found.indent;
    return reply;
}

}  // namespace xcpp_front
