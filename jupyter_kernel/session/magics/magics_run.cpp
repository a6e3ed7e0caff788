#include "magics_run.hpp"

#include "magics_process.hpp"

#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fstream>

extern char** environ;

namespace xcpp_session {
namespace {

MagicOutcome failure(std::string ename, std::string evalue) {
    return {false, {}, std::move(ename), std::move(evalue)};
}

std::string reason() { return std::strerror(errno); }

std::string with_home(const std::string& path) {
    const char* home = std::getenv("HOME");
    if (!path.empty() && path[0] == '~' && (path.size() == 1 || path[1] == '/') && home)
        return home + path.substr(1);
    return path;
}

}  // namespace

MagicOutcome write_file(const std::string& name, const std::string& text, bool append) {
    const std::string path = with_home(name);
    const bool exists = ::access(path.c_str(), F_OK) == 0;
    errno = 0;
    std::ofstream file(path, append ? std::ios::app : std::ios::trunc);
    file << text;
    if (!text.empty() && text.back() != '\n') file << '\n';
    file.close();
    if (!file)
        return failure("FileError", "cannot write " + name + ": " +
                                        (errno ? reason() : std::string("unknown reason")) +
                                        ". Does the folder exist, and may you write there?");
    return {true, (!exists ? "Writing " : append ? "Appending to " : "Overwriting ") + name + "\n"};
}

MagicOutcome run_shell(const std::string& command, Interrupted interrupted, const char* shell,
                       bool must_succeed) {
    const ProcessEnd end = run_process({{shell, "-c", command}, {}, "", false}, interrupted);
    if (end.interrupted) return failure("Interrupted", "the shell command was interrupted");
    if (!end.error.empty())
        return failure("ShellError", std::string("cannot start ") + shell + ": " + end.error);
    if (end.status == 0) return {};
    const std::string what = end.signal > 0 ? std::string("ended by ") + ::strsignal(end.signal)
                                            : "exit status " + std::to_string(end.status);
    if (must_succeed) return failure("ShellError", what);
    return {true, "[" + what + "]\n"};
}

MagicOutcome change_folder(const std::string& folder) {
    const std::string path = with_home(folder.empty() ? "~" : folder);
    if (::chdir(path.c_str()) != 0) return failure("FileError", "%cd " + path + ": " + reason());
    return show_folder();
}

MagicOutcome show_folder() {
    char path[PATH_MAX];
    if (!::getcwd(path, sizeof path))
        return failure("FileError",
                       "the working folder is gone: " + reason() + ". %cd leads to another");
    return {true, std::string(path) + "\n"};
}

MagicOutcome environment(const std::string& argument) {
    if (argument.empty()) {
        std::string text;
        for (char** entry = environ; entry && *entry; ++entry) text += std::string(*entry) + "\n";
        return {true, text};
    }
    std::size_t split = argument.find_first_of("= ");
    const std::string name = argument.substr(0, split);
    if (split == std::string::npos) {
        const char* value = std::getenv(name.c_str());
        if (!value)
            return failure("NameError",
                           "the environment has no " + name + ". %env " + name + "=value sets it");
        return {true, std::string(value) + "\n"};
    }
    const std::string value = argument.substr(split + 1);
    if (name.empty() || ::setenv(name.c_str(), value.c_str(), 1) != 0)
        return failure("NameError", "cannot set '" + name + "' in the environment");
    return {true, name + "=" + value + "\n"};
}

}  // namespace xcpp_session
