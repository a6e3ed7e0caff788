#include "lanes/gpu/whole_program.hpp"

#include "build.hpp"
#include "compiler_flags.hpp"
#include "front_end.hpp"

#include "gpu/simulator/compile/work_folder.hpp"
#include "gpu/simulator/object/process.hpp"
#include "lanes/base/error.hpp"
#include "lanes/base/interrupt.hpp"
#include "lanes/gpu/device.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <regex>
#include <thread>

extern char** environ;

namespace lanes {

namespace {

namespace fs = std::filesystem;
using gpu::whole_program::BuildRequest;
using gpu::whole_program::SourceFile;

void write_file(const fs::path& path, const std::string& content) {
    std::ofstream file(path, std::ios::binary);
    file << content;
    file.close();
    if (!file.good())
        throw Error("run_cuda_program: ", path.string(),
                    " cannot be written. Free some space there, or set TMPDIR.");
}

// Waits for the program. The interrupt button ends it.
int wait_for(pid_t child) {
    int status = 0;
    bool asked = false;
    for (auto pause = std::chrono::microseconds(100);;) {
        const pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child) break;
        if (ended < 0 && errno != EINTR)
            throw Error("run_cuda_program: the program cannot be waited for (",
                        std::strerror(errno), "). Run it again.");
        if (interrupted() && !asked) {
            kill(child, SIGKILL);
            asked = true;
        }
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, std::chrono::microseconds(10000));
    }
    if (asked) throw Error("run_cuda_program: interrupted.");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Opens files in the place of standard output and error in a process that is started.
class Redirection {
public:
    Redirection() { posix_spawn_file_actions_init(&actions_); }
    ~Redirection() { posix_spawn_file_actions_destroy(&actions_); }
    Redirection(const Redirection&) = delete;
    Redirection& operator=(const Redirection&) = delete;
    void open(int descriptor, const fs::path& path) {
        posix_spawn_file_actions_addopen(&actions_, descriptor, path.c_str(),
                                         O_WRONLY | O_CREAT | O_TRUNC, 0600);
    }
    const posix_spawn_file_actions_t* get() const { return &actions_; }

private:
    posix_spawn_file_actions_t actions_{};
};

// Runs an executable with this process's input and output, or with files in their place.
int run(const fs::path& executable, const std::string& name,
        const std::vector<std::string>& arguments, std::vector<std::string> more_settings,
        const Redirection& redirection) {
    std::fflush(stdout);
    std::cout.flush();
    std::vector<std::string> words{name}, settings;
    words.insert(words.end(), arguments.begin(), arguments.end());
    for (char** setting = environ; *setting; ++setting) {
        const std::string name_and_sign(*setting, std::strcspn(*setting, "=") + 1);
        const auto is_replaced = [&](const std::string& other) {
            return other.rfind(name_and_sign, 0) == 0;
        };
        if (std::none_of(more_settings.begin(), more_settings.end(), is_replaced))
            settings.emplace_back(*setting);
    }
    settings.insert(settings.end(), more_settings.begin(), more_settings.end());
    const auto pointers = [](std::vector<std::string>& texts) {
        std::vector<char*> all;
        all.reserve(texts.size() + 1);
        for (std::string& text : texts) all.push_back(text.data());
        all.push_back(nullptr);
        return all;
    };
    pid_t child = 0;
    const int error = posix_spawn(&child, executable.c_str(), redirection.get(),
                                  gpu::simulator::SpawnAttributes().get(), pointers(words).data(),
                                  pointers(settings).data());
    if (error != 0)
        throw Error("run_cuda_program: ", name, " cannot be started (", std::strerror(error),
                    "). If programs may not be run in ", executable.parent_path().string(),
                    ", set TMPDIR.");
    return wait_for(child);
}

// nvcc's path, if it can be run.
std::string nvcc() {
    for (const char* command : {"nvcc", "/usr/local/cuda/bin/nvcc"}) try {
            if (gpu::simulator::run_process({command, "--version"}).status == 0) return command;
        } catch (const Error&) {
            continue;  // not installed
        }
    return "";
}

void compile_with_nvcc(const std::string& command, const BuildRequest& request,
                       const fs::path& folder, const fs::path& executable) {
    std::vector<std::string> words{command};
    for (std::string& flag : gpu::whole_program::nvcc_flags(request, executable))
        words.push_back(std::move(flag));
    for (std::size_t i = 0; i < request.files.size(); ++i) {
        const SourceFile& file = request.files[i];
        fs::path path = file.name;
        if (!file.on_disk) {
            path = folder / ("text" + std::to_string(i) + ".cu");
            write_file(path, "#line 1 \"" + file.name + "\"\n" + file.text);
            words.push_back("-I" + (fs::path(file.name).has_parent_path()
                                        ? fs::path(file.name).parent_path().string()
                                        : "."));
        }
        words.push_back(path.string());
    }
    const auto outcome = gpu::simulator::run_process(words, folder);
    if (outcome.status != 0)
        throw CudaCompileError("run_cuda_program: " + request.files.front().name +
                                   " does not compile with nvcc.\n" + outcome.output,
                               outcome.output);
}

int build_and_run(BuildRequest request, const std::vector<std::string>& arguments) {
    if (request.files.empty()) throw Error("run_cuda_program: no file was given. Name a .cu file.");
    const Device device = Device::best();
    if (!device.is_simulator() && !device.is_cpu()) request.architecture = device.architecture();
    const gpu::simulator::WorkFolder folder;
    const fs::path executable = folder / "program", manifest = folder / "manifest";
    if (const std::string compiler = request.architecture.empty() ? "" : nvcc();
        !compiler.empty()) {
        compile_with_nvcc(compiler, request, folder.path(), executable);
    } else {
        const auto program = gpu::whole_program::build(request, folder.path());
        write_file(executable, program.executable);
        fs::permissions(executable, fs::perms::owner_all);
        write_file(manifest, gpu::whole_program::to_bytes(program.manifest));
    }
    const fs::path first = request.files.front().name;
    return run(executable, (first.parent_path() / first.stem()).string(), arguments,
               {gpu::whole_program::manifest_variable + ("=" + manifest.string())}, Redirection());
}

// A text that a %%cuda NAME cell keeps begins with its place, such as #line 2 "In[7]".
SourceFile source_of(const std::string& text, const std::string& name) {
    static const std::regex place(R"re(^#line (\d+) "([^"\n]+)"\n)re");
    std::smatch found;
    if (!std::regex_search(text, found, place, std::regex_constants::match_continuous))
        return {name, text, false};
    const std::size_t line = std::stoul(found[1]);
    return {found[2], std::string(line > 0 ? line - 1 : 0, '\n') + found.suffix().str(), false};
}

std::string content_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

int run_cuda_program(const std::string& source, const std::string& name,
                     const std::vector<std::string>& arguments) {
    return run_cuda_program(source, name, arguments, {});
}

int run_cuda_program(const std::string& source, const std::string& name,
                     const std::vector<std::string>& arguments, const CudaProgramOptions& options) {
    BuildRequest request;
    request.files.push_back(source_of(source, name));
    request.flags = options.flags;
    request.fast = options.fast;
    return build_and_run(std::move(request), arguments);
}

struct WatchedCudaProgram::Files {
    std::string name;  // of the program, without its ending
    gpu::simulator::WorkFolder folder;
    fs::path executable = folder / "program", manifest = folder / "manifest",
             output = folder / "output", errors = folder / "errors", report = folder / "report";
};

WatchedCudaProgram::WatchedCudaProgram(const std::string& source, const std::string& name) {
    auto files = std::make_shared<Files>();
    files->name = fs::path(name).stem().string();
    BuildRequest request;
    request.files.push_back(source_of(source, name));
    auto program = gpu::whole_program::build(request, files->folder.path());
    program.manifest.report = files->report.string();
    write_file(files->executable, program.executable);
    fs::permissions(files->executable, fs::perms::owner_all);
    write_file(files->manifest, gpu::whole_program::to_bytes(program.manifest));
    files_ = std::move(files);
}

CudaProgramRun WatchedCudaProgram::run(const std::vector<std::string>& arguments) const {
    fs::remove(files_->report);
    Redirection redirection;
    redirection.open(STDOUT_FILENO, files_->output);
    redirection.open(STDERR_FILENO, files_->errors);
    CudaProgramRun result;
    result.status =
        lanes::run(files_->executable, files_->name, arguments,
                   {gpu::whole_program::manifest_variable + ("=" + files_->manifest.string()),
                    "LANES_DEVICE=simulator"},
                   redirection);
    result.output = content_of(files_->output);
    result.errors = content_of(files_->errors);
    if (fs::exists(files_->report)) {
        const auto at_end = gpu::whole_program::report_of(content_of(files_->report));
        result.findings = at_end.findings;
        result.launches = at_end.launches;
        result.loads = at_end.loads;
        result.stores = at_end.stores;
    }
    return result;
}

int run_cuda_files(const std::vector<std::string>& files, const std::vector<std::string>& arguments,
                   const CudaProgramOptions& options) {
    BuildRequest request;
    for (const std::string& path : files) {
        std::ifstream in(path, std::ios::binary);
        if (!in || fs::is_directory(path))
            throw Error("run_cuda_files: '", path, "' cannot be read. Look at its name.");
        request.files.push_back({path, {std::istreambuf_iterator<char>(in), {}}, true});
    }
    request.flags = options.flags;
    request.fast = options.fast;
    return build_and_run(std::move(request), arguments);
}

}  // namespace lanes
