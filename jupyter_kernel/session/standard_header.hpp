// The precompiled header for another C++ standard than that of the configuration, which the build
// has precompiled. It is made when a session of that standard starts for the first time, once for
// all sessions of this user, or once for all users by `xcpp17 --prepare -std=c++20`.
#pragma once

#include "options.hpp"

#include <functional>
#include <string>

namespace xcpp_session {

// Sets options.interpreter.pch to the header for options.standard; nothing if that is empty.
// on_work is called with a text for the user before the compiler runs. If it fails, pch_problem
// says why, and the session reads the text of the headers.
void use_standard_header(SessionOptions& options,
                         const std::function<void(const std::string&)>& on_work);

// xcpp17-session --prepare: makes it beside the configured one, where every user of the
// installation finds it. The process's exit status; messages go to stderr.
int prepare_standard_header(const SessionOptions& options);

}  // namespace xcpp_session
