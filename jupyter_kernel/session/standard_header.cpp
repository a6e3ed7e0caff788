#include "standard_header.hpp"

#include "session/magics/magics_process.hpp"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

#include <fcntl.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

namespace xcpp_session {
namespace {

namespace fs = std::filesystem;

// "c++20-0123456789abcdef.pch". The key holds all that the header depends on: the arguments, its
// text, and the configured header, which the build makes again if a file has changed that they
// read.
std::string file_name(const SessionOptions& options) {
    std::string key = options.interpreter.pch_header;
    for (const std::string& argument : options.interpreter.arguments) key += "\n" + argument;
    struct stat built = {};
    if (::stat(options.interpreter.pch.c_str(), &built) == 0)
        key += "\n" + std::to_string(built.st_mtim.tv_sec) + "." +
               std::to_string(built.st_mtim.tv_nsec) + " " + std::to_string(built.st_size);
    return options.standard + "-" + llvm::utohexstr(llvm::xxh3_64bits(key), true, 16) + ".pch";
}

fs::path cache_folder() {
    const char* cache = std::getenv("XDG_CACHE_HOME");
    if (cache && *cache) return fs::path(cache) / "xcpp";
    if (const char* home = std::getenv("HOME"); home && *home)
        return fs::path(home) / ".cache/xcpp";
    const passwd* user = ::getpwuid(::geteuid());
    return fs::path(user && user->pw_dir ? user->pw_dir : "/nonexistent") / ".cache/xcpp";
}

// Its headers become part of the session: nobody else may write there.
bool is_private(const fs::path& folder) {
    struct stat found = {};
    if (::stat(folder.c_str(), &found) != 0) return true;  // not made yet
    return found.st_uid == ::geteuid() && (found.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// Held while one process makes the header; others wait for it.
class FileLock {
public:
    explicit FileLock(const fs::path& file)
        : fd_(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
        if (fd_ >= 0) ::flock(fd_, LOCK_EX);
    }
    ~FileLock() {
        if (fd_ >= 0) ::close(fd_);
    }
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;
    bool held() const { return fd_ >= 0; }

private:
    int fd_;
};

// Of the same standard, for files that have changed since; 70 MB each.
void remove_older(const fs::path& file, const std::string& standard) {
    std::error_code failed;
    for (fs::directory_iterator other(file.parent_path(), failed), end; !failed && other != end;
         other.increment(failed)) {
        const std::string name = other->path().filename().string();
        std::error_code ignored;
        if (name.rfind(standard + "-", 0) == 0 && other->path().extension() == ".pch" &&
            other->path() != file)
            fs::remove(other->path(), ignored);
    }
}

// What went wrong, or nothing.
std::string make(const fs::path& file, const SessionOptions& options,
                 const std::function<void(const std::string&)>& on_work) {
    std::error_code failed;
    fs::create_directories(file.parent_path().parent_path(), failed);
    ::mkdir(file.parent_path().c_str(), S_IRWXU);
    const FileLock lock(file.parent_path() / (options.standard + ".lock"));
    if (!lock.held()) return "cannot write to " + file.parent_path().string();
    if (fs::exists(file, failed)) return {};  // another process has made it meanwhile
    on_work("Preparing " + options.standard +
            " for its first use: compiling the headers that every cell has. This happens once and "
            "takes about half a minute.");
    const fs::path made = file.string() + ".new", output = file.string() + ".txt";
    ProcessPlan plan;
    plan.arguments = {"clang++-19"};
    plan.arguments.insert(plan.arguments.end(), options.interpreter.arguments.begin(),
                          options.interpreter.arguments.end());
    plan.arguments.insert(
        plan.arguments.end(),
        {"-Xclang", "-fincremental-extensions", "-fpch-instantiate-templates", "-x", "c++-header",
         options.interpreter.pch_header, "-o", made.string()});
    plan.output = output.string();
    const ProcessEnd end = run_process(plan, nullptr);
    std::ostringstream said;
    said << std::ifstream(output).rdbuf();
    fs::remove(output, failed);
    if (!end.error.empty()) return "cannot start clang++-19: " + end.error;
    if (end.status != 0) {
        const std::string text = said.str();
        const std::size_t error = text.find("error: ");
        fs::remove(made, failed);
        return error == std::string::npos
                   ? "clang++-19 ended with status " + std::to_string(end.status)
                   : text.substr(error, text.find('\n', error) - error);
    }
    fs::rename(made, file, failed);
    if (failed) return "cannot write " + file.string() + ": " + failed.message();
    remove_older(file, options.standard);
    return {};
}

fs::path beside_configured(const SessionOptions& options) {
    return fs::path(options.interpreter.pch).parent_path() / file_name(options);
}

}  // namespace

void use_standard_header(SessionOptions& options,
                         const std::function<void(const std::string&)>& on_work) {
    InterpreterOptions& interpreter = options.interpreter;
    if (options.standard.empty() || interpreter.pch.empty()) return;
    std::error_code failed;
    fs::path file = beside_configured(options);
    if (!fs::exists(file, failed)) {
        file = cache_folder() / file.filename();
        if (!is_private(file.parent_path())) {
            interpreter.pch = file.string();
            interpreter.pch_problem = "other users may write to its folder";
            interpreter.pch_advice = "Forbid it: chmod go-w " + file.parent_path().string();
            return;
        }
        if (interpreter.pch_problem.empty() && !fs::exists(file, failed))
            interpreter.pch_problem = make(file, options, on_work);
    }
    interpreter.pch = file.string();
    interpreter.pch_advice = "The next start compiles it again.";
    // One that clang has refused is of no use to anybody.
    if (!interpreter.pch_problem.empty()) fs::remove(file, failed);
}

int prepare_standard_header(const SessionOptions& options) {
    if (options.standard.empty() || options.interpreter.pch.empty()) {
        std::cerr << "xcpp17 --prepare: nothing to do for the standard of the configuration. Name "
                     "another one: -std=c++20\n";
        return options.interpreter.pch.empty() ? 1 : 0;
    }
    const std::string problem = make(beside_configured(options), options,
                                     [](const std::string& text) { std::cerr << text << "\n"; });
    if (!problem.empty()) std::cerr << "xcpp17 --prepare: " << problem << "\n";
    return problem.empty() ? 0 : 1;
}

}  // namespace xcpp_session
