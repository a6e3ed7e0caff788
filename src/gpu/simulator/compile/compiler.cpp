#include "compiler.hpp"

#include "assembly.hpp"
#include "gpu/simulator/object/process.hpp"
#include "headers/headers.hpp"
#include "observed_accesses.hpp"
#include "work_folder.hpp"

#include "gpu/cache/disk_cache.hpp"
#include "lanes/base/error.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>

namespace lanes::gpu::simulator {

namespace {

namespace fs = std::filesystem;

struct HostCompiler {
    std::string command, version;
    bool is_clang = false;
};

std::optional<HostCompiler> look_at(const std::string& command) try {
    const ProcessOutcome said = run_process({command, "--version"});
    if (said.status != 0) return std::nullopt;
    return HostCompiler{command, said.output.substr(0, said.output.find('\n')),
                        said.output.find("clang") != std::string::npos};
} catch (const Error&) {
    return std::nullopt;
}

const HostCompiler& host_compiler() {
    static std::mutex mutex;
    static std::map<std::string, HostCompiler> known;
    const char* wished = std::getenv("LANES_CXX");
    const std::string wish = wished ? wished : "";
    const std::lock_guard<std::mutex> lock(mutex);
    if (const auto found = known.find(wish); found != known.end()) return found->second;
    const std::vector<std::string> commands =
        wish.empty() ? std::vector<std::string>{"clang++-19", "clang++", "g++"}
                     : std::vector<std::string>{wish};
    for (const auto& command : commands)
        if (auto compiler = look_at(command)) return known.emplace(wish, *compiler).first->second;
    throw Error(wish.empty() ? "simulator: no C++ compiler was found (clang++-19, clang++, g++). "
                               "Install one, or name one in LANES_CXX."
                             : "simulator: LANES_CXX names '" + wish +
                                   "', which cannot be run. Name a C++ compiler, or unset it.");
}

void write(const fs::path& path, const std::string& content) {
    std::ofstream file(path, std::ios::binary);
    file << content;
    file.close();
    if (!file.good())
        throw Error("simulator: ", path.string(),
                    " cannot be written. Free some space there, or set TMPDIR.");
}

std::string read(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream content;
    content << file.rdbuf();
    return content.str();
}

using Words = std::vector<std::string>;

void append(Words& words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
}

// The flags accepted by flags.hpp that matter to the host's compiler. The others only change how a
// GPU runs the text.
Words translated(const Words& flags) {
    Words words;
    for (const auto& flag : flags) {
        const auto starts = [&](const char* with) { return flag.rfind(with, 0) == 0; };
        if (starts("-D") || starts("-U") || starts("-I")) words.push_back(flag);
        if (starts("--std=c++")) words.push_back("-std=gnu++" + flag.substr(9));
        if (flag == "--fmad=false") words.emplace_back("-ffp-contract=off");
    }
    return words;
}

Words common_flags(const HostCompiler& compiler) {
    // No strict aliasing: CUDA programs read float as float4 and int as bits. No finite loops: C++
    // may remove a loop without effect, but a CUDA kernel that waits forever must be found
    // waiting. No deletion of null pointer checks: the use of a null pointer must be found.
    Words words{"-x",
                "c++",
                "-std=gnu++17",
                "-march=native",
                "-fPIC",
                "-fvisibility=hidden",
                "-fno-exceptions",
                "-fno-rtti",
                "-fno-strict-aliasing",
                "-fno-finite-loops",
                "-fno-delete-null-pointer-checks",
                "-fno-math-errno",
                "-ffp-contract=fast",
                "-gdwarf-4"};
    // Both compilers accept arrays of variable length; CUDA does not.
    if (compiler.is_clang)
        append(words,
               {"-fsanitize=return", "-fsanitize-trap=return", "-Wno-everything", "-Werror=vla",
                "-fno-caret-diagnostics", "-fno-color-diagnostics", "-ferror-limit=8"});
    else
        // Section anchors (aarch64) address one array by its distance from another, which the gaps
        // between shared arrays change.
        append(words, {"-Werror=vla", "-fdiagnostics-plain-output", "-fno-diagnostics-show-caret",
                       "-fmax-errors=8", "-fno-weak", "-fno-section-anchors"});
    return words;
}

Words optimisation(const HostCompiler& compiler, const Compilation& compilation) {
    // -fsanitize=return: if a function ends without returning its value, the compiler may let it
    // run on into the next function. With g++ either all sanitizers trap or none.
    if (!compilation.checked && compiler.is_clang) return {"-O3", "-gline-tables-only"};
    if (!compilation.checked)
        return {"-O3", "-g1", "-fsanitize=return", "-fsanitize-undefined-trap-on-error"};
    // pattern: what a local variable holds until it is set.
    Words words{"-g", "-fsanitize=thread", "-ftrivial-auto-var-init=pattern",
                "-fno-optimize-sibling-calls", "-fno-omit-frame-pointer"};
    if (compiler.is_clang)
        // Without optimisation, but so that after_hooks may optimise.
        append(words,
               {"-O0", "-Xclang", "-disable-O0-optnone", "-mllvm",
                "-tsan-instrument-read-before-write=1", "-mllvm",
                "-tsan-instrument-func-entry-exit=0", "-mllvm", "-tsan-distinguish-volatile=1",
                "-Wuninitialized", "-Wsometimes-uninitialized", "-Wconditional-uninitialized"});
    else
        // g++ gives no hooks to structs that a call reads and writes by itself,
        // c4[i] = larger(a4[i], b4[i]): what can be inlined is inlined, and vectors stay whole
        // (-fno-tree-sra). The other options keep accesses of two lines two instructions.
        append(words, {"-O1", "-finline-small-functions", "-finline-functions",
                       "--param=max-inline-insns-auto=10000", "--param=early-inlining-insns=10000",
                       "--param=large-function-growth=10000", "--param=inline-unit-growth=10000",
                       "-fno-tree-sra", "-fno-tree-tail-merge", "-fno-crossjumping",
                       "-fno-move-loop-stores", "--param=tsan-instrument-func-entry-exit=0",
                       "--param=tsan-distinguish-volatile=1", "-fsanitize-coverage=trace-pc",
                       "-fsanitize=return"});
    if (compilation.arrays)
        words.emplace_back(compiler.is_clang ? "-fsanitize=array-bounds" : "-fsanitize=bounds");
    return words;
}

// clang compiles checked text in two steps. The first one inserts the hooks before anything is
// optimised, so that every access of the text is observed and counted, even one that the compiler
// would do without. This is the second one: it optimises what is left, from bitcode to assembler
// text. Two branches that end, or begin, with the same call keep their own lines, and a loop is not
// unrolled: one place in the text is one instruction to the counters.
const Words after_hooks{"-x",
                        "ir",
                        "-O1",
                        "-march=native",
                        "-fPIC",
                        "-g",
                        "-gdwarf-4",
                        "-fno-optimize-sibling-calls",
                        "-fno-omit-frame-pointer",
                        "-fno-unroll-loops",
                        "-mllvm",
                        "-simplifycfg-hoist-common=false",
                        "-mllvm",
                        "-simplifycfg-sink-common=false",
                        "-fsanitize-coverage=edge,trace-pc-guard",
                        "-Wno-everything"};

// What -march=native means on this machine: several machines may share a cache in one home folder,
// and must not mix their objects.
std::string cpu_features() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.rfind("flags", 0) == 0 || line.rfind("Features", 0) == 0) return line;
    return "";
}

// Runs one compilation step; if it fails, log holds the compiler's output.
bool step(const Words& command, const WorkFolder& folder, std::string& log) {
    const ProcessOutcome outcome = run_process(command, folder.path());
    log += outcome.output;
    if (outcome.status != 0 && outcome.output.empty())
        log += command[0] + " ended with status " + std::to_string(outcome.status) + "\n";
    return outcome.status == 0;
}

std::string hooks_object(const HostCompiler& compiler, const std::string& text) {
    static const DiskCache cache("simulator", ".o");
    Words flags = common_flags(compiler);
    append(flags, {"-O2", "-g0", "-c"});
    std::vector<std::string> parts{text, compiler.command, compiler.version, cpu_features()};
    append(parts, flags);
    const std::string key = DiskCache::key(parts);
    if (auto kept = cache.load(key)) return *kept;
    const WorkFolder folder;
    write(folder / "hooks.cpp", text);
    Words command{compiler.command};
    append(command, flags);
    append(command, {(folder / "hooks.cpp").string(), "-o", (folder / "hooks.o").string()});
    std::string log;
    if (!step(command, folder, log))
        throw Error("simulator: the hooks of the checks do not compile with " + compiler.version +
                    ":\n" + log);
    std::string object = read(folder / "hooks.o");
    cache.store(key, object);
    return object;
}

// What clang's CUDA mode says about the text. Only its front end runs, for the host's CPU.
std::string cuda_messages(const HostCompiler& compiler, const Compilation& compilation,
                          const WorkFolder& folder) {
    write(folder / "unit.cu", compilation.as_cuda);
    // CUDA C++ without --expt-relaxed-constexpr: a constexpr function needs __device__, too.
    Words command{compiler.command,
                  "-x",
                  "cuda",
                  "--cuda-host-only",
                  "-nocudainc",
                  "-nocudalib",
                  "-Xclang",
                  "-fcuda-is-device",
                  "-Xclang",
                  "-fno-cuda-host-device-constexpr",
                  "-fsyntax-only",
                  "-std=gnu++17",
                  "-march=native",
                  "-fno-exceptions",
                  "-fno-rtti",
                  "-Wno-everything",
                  "-fno-caret-diagnostics",
                  "-fno-color-diagnostics",
                  "-ferror-limit=0"};
    append(command, translated(compilation.flags));
    append(command, {"-I" + (folder / "include").string(), (folder / "unit.cu").string()});
    return run_process(command, folder.path()).output;
}

}  // namespace

std::string compiler_version() { return host_compiler().version; }

CompilerOutcome compile(const Compilation& compilation) {
    static const DiskCache cache("simulator", ".so");
    const HostCompiler& compiler = host_compiler();
    Words flags{compiler.command};
    append(flags, common_flags(compiler));
    append(flags, optimisation(compiler, compilation));
    append(flags, translated(compilation.flags));

    std::vector<std::string> parts{compilation.unit, compilation.hooks, compiler.version,
                                   cpu_features()};
    append(parts, compilation.dynamic_shared);
    append(parts, flags);
    append(parts, after_hooks);
    parts.emplace_back("2");  // to be changed with assembly.cpp and observed_accesses.cpp
    append(parts, compilation.depends_on);
    for (const auto& header : header_files()) append(parts, {header.name, header.content});
    const std::string key = DiskCache::key(parts);
    if (auto kept = cache.load(key)) return {std::move(*kept), ""};

    const WorkFolder folder;
    for (const auto& header : header_files()) {
        const fs::path path = folder / (std::string("include/") + header.name);
        fs::create_directories(path.parent_path());
        write(path, header.content);
    }
    append(flags, {"-I" + (folder / "include").string()});
    write(folder / "unit.cpp", compilation.unit);
    const std::string source = (folder / "unit.cpp").string(),
                      assembly = (folder / "unit.s").string(),
                      shared = (folder / "unit.so").string();

    // Meanwhile, on another core.
    std::future<std::string> messages;
    if (compiler.is_clang && !compilation.as_cuda.empty())
        messages = std::async(std::launch::async,
                              [&] { return cuda_messages(compiler, compilation, folder); });

    CompilerOutcome outcome;
    if (compilation.dynamic_shared.empty() &&
        !compilation.checked) {  // one step is faster than two
        append(flags, {"-shared", source, "-o", shared, "-lm"});
        if (!step(flags, folder, outcome.log)) return outcome;
    } else {
        const bool two_steps = compilation.checked && compiler.is_clang;
        const std::string bitcode = (folder / "unit.ll").string();
        if (two_steps)
            append(flags, {"-S", "-emit-llvm", source, "-o", bitcode});
        else
            append(flags, {"-S", source, "-o", assembly});
        const auto compile_source = [&](std::string& log) {
            if (!step(flags, folder, log)) return false;
            if (!two_steps) return true;
            write(bitcode, with_memory_hooks_only(read(bitcode)));
            Words optimise{compiler.command};
            append(optimise, after_hooks);
            append(optimise, {"-S", bitcode, "-o", assembly});
            return step(optimise, folder, log);
        };
        if (!compile_source(outcome.log)) return outcome;
        if (const std::string other = compilation.watching ? compilation.watching(outcome.log) : "";
            !other.empty()) {
            const std::string plain = read(assembly);
            write(source, other);
            std::string log;
            // Use the first version, without this check.
            if (!compile_source(log)) write(assembly, plain);
        }
        write(assembly,
              with_gaps_and_names(read(assembly), compilation.checked, compilation.dynamic_shared));
        // clang's assembler knows of the CPU's instructions only if it is told, too.
        Words link{compiler.command, "-march=native", "-shared", "-o", shared, assembly};
        if (!compilation.hooks.empty()) {
            write(folder / "hooks.o", hooks_object(compiler, compilation.hooks));
            link.push_back((folder / "hooks.o").string());
        }
        link.emplace_back("-lm");
        if (!step(link, folder, outcome.log)) return outcome;
    }
    if (messages.valid()) compilation.judge(messages.get());
    outcome.object = read(shared);
    cache.store(key, outcome.object);
    return outcome;
}

}  // namespace lanes::gpu::simulator
