#include "front_end.hpp"

#include "unsupported_libraries.hpp"

#include "base/checkout.hpp"
#include "gpu/simulator/object/process.hpp"
#include "gpu/source/diagnostics.hpp"
#include "lanes/base/error.hpp"
#include "lanes/gpu/program.hpp"

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <set>
#include <sstream>

namespace lanes::gpu::whole_program {

namespace {

namespace fs = std::filesystem;

struct Clang {
    std::string command, version;
};

const Clang& clang() {
    static const Clang found = [] {
        Words commands{"clang++-19"};
        if (const char* wished = std::getenv("LANES_CXX"))
            commands.insert(commands.begin(), wished);
        for (const char* other :
             {"clang++-18", "clang++-17", "clang++-16", "clang++-15", "clang++-14", "clang++"})
            commands.emplace_back(other);
        for (const std::string& command : commands) try {
                const auto said = simulator::run_process({command, "--version"});
                if (said.status == 0 && said.output.find("clang") != std::string::npos)
                    return Clang{command, said.output.substr(0, said.output.find('\n'))};
            } catch (const Error&) {
                continue;  // not installed
            }
        throw Error(
            "run_cuda_program: no clang was found, which reads CUDA programs. Install clang-19 "
            "(tools/setup does), or name it in LANES_CXX.");
    }();
    return found;
}

std::string in_words(const std::string& message) {
    std::smatch found;
    static const std::regex missing("^'([^']*)' file not found.*"),
        unknown(
            ".*(?:undeclared identifier|unknown type name|no template named|no member named) "
            "'([A-Za-z_0-9]+)'.*"),
        from_host(".*reference to __device__ function '([^']*)' in __host__.*");
    if (std::regex_match(message, found, missing)) {
        const std::string refused = refused_header(found[1]);
        return refused.empty() ? message + ". Name its folder with -I" : refused;
    }
    if (std::regex_match(message, found, unknown)) {
        const std::string refused = refused_name(found[1]);
        if (!refused.empty()) return refused;
    }
    if (std::regex_match(message, found, from_host))
        return "the host calls " + found[1].str() +
               ", which is a __device__ function. Write __host__ __device__ before it if both "
               "sides call it";
    if (message.find("call to global function") != std::string::npos &&
        message.find("not configured") != std::string::npos)
        return message +
               ". A CUDA kernel is launched with <<<blocks, threads>>> before its "
               "arguments";
    return message;
}

std::vector<CompileMessage> read_errors(const std::string& log) {
    static const std::regex error(R"(^(.*?):(\d+):(\d+): (?:fatal )?error: (.*)$)"),
        undefined("^.*undefined (?:reference to|symbol:) [`']?([^']*)'?$"),
        from_host(
            ".*note: candidate function not viable: call to __device__ function from __host__.*"),
        twice("^.*multiple definition of [`']([^']*)'.*$");
    std::vector<CompileMessage> errors;
    std::set<std::string> reported;
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);) {
        std::smatch found;
        if (std::regex_match(line, found, undefined) && reported.insert(found[1]).second) {
            const std::string refused = refused_name(found[1]);
            errors.push_back({"", 0, 0,
                              !refused.empty()
                                  ? refused
                                  : found[1].str() + " is used and nowhere defined. Give the file "
                                                     "that defines it, too"});
        }
        if (std::regex_match(line, found, twice) && reported.insert(found[1]).second)
            errors.push_back({"", 0, 0, found[1].str() + " is defined in two of the files"});
        if (std::regex_match(line, from_host) && !errors.empty())
            errors.back().text +=
                ": it is a __device__ function, and this is the host. Write __host__ __device__ "
                "before it if both sides call it";
        if (!std::regex_match(line, found, error)) continue;
        const std::string text = in_words(found[4]);
        // The same library is refused once, whichever of its names are used.
        const std::size_t colon = text.find(": ");
        const bool refused =
            text != found[4].str() && text.find("cannot be used here") != std::string::npos;
        if (!reported.insert(refused ? text.substr(colon) : found[2].str() + text).second) continue;
        errors.push_back({found[1], std::stoi(found[2]), 0, text});
    }
    const auto is_refused = [](const CompileMessage& message) {
        return message.text.find("cannot be used here") != std::string::npos;
    };
    // What follows from a library that is not there says nothing more.
    if (std::any_of(errors.begin(), errors.end(), is_refused))
        errors.erase(std::remove_if(errors.begin(), errors.end(),
                                    [&](const auto& message) { return !is_refused(message); }),
                     errors.end());
    return errors;
}

}  // namespace

fs::path header_folder() {
    for (const fs::path& checkout : checkout_candidates()) {
        std::error_code failed;
        const fs::path folder = checkout / "src" / "cuda_runtime" / "include";
        if (fs::is_regular_file(folder / "cuda_runtime.h", failed)) return fs::absolute(folder);
    }
    throw Error(
        "run_cuda_program: the checkout with src/cuda_runtime is not found. Set LANES_HOME "
        "to it.");
}

const std::string& clang_command() { return clang().command; }
std::string clang_version() { return clang().version; }

std::string run_clang(const Words& arguments, const std::string& name, const std::string& text,
                      const std::string& temporary) {
    Words command{clang_command()};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const auto outcome = simulator::run_process(command, temporary);
    if (outcome.status == 0) return outcome.output;
    std::vector<CompileMessage> errors = read_errors(outcome.output);
    const std::string begin = "run_cuda_program: " + name + " does not compile";
    if (errors.empty()) throw CudaCompileError(begin + ".\n" + outcome.output, outcome.output);
    if (const auto brace = unclosed_brace(name, text)) errors = {*brace};
    throw CudaCompileError(begin + ", " + std::to_string(errors.size()) +
                               (errors.size() == 1 ? " error.\n" : " errors.\n") +
                               show_errors(name, text, errors),
                           outcome.output);
}

}  // namespace lanes::gpu::whole_program
