// Answers the requests of a client; those about cells are passed on to the session.
#pragma once

#include "front/jupyter/history.hpp"
#include "front/jupyter/message.hpp"
#include "supervisor.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <utility>

namespace xcpp_front {

class RequestHandler {
public:
    // standard: of C++, "17". history_file: "" if history ends with this process.
    RequestHandler(Supervisor& supervisor, Server& server, std::string standard,
                   std::string history_file)
        : supervisor_(supervisor),
          server_(server),
          standard_(std::move(standard)),
          history_(std::move(history_file)) {}

    // The content of the reply; null: this kind of request has none. Throws std::exception if the
    // kind is unknown, or a field has another type than the protocol says.
    nlohmann::json answer(const Message& request);

private:
    nlohmann::json execute(const Message& request);
    nlohmann::json run_cell(const Message& request, const std::string& code, bool silent,
                            int number);
    nlohmann::json evaluate(const std::string& expression, int number);
    nlohmann::json complete(const nlohmann::json& request);
    nlohmann::json inspect(const nlohmann::json& request);
    nlohmann::json is_complete(const nlohmann::json& request);

    Supervisor& supervisor_;
    Server& server_;
    std::string standard_;
    History history_;
};

}  // namespace xcpp_front
