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
template <typename Question>
json answer(Question question, json otherwise) {
    try {
        return question();
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
    const auto position = static_cast<int>(code_points_before(code, here));
    const json nothing{{"status", "ok"},
                       {"matches", json::array()},
                       {"cursor_start", position},
                       {"cursor_end", position},
                       {"metadata", json::object()}};
    return answer(
        [&] {
            const auto found = supervisor_.ask<xcpp_wire::Completed>(
                xcpp_wire::Complete{0, code, here}, seconds_to_complete);
            json reply = nothing;
            if (!found) return reply;
            reply["matches"] = found->matches;
            reply["cursor_start"] = code_points_before(code, found->cursor_start);
            reply["cursor_end"] = code_points_before(code, found->cursor_end);
            reply["metadata"] = found->metadata;
            return reply;
        },
        nothing);
}

json RequestHandler::inspect_request_impl(const std::string& code, int cursor, int detail) {
    const json nothing{
        {"status", "ok"}, {"found", false}, {"data", json::object()}, {"metadata", json::object()}};
    return answer(
        [&] {
            const auto found = supervisor_.ask<xcpp_wire::Inspected>(
                xcpp_wire::Inspect{0, code, cursor_in_bytes(code, cursor), detail},
                seconds_to_inspect);
            json reply = nothing;
            if (!found) return reply;
            reply["found"] = found->found;
            reply["data"] = found->data;
            return reply;
        },
        nothing);
}

json RequestHandler::is_complete_request_impl(const std::string& code) {
    const json unknown{{"status", "unknown"}};
    return answer(
        [&] {
            const auto found = supervisor_.ask<xcpp_wire::CompletenessChecked>(
                xcpp_wire::CheckCompleteness{0, code}, seconds_to_check);
            json reply = unknown;
            if (!found) return reply;
            reply["status"] = found->status;
            if (found->status == "incomplete") reply["indent"] = found->indent;
            return reply;
        },
        unknown);
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
