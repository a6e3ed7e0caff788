// The only file that names NVRTC. It is opened at run time and never closed; the few functions that
// are used are declared here, because no CUDA header is needed to build the library.
#include "compiler.hpp"

#include "base/checkout.hpp"
#include "gpu/source/diagnostics.hpp"
#include "gpu/source/flags.hpp"
#include "standard_headers.hpp"

#include "lanes/base/error.hpp"

#include "lanes/gpu/program.hpp"

#include <dlfcn.h>
#include <sys/stat.h>
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <sstream>
#include <system_error>
#include <thread>

namespace fs = std::filesystem;

namespace lanes::gpu::cuda {

namespace {

using ProgramHandle = struct Opaque*;

struct Functions {
    int (*version)(int*, int*) = nullptr;
    int (*count_architectures)(int*) = nullptr;
    int (*architectures)(int*) = nullptr;
    int (*create)(ProgramHandle*, const char* source, const char* name, int headers,
                  const char* const* contents, const char* const* names) = nullptr;
    int (*destroy)(ProgramHandle*) = nullptr;
    int (*compile)(ProgramHandle, int count, const char* const* options) = nullptr;
    int (*cubin_size)(ProgramHandle, std::size_t*) = nullptr;
    int (*cubin)(ProgramHandle, char*) = nullptr;
    int (*log_size)(ProgramHandle, std::size_t*) = nullptr;
    int (*log)(ProgramHandle, char*) = nullptr;
    int (*add_name)(ProgramHandle, const char*) = nullptr;
    int (*lowered_name)(ProgramHandle, const char*, const char**) = nullptr;
    const char* (*error)(int) = nullptr;
    std::string path;
};

// Wheels of PyPI under one prefix, version 13 before 12.
void add_wheels(std::vector<std::string>& places, const fs::path& prefix) {
    std::error_code failed;
    for (fs::directory_iterator at(prefix / "lib", failed), end; !failed && at != end;
         at.increment(failed)) {
        if (at->path().filename().string().compare(0, 7, "python3") != 0) continue;
        const fs::path packages = at->path() / "site-packages" / "nvidia";
        places.push_back(packages / "cu13" / "lib" / "libnvrtc.so.13");
        places.push_back(packages / "cuda_nvrtc" / "lib" / "libnvrtc.so.12");
    }
}

std::vector<fs::path> prefixes() {
    std::vector<fs::path> found;
    std::error_code failed;
    const fs::path program = fs::read_symlink("/proc/self/exe", failed);
    if (!failed) found.push_back(program.parent_path().parent_path());
    for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"})
        if (const char* value = std::getenv(name); value && *value) found.emplace_back(value);
    for (const fs::path& checkout : checkout_candidates()) found.push_back(checkout / ".venv");
    return found;
}

// Some wheels do not find their second library by themselves.
void open_sibling(const fs::path& library) {
    std::error_code failed;
    for (fs::directory_iterator at(library.parent_path(), failed), end; !failed && at != end;
         at.increment(failed))
        if (at->path().filename().string().compare(0, 20, "libnvrtc-builtins.so") == 0)
            dlopen(at->path().c_str(), RTLD_NOW | RTLD_GLOBAL);
}

void* open_library() {
    for (const char* loaded : {"libnvrtc.so.13", "libnvrtc.so.12"})
        if (void* library = dlopen(loaded, RTLD_NOW | RTLD_NOLOAD)) return library;
    std::string tried;
    for (const std::string& place : compiler_places()) {
        std::error_code failed;
        const bool is_path = place.find('/') != std::string::npos;
        if (is_path && !fs::exists(place, failed)) {
            tried += "\n  " + place + ": no such file";
            continue;
        }
        if (is_path) open_sibling(place);
        if (void* library = dlopen(place.c_str(), RTLD_NOW)) return library;
        const char* why = dlerror();
        tried += "\n  " + place + ": " + (why ? why : "cannot be opened");
    }
    throw Error(
        "Program: no NVRTC, which compiles CUDA kernels. Run make, which installs it, or `pip "
        "install nvidia-cuda-nvrtc` in the environment in use. Tried:" +
        tried);
}

template <class Function>
void find(void* library, Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr)
        throw Error("Program: this NVRTC has no function ", name,
                    ". Install NVRTC 12 or newer (`pip install nvidia-cuda-nvrtc`).");
}

Functions load() {
    void* library = open_library();
    Functions nvrtc;
    find(library, nvrtc.version, "nvrtcVersion");
    find(library, nvrtc.count_architectures, "nvrtcGetNumSupportedArchs");
    find(library, nvrtc.architectures, "nvrtcGetSupportedArchs");
    find(library, nvrtc.create, "nvrtcCreateProgram");
    find(library, nvrtc.destroy, "nvrtcDestroyProgram");
    find(library, nvrtc.compile, "nvrtcCompileProgram");
    find(library, nvrtc.cubin_size, "nvrtcGetCUBINSize");
    find(library, nvrtc.cubin, "nvrtcGetCUBIN");
    find(library, nvrtc.log_size, "nvrtcGetProgramLogSize");
    find(library, nvrtc.log, "nvrtcGetProgramLog");
    find(library, nvrtc.add_name, "nvrtcAddNameExpression");
    find(library, nvrtc.lowered_name, "nvrtcGetLoweredName");
    find(library, nvrtc.error, "nvrtcGetErrorString");
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(nvrtc.version), &info) && info.dli_fname)
        nvrtc.path = info.dli_fname;
    return nvrtc;
}

const Functions& functions() {
    static const Functions loaded = load();  // a failure throws and is tried again at the next call
    return loaded;
}

void require(int result, const char* what) {
    if (result != 0)
        throw Error(std::string("Program: NVRTC could not ") + what + ": " +
                    functions().error(result) + ". Is memory or the disk full?");
}

std::pair<int, int> compiler_version() {
    int major = 0, minor = 0;
    require(functions().version(&major, &minor), "report its version");
    return {major, minor};
}

// NVRTC has no headers of its own. All others that a program may include are in
// standard_headers.cpp.
bool needs_toolkit_headers(const std::string& text) {
    return text.find("cooperative_groups") != std::string::npos ||
           text.find("cuda_fp16") != std::string::npos ||
           text.find("cuda_bf16") != std::string::npos || text.find("mma.h") != std::string::npos ||
           text.find("curand") != std::string::npos || text.find("<cuda/") != std::string::npos;
}

std::vector<std::string> options_for(const CubinRequest& request, bool minimal) {
    std::vector<std::string> options{"--gpu-architecture=" + request.architecture};
    const auto& flags = request.program.flags;
    if (std::none_of(flags.begin(), flags.end(),
                     [](const std::string& flag) { return flag.compare(0, 6, "--std=") == 0; }))
        options.emplace_back("--std=c++17");
    if (minimal) options.emplace_back("--minimal");
    // a file's CUDA kernels are optimised side by side: a quarter less time for a whole ladder, and
    // nothing to gain for a single one
    if (compiler_version().first >= 13 && request.name_expressions.size() > 1 &&
        std::thread::hardware_concurrency() >= 4)
        options.emplace_back("--split-compile=4");
    for (const std::string& flag : flags)
        if (flag.compare(0, 18, "--gpu-architecture") != 0) options.push_back(flag);
    if (needs_toolkit_headers(request.program.text))
        for (const std::string& folder : toolkit_include_folders())
            options.push_back("-I" + folder);
    return options;
}

class NvrtcProgram {
public:
    explicit NvrtcProgram(const CubinRequest& request)
        : NvrtcProgram() {  // from here on the destructor runs, even if the rest throws
        const auto headers = standard_headers(request.program.flags);
        std::vector<const char*> names, contents;
        for (const auto& [name, content] : headers)
            names.push_back(name.c_str()), contents.push_back(content.c_str());
        require(
            functions().create(&handle_, request.program.text.c_str(), request.program.file.c_str(),
                               static_cast<int>(headers.size()), contents.data(), names.data()),
            "begin");
        for (const std::string& name : request.name_expressions)
            require(functions().add_name(handle_, name.c_str()), "note a name");
    }
    ~NvrtcProgram() {
        if (handle_ != nullptr) functions().destroy(&handle_);
    }
    NvrtcProgram(const NvrtcProgram&) = delete;
    NvrtcProgram& operator=(const NvrtcProgram&) = delete;

    ProgramHandle get() const { return handle_; }

    int compile(const std::vector<std::string>& options) const {
        std::vector<const char*> pointers;
        pointers.reserve(options.size());
        for (const std::string& option : options) pointers.push_back(option.c_str());
        return functions().compile(handle_, static_cast<int>(pointers.size()), pointers.data());
    }

    std::string log() const {
        std::size_t size = 0;
        if (functions().log_size(handle_, &size) != 0 || size == 0) return "";
        std::string text(size, '\0');
        functions().log(handle_, text.data());
        text.resize(std::strlen(text.c_str()));
        return text;
    }

private:
    NvrtcProgram() = default;

    ProgramHandle handle_ = nullptr;
};

// "cell.cu(4): error: …", then the line with two blanks before it, then a caret. NVRTC calls it
// a "catastrophic error" if, for example, an included file is missing.
std::vector<CompileMessage> errors_of(const std::string& log) {
    std::vector<CompileMessage> errors;
    std::istringstream in(log);
    bool in_error = false;
    for (std::string line; std::getline(in, line);) {
        const std::size_t colon = line.find("): "), word = line.find("error", colon),
                          open = line.rfind('(', colon);
        const bool begins =
            colon != std::string::npos && open != std::string::npos && line[0] != ' ';
        if (begins)
            in_error = word != std::string::npos &&
                       (word == colon + 3 || line.compare(colon + 3, 13, "catastrophic ") == 0);
        if (begins && in_error) {
            const std::size_t text = line.find(": ", word);
            errors.push_back({line.substr(0, open), std::atoi(line.c_str() + open + 1), 0,
                              text == std::string::npos ? line : line.substr(text + 2)});
        } else if (in_error && !errors.empty() && errors.back().column == 0) {
            const std::size_t caret = line.find_first_not_of(' ');
            if (caret != std::string::npos && line.compare(caret, std::string::npos, "^") == 0 &&
                caret >= 2)
                errors.back().column = static_cast<int>(caret) - 1;
        }
    }
    return errors;
}

// What is wrong with a name expression has no line in the text.
void explain_name_expression_errors(std::vector<CompileMessage>& errors) {
    const auto starts = [](const CompileMessage& error, const char* with) {
        return error.text.rfind(with, 0) == 0;
    };
    errors.erase(std::remove_if(errors.begin(), errors.end(),
                                [&](const CompileMessage& error) {
                                    return starts(error, "Error in parsing name expression");
                                }),
                 errors.end());
    for (CompileMessage& error : errors) {
        if (error.file != "__nv_name_map") continue;
        error.file.clear();
        error.line = error.column = 0;
        if (starts(error, "cannot determine which instance"))
            error.text =
                "the template's arguments do not fit it, or some are missing. Name all of them: "
                "program.kernel(\"f<float, 16>\")";
    }
}

[[noreturn]] void fail_compile(const CubinRequest& request, int result, const std::string& log) {
    std::vector<CompileMessage> errors = errors_of(log);
    const std::string& name = request.program.name;
    rename_file(errors, request.program.file, name);
    explain_name_expression_errors(errors);
    if (errors.empty())
        if (const auto brace = unclosed_brace(name, request.program.text)) errors = {*brace};
    if (errors.empty())
        throw CudaCompileError("Program: " + name + " does not compile for " +
                                   request.architecture + ": " + functions().error(result) + ".\n" +
                                   log,
                               log);
    const std::string count =
        std::to_string(errors.size()) + (errors.size() == 1 ? " error" : " errors");
    const bool no_header = log.find("could not open source file") != std::string::npos &&
                           needs_toolkit_headers(request.program.text);
    throw CudaCompileError(
        "Program: " + name + " does not compile for " + request.architecture + ", " + count +
            ".\n" + show_errors(name, request.program.text, errors) +
            (no_header ? "\nhint: this header comes with the CUDA toolkit. Install it and name its "
                         "folder in CUDA_PATH, or `pip install nvidia-cuda-runtime "
                         "nvidia-cuda-cccl`."
                       : ""),
        log);
}

}  // namespace

std::vector<std::string> compiler_places() {
    std::vector<std::string> places;
    for (const fs::path& prefix : prefixes()) add_wheels(places, prefix);
    places.insert(places.end(), {"libnvrtc.so.13", "libnvrtc.so.12"});
    std::vector<std::string> toolkits;
    for (const char* name : {"CUDA_PATH", "CUDA_HOME"})
        if (const char* value = std::getenv(name); value && *value) toolkits.emplace_back(value);
    toolkits.emplace_back("/usr/local/cuda");
    for (const std::string& toolkit : toolkits)
        for (const char* folder : {"/lib64", "/lib"})
            for (const char* file : {"/libnvrtc.so.13", "/libnvrtc.so.12"})
                places.push_back(toolkit + folder + file);
    return places;
}

std::vector<std::string> toolkit_include_folders() {
    std::vector<fs::path> folders;
    for (const char* name : {"CUDA_PATH", "CUDA_HOME"})
        if (const char* value = std::getenv(name); value && *value)
            folders.push_back(fs::path(value) / "include");
    std::error_code failed;
    for (const fs::path& prefix : prefixes()) {
        folders.push_back(prefix / "targets" / "x86_64-linux" / "include");
        for (fs::directory_iterator at(prefix / "lib", failed), end; !failed && at != end;
             at.increment(failed)) {
            const fs::path packages = at->path() / "site-packages" / "nvidia";
            folders.push_back(packages / "cu13" / "include");
            folders.push_back(packages / "cuda_runtime" / "include");
        }
    }
    folders.emplace_back("/usr/local/cuda/include");
    folders.emplace_back("/usr/include");
    for (const fs::path& folder : folders) {
        if (!fs::is_regular_file(folder / "cooperative_groups.h", failed)) continue;
        std::vector<std::string> found{folder.string()};
        // cuda/std/…: beside the others, in a folder of its own (CUDA 13), or in a wheel of its own
        for (const fs::path& place :
             {folder / "cccl", folder.parent_path().parent_path() / "cuda_cccl" / "include"})
            if (fs::is_directory(place / "cuda" / "std", failed)) found.push_back(place.string());
        return found;
    }
    return {};
}

std::string compiler_identity() {
    static const std::string identity = [] {
        const auto [major, minor] = compiler_version();
        struct stat
            file{};  // NVRTC does not report its build; size and time of its file identify it
        stat(functions().path.c_str(), &file);
        return std::to_string(major) + "." + std::to_string(minor) + " " +
               std::to_string(file.st_size) + " " + std::to_string(file.st_mtim.tv_sec);
    }();
    return identity;
}

std::vector<std::string> supported_architectures() {
    int count = 0;
    require(functions().count_architectures(&count), "report its architectures");
    std::vector<int> numbers(static_cast<std::size_t>(count));
    require(functions().architectures(numbers.data()), "report its architectures");
    std::sort(numbers.begin(), numbers.end());
    std::vector<std::string> names;
    names.reserve(numbers.size());
    for (int number : numbers) names.push_back("sm_" + std::to_string(number));
    return names;
}

Cubin compile_cubin(const CubinRequest& request) {
    // Texture functions and everything named cuda… are left out at first, which saves a fifth of
    // the time of a small program. If that fails, everything is included, and its errors are
    // reported.
    auto program = std::make_unique<NvrtcProgram>(request);
    int result = -1;
    if (compiler_version().first >= 13 && !needs_toolkit_headers(request.program.text))
        result = program->compile(options_for(request, true));
    if (result != 0) {
        program = std::make_unique<NvrtcProgram>(request);
        result = program->compile(options_for(request, false));
    }
    if (result != 0) fail_compile(request, result, program->log());

    Cubin cubin;
    std::size_t size = 0;
    require(functions().cubin_size(program->get(), &size), "give its result");
    cubin.image.resize(size);
    require(functions().cubin(program->get(), cubin.image.data()), "give its result");
    for (const std::string& name : request.name_expressions) {
        const char* lowered = nullptr;
        require(functions().lowered_name(program->get(), name.c_str(), &lowered), "find a name");
        cubin.lowered_names[name] = lowered;
    }
    return cubin;
}

}  // namespace lanes::gpu::cuda
