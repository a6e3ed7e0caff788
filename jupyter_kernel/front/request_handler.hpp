// What xeus asks of an interpreter, asked of the session.
#pragma once

#include "front/jupyter/history.hpp"
#include "supervisor.hpp"

#include <xeus/xinterpreter.hpp>

#include <string>

namespace xcpp_front {

class RequestHandler : public xeus::xinterpreter {
public:
    RequestHandler(Supervisor& supervisor, History& history)
        : supervisor_(supervisor), history_(history) {}

private:
    void configure_impl() override;
    nlohmann::json execute_request_impl(int count, const std::string& code, bool silent,
                                        bool store_history, nlohmann::json user_expressions,
                                        bool allow_stdin) override;
    nlohmann::json complete_request_impl(const std::string& code, int cursor) override;
    nlohmann::json inspect_request_impl(const std::string& code, int cursor, int detail) override;
    nlohmann::json is_complete_request_impl(const std::string& code) override;
    nlohmann::json kernel_info_request_impl() override;
    void shutdown_request_impl() override {}

    nlohmann::json evaluate(const std::string& expression, int count);

    Supervisor& supervisor_;
    History& history_;
};

}  // namespace xcpp_front
