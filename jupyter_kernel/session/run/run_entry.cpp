#include "run_entry.hpp"

#include "session/clang/diagnostics/diagnostics.hpp"
#include "session/process/out_of_memory.hpp"
#include "session/recovery/crash_record.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <string_view>
#include <typeinfo>
#include <utility>

namespace xcpp {

// Cells and libraries may catch these by name.
struct Interrupted : std::runtime_error {
    Interrupted() : std::runtime_error("interrupted by the user") {}
};
struct InputNotAllowed : std::runtime_error {
    InputNotAllowed()
        : std::runtime_error(
              "std::cin: the front end allows no input here (a notebook run by a program has "
              "nobody to ask)") {}
};

struct NotDefined : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace xcpp

namespace {

// Where the last exception was thrown. One per thread; a cell's own thread reads only its own.
thread_local int throw_count = 0;
thread_local std::uint64_t throw_frames[32];

std::string demangle(const char* name) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(name, nullptr, nullptr, &status), &std::free);
    std::string type = xcpp_session::without_generated_names(status == 0 ? text.get() : name);
    constexpr std::pair<std::string_view, std::string_view> shorter[] = {
        {"std::_V2::", "std::"},
        {"std::basic_string<char, std::char_traits<char>, std::allocator<char> >", "std::string"}};
    for (const auto& [from, to] : shorter)
        for (std::size_t at = 0; (at = type.find(from)) != std::string::npos;)
            type.replace(at, from.size(), to);
    return type;
}

std::string current_type() {
    const std::type_info* type = abi::__cxa_current_exception_type();
    return type ? demangle(type->name()) : "unknown exception";
}

// Text of whatever was thrown.
std::string current_text() {
    try {
        throw;
    } catch (const std::exception& error) {
        return error.what();
    } catch (const std::string& text) {
        return text;
    } catch (const char* text) {
        return text ? text : "(null)";
    } catch (int number) {
        return std::to_string(number);
    } catch (unsigned number) {
        return std::to_string(number);
    } catch (long number) {
        return std::to_string(number);
    } catch (double number) {
        return std::to_string(number);
    } catch (char character) {
        return std::string(1, character);
    } catch (bool truth) {
        return truth ? "true" : "false";
    } catch (...) {
        return "an exception of type " + current_type() + " was not caught";
    }
}

[[noreturn]] void on_terminate() {
    std::string text = "std::terminate was called";
    if (std::current_exception()) {
        try {
            throw;
        } catch (const std::bad_alloc&) {
            xcpp_session::record_crash(xcpp_wire::CrashCause::out_of_memory,
                                       xcpp_session::out_of_memory_words());
        } catch (...) {
            text = "uncaught exception " + current_type() + ": " + current_text();
        }
    }
    xcpp_session::record_crash(xcpp_wire::CrashCause::terminate, text.c_str());
    std::abort();
}

}  // namespace

// Cells and libraries throw through here: it notes the place, so that an error can name the cell's
// line.
extern "C" void __cxa_throw(void* object, std::type_info* type, void (*destructor)(void*)) {
    using Throw = void (*)(void*, std::type_info*, void (*)(void*));
    static const auto next = reinterpret_cast<Throw>(dlsym(RTLD_NEXT, "__cxa_throw"));
    throw_count = backtrace(reinterpret_cast<void**>(throw_frames), 32);
    next(object, type, destructor);
    __builtin_unreachable();
}

namespace xcpp_session {

RunOutcome run_entry(const std::function<void()>& entry) {
    RunOutcome outcome;
    const auto note = [&outcome](RunOutcome::Kind kind, std::string ename, std::string evalue) {
        outcome.kind = kind;
        outcome.ename = std::move(ename);
        outcome.evalue = std::move(evalue);
        outcome.frame_count = throw_count;
        std::memcpy(outcome.frames, throw_frames, sizeof throw_frames);
    };
    try {
        entry();
    } catch (const xcpp::Interrupted&) {
        note(RunOutcome::Kind::interrupted, "Interrupted", "interrupted by the user");
    } catch (const xcpp::InputNotAllowed& error) {
        note(RunOutcome::Kind::input_not_allowed, "InputNotAllowed", error.what());
    } catch (const xcpp::NotDefined& error) {
        note(RunOutcome::Kind::not_defined, "LinkError", error.what());
    } catch (const std::bad_alloc&) {
        note(RunOutcome::Kind::out_of_memory, "OutOfMemory", out_of_memory_words());
    } catch (const abi::__forced_unwind&) {
        std::exit(
            0);  // pthread_exit(): other threads would keep a process alive that has no session
    } catch (...) {
        note(RunOutcome::Kind::exception, current_type(), current_text());
    }
    return outcome;
}

void throw_interrupted() { throw xcpp::Interrupted(); }
void throw_input_not_allowed() { throw xcpp::InputNotAllowed(); }

void throw_not_defined(const char* symbol) {
    throw xcpp::NotDefined(std::string("Symbols not found: [ ") + symbol + " ]");
}

void install_terminate_handler() { std::set_terminate(on_terminate); }

}  // namespace xcpp_session
