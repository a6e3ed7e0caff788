// Runs compiled code of a cell and reports how it ended. Compiled with RTTI: it distinguishes
// exceptions by their type.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace xcpp_session {

struct RunOutcome {
    enum class Kind {
        ok,
        exception,
        out_of_memory,
        interrupted,
        input_not_allowed,
        not_defined
    } kind = Kind::ok;
    std::string ename, evalue;
    int frame_count = 0;  // of the throw
    std::uint64_t frames[32] = {};
};

RunOutcome run_entry(const std::function<void()>& entry);

// What a library or a stream throws to end the cell in order; thrown by xcpp_input and std::cin.
void throw_interrupted();
void throw_input_not_allowed();
// A function was called that is declared and nowhere defined.
[[noreturn]] void throw_not_defined(const char* symbol);

// Notes the exception that is about to end the process (std::terminate) in the shared page.
void install_terminate_handler();

}  // namespace xcpp_session
