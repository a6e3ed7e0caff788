#include "request_handler.hpp"

#include "front/base/utf8.hpp"
#include "front/jupyter/version.hpp"

#include <xeus/xhelper.hpp>

#include <iostream>

namespace xcpp_front {
namespace {

using nlohmann::json;

constexpr double seconds_to_complete = 5;
constexpr double seconds_to_inspect = 5;
constexpr double seconds_to_check = 2;

json reply_of(const Failure& failure) {
    return {{"status", "error"},
            {"ename", failure.ename},
            {"evalue", failure.evalue},
            {"traceback", failure.traceback}};
}

std::size_t cursor_in_bytes(const std::string& code, int cursor) {
    return cursor < 0 ? code.size() : bytes_before(code, static_cast<std::size_t>(cursor));
}

// A question that meets a fault has no answer; a notebook can do without.
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

void RequestHandler::configure_impl() { xeus::register_interpreter(this); }

json RequestHandler::execute_request_impl(int, const std::string& code, bool silent, bool,
                                          json user_expressions, bool allow_stdin) {
    const int count = supervisor_.cell_number();
    history_.expect_line(count);
    try {
        Request request;
        xcpp_wire::Execute message;
        message.count = count;
        message.code = code;
        message.silent = silent;
        message.allow_stdin = allow_stdin;
        message.is_cell = !silent;
        if (!silent) message.cell_id = supervisor_.cell_id();
        request.message = std::move(message);
        request.silent = silent;
        request.allow_stdin = allow_stdin;
        request.count = count;
        const RequestOutcome outcome = supervisor_.run(std::move(request));
        if (outcome.failure) return reply_of(*outcome.failure);
        json values = json::object();
        if (user_expressions.is_object()) {
            for (const auto& [name, expression] : user_expressions.items()) {
                if (expression.is_string())
                    values[name] = evaluate(expression.get<std::string>(), count);
            }
        }
        return {{"status", "ok"}, {"payload", outcome.payload}, {"user_expressions", values}};
    } catch (const std::exception& error) {
        std::cerr << "xcpp17: " << error.what() << '\n';
        const Failure failure("Crash", "the Jupyter kernel met a fault of its own",
                              std::string(error.what()) + "\nRestart the Jupyter kernel.");
        if (!silent) publish_execution_error(failure.ename, failure.evalue, failure.traceback);
        return reply_of(failure);
    }
}

json RequestHandler::evaluate(const std::string& expression, int count) {
    Request request;
    xcpp_wire::Execute message;
    message.count = count;
    message.code = expression;
    request.message = std::move(message);
    request.keep_value = true;
    request.count = count;
    const RequestOutcome outcome = supervisor_.run(std::move(request));
    if (outcome.failure) return reply_of(*outcome.failure);
    return {{"status", "ok"},
            {"data", outcome.value.is_object() ? outcome.value : json::object()},
            {"metadata", json::object()}};
}

json RequestHandler::complete_request_impl(const std::string& code, int cursor) {
    const std::size_t here = cursor_in_bytes(code, cursor);
    const auto found = ask(supervisor_, xcpp_wire::Complete{0, code, here}, seconds_to_complete,
                           xcpp_wire::Completed{0, json::array(), here, here, json::object()});
    return {{"status", "ok"},
            {"matches", found.matches},
            {"cursor_start", code_points_before(code, found.cursor_start)},
            {"cursor_end", code_points_before(code, found.cursor_end)},
            {"metadata", found.metadata}};
}

json RequestHandler::inspect_request_impl(const std::string& code, int cursor, int detail) {
    const auto found =
        ask(supervisor_, xcpp_wire::Inspect{0, code, cursor_in_bytes(code, cursor), detail},
            seconds_to_inspect, xcpp_wire::Inspected{});
    return {{"status", "ok"},
            {"found", found.found},
            {"data", found.data},
            {"metadata", json::object()}};
}

json RequestHandler::is_complete_request_impl(const std::string& code) {
    const auto found = ask(supervisor_, xcpp_wire::CheckCompleteness{0, code}, seconds_to_check,
                           xcpp_wire::CompletenessChecked{0, "unknown", ""});
    json reply{{"status", found.status}};
    if (found.status == "incomplete") reply["indent"] = found.indent;
    return reply;
}

json RequestHandler::kernel_info_request_impl() {
    const json links{{{"text", "C++ reference"}, {"url", "https://en.cppreference.com"}},
                     {{"text", "xtensor"}, {"url", "https://xtensor.readthedocs.io"}}};
    json info = xeus::create_info_reply(
        "", "xcpp17", version, "c++", "17", "text/x-c++src", ".cpp", "c++", "text/x-c++src", "",
        std::string("xcpp17 ") + version + ": C++17 in notebooks", false, links);
    info["status"] = "ok";
    return info;
}

}  // namespace xcpp_front
