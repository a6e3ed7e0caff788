#include "program_run.hpp"

#include "magics_process.hpp"
#include "program_crash.hpp"
#include "sanitizer_report.hpp"
#include "session/base/signal_text.hpp"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Program.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <regex>
#include <sstream>

namespace xcpp_session {
namespace {

namespace fs = std::filesystem;

MagicOutcome failure(std::string ename, std::string evalue) {
    return {false, {}, std::move(ename), std::move(evalue)};
}

std::string line_of_file(const std::string& file, unsigned number) {
    std::ifstream stream(file);
    std::string line;
    for (unsigned i = 0; i < number; ++i)
        if (!std::getline(stream, line)) return {};
    return line;
}

// Takes the warnings about unknown pragmas out of the compiler's messages and gives the lines of
// source that they are about: `#pragma cling load("libx.so")` of a header or a cell. __CLING__ is
// defined, as in a cell, so that headers have them.
std::vector<std::string> take_pragmas(std::string& messages, const std::string& source) {
    static const std::regex warning(R"((.+):(\d+):\d+: warning: unknown pragma ignored.*)");
    static const std::regex count(R"(\d+ warnings? generated\.)");
    std::istringstream stream(messages);
    std::string kept, line, included;  // "In file included from …", before the message itself
    std::vector<std::string> pragmas;
    while (std::getline(stream, line)) {
        const llvm::StringRef start = llvm::StringRef(line).ltrim();
        if (start.starts_with("In file included from") || start.starts_with("from ")) {
            included += line + "\n";
            continue;
        }
        if (std::smatch found; std::regex_match(line, found, warning))
            pragmas.push_back(line_of_file(found[1], std::stoul(found[2])));
        else if (!std::regex_match(line, count))
            kept += included + line + "\n";
        included.clear();
    }
    messages = kept;
    // Those of cells are named by the cell's line, and are in the program's text.
    std::ifstream text(source);
    while (std::getline(text, line))
        if (line.find("#pragma cling") != std::string::npos) pragmas.push_back(line);
    return pragmas;
}

// The file of a library that a pragma names: beside one that the session has loaded, or "" if
// the linker should look for it.
std::string beside(const std::vector<std::string>& loaded, const std::string& name) {
    if (name.find('/') != std::string::npos) return name;
    for (const std::string& other : loaded)
        for (const std::string& file : {name, name + ".so", "lib" + name + ".so"}) {
            const fs::path path = fs::path(other).parent_path() / file;
            std::error_code none;
            if (path.is_absolute() && fs::exists(path, none)) return path.string();
        }
    return {};
}

void add_library(std::vector<std::string>& arguments, const std::string& file) {
    const std::string folder = fs::path(file).parent_path().string();
    arguments.push_back(file.find('/') == std::string::npos ? "-l:" + file : file);
    const std::string path = "-Wl,-rpath," + folder;
    if (!folder.empty() && std::find(arguments.begin(), arguments.end(), path) == arguments.end())
        arguments.push_back(path);
}

std::vector<std::string> link_arguments(const std::vector<std::string>& pragmas,
                                        const ProgramParts& parts) {
    std::vector<std::string> arguments = {"-pie", "-Wl,--as-needed", "-Wl,--allow-shlib-undefined"};
    // The functions that cells call to display a value.
    std::error_code none;
    const fs::path program = fs::read_symlink("/proc/self/exe", none);
    const fs::path display = program.parent_path().parent_path() / "lib/libxcpp_program.a";
    if (fs::exists(display, none)) arguments.push_back(display.string());
    static const std::regex load(R"re(.*#\s*pragma\s+cling\s+load\s*\(\s*"([^"]+)"\s*\).*)re");
    for (const std::string& pragma : pragmas) {
        std::smatch found;
        if (!std::regex_match(pragma, found, load)) continue;
        const std::string name = found[1], file = beside(parts.libraries, name);
        add_library(arguments, file.empty() ? name : file);
    }
    for (const std::string& file : parts.libraries) add_library(arguments, file);
    return arguments;
}

std::string missing_command(const std::string& name) {
    std::string text = "%%run: there is no command '" + name + "' on this machine.";
    if (name == "mpirun" || name == "mpiexec")
        text +=
            " It belongs to MPI: install openmpi-bin (Debian, Ubuntu), or load your cluster's "
            "MPI module before you start Jupyter.";
    else if (name == "srun" || name == "salloc")
        text += " It belongs to SLURM: start Jupyter on a machine of the cluster.";
    return text;
}

// Whether a word is one of these programs, in any folder: mpirun or /usr/bin/mpirun.openmpi.
bool names_one_of(const std::vector<std::string>& command,
                  std::initializer_list<llvm::StringRef> programs) {
    return std::any_of(command.begin(), command.end(), [&](const std::string& word) {
        const std::string stem = fs::path(word).stem().string();
        return std::find(programs.begin(), programs.end(), stem) != programs.end();
    });
}

// What Open MPI needs to start on a student's machine: it refuses root (as in a container) and more
// processes than cores. Its files go to our folder, where they are removed even if it is killed.
// In a job of SLURM or PBS there are as many processes as the job has asked for, possibly on other
// machines, which have no such folder; srun and the like take the variables there, perhaps from a
// script. A variable that is set already stays.
std::vector<std::string> environment_for(const std::vector<std::string>& command,
                                         const std::string& folder) {
    std::vector<std::string> variables;
    const auto add = [&](const std::string& name, const std::string& value) {
        if (!std::getenv(name.c_str())) variables.push_back(name + "=" + value);
    };
    if (::geteuid() == 0) {
        add("OMPI_ALLOW_RUN_AS_ROOT", "1");
        add("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    }
    if (std::getenv("SLURM_JOB_ID") || std::getenv("PBS_JOBID") ||
        names_one_of(command, {"srun", "salloc", "sbatch"}))
        return variables;
    add("OMPI_MCA_rmaps_base_oversubscribe", "1");                   // Open MPI 4
    add("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe");  // Open MPI 5
    if (!names_one_of(command, {"mpirun", "mpiexec", "orterun", "prterun"})) return variables;
    add("OMPI_MCA_orte_tmpdir_base", folder);
    add("PRTE_MCA_prte_tmpdir_base", folder);
    add("OMPI_MCA_btl_vader_backing_directory", folder);
    add("OMPI_MCA_btl_sm_backing_directory", folder);
    return variables;
}

struct Built {
    MagicOutcome outcome;  // its output is what the compiler has warned of
    std::string program;
};

// start: the first lines of the program's text; flags: for compiler and linker.
Built build(const Magic& magic, const ProgramParts& parts, const ScratchFolder& folder,
            const std::string& start, const std::vector<std::string>& flags) {
    const std::string source = folder.path() + "/cell.cpp", object = folder.path() + "/cell.o",
                      program = folder.path() + "/program";
    std::ofstream(source) << start << program_source(magic, parts);
    std::vector<std::string> compile = {
        "-D__CLING__", "-gline-tables-only", "-Wunknown-pragmas", "-c", source, "-o", object};
    compile.insert(compile.end(), flags.begin(), flags.end());
    MagicOutcome built = run_compiler(parts, compile, folder);
    const std::vector<std::string> pragmas = take_pragmas(built.output, source);
    if (!built.ok) return {built, program};
    std::vector<std::string> link = link_arguments(pragmas, parts);
    link.insert(link.begin(), {object, "-o", program});
    link.insert(link.end(), flags.begin(), flags.end());
    MagicOutcome linked = run_compiler(parts, link, folder);
    if (linked.ename == "CompileError") {
        linked.ename = "LinkError";
        const std::size_t undefined = linked.output.find("undefined ");
        if (undefined != std::string::npos)
            linked.evalue =
                linked.output.substr(undefined, linked.output.find('\n', undefined) - undefined);
    }
    return {linked.ok ? built : linked, program};
}

std::string end_text(const ProcessEnd& end) {
    return end.signal > 0 ? signal_text(end.signal) : "exit status " + std::to_string(end.status);
}

// That of the compiler: an older one cannot read its debug information.
std::string symbolizer() {
    for (const char* name : {"llvm-symbolizer-19", "llvm-symbolizer"})
        if (const auto found = llvm::sys::findProgramByName(name)) return *found;
    return {};
}

// Tells the thread sanitizer which threads of OpenMP wait for each other: without it, all that
// different loops do is a race. OpenMP's own library is not instrumented.
std::string openmp_tool() {
    std::error_code error;
    const fs::path tool =
        fs::canonical(symbolizer(), error).parent_path().parent_path() / "lib/libarcher.so";
    return fs::exists(tool, error) ? tool.string() : "";
}

std::string in_words(const std::vector<std::string>& command) {
    std::string text;
    for (const std::string& word : command) text += (text.empty() ? "" : " ") + word;
    return text.empty() ? "the program" : text;
}

}  // namespace

MagicOutcome run_program(const Magic& magic, const ProgramParts& parts,
                         const std::map<int, std::string>& sources) {
    const std::vector<std::string>& command = magic.words;
    if (!command.empty() && !llvm::sys::findProgramByName(command[0]))
        return failure("MagicError", missing_command(command[0]));
    const ScratchFolder folder;
    if (!folder.error().empty()) return failure("FileError", folder.error());
    const std::string start = "#define XCPP_RUN_FOLDER \"" + folder.path() + "\"\n" +
                              (magic.tagged ? "#define XCPP_RUN_TAG\n" : "") +
                              "#include \"xcpp/run.hpp\"\n";
    const Built built = build(magic, parts, folder, start, {});
    if (!built.outcome.ok) return built.outcome;
    const std::string mark = "XCPP_RUN=" + folder.path();
    ProcessPlan plan;
    plan.arguments = command;
    plan.arguments.push_back(built.program);
    plan.arguments.insert(plan.arguments.end(), magic.program_arguments.begin(),
                          magic.program_arguments.end());
    plan.environment = environment_for(command, folder.path());
    plan.environment.push_back(mark);
    plan.starts_others = true;
    plan.keeps_last_words = true;
    const ProcessEnd end = run_process(plan, parts.interrupted);
    kill_processes_with(mark);
    if (end.interrupted) return failure("Interrupted", "the program was interrupted");
    if (!end.error.empty())
        return failure("MagicError", "cannot start " + plan.arguments[0] + ": " + end.error);
    if (MagicOutcome crash = describe_crashes(folder.path(), built.program, sources); !crash.ok)
        return crash;
    if (end.status == 0) return built.outcome;
    if (MagicOutcome killed = describe_killed_rank(end.last_words); !killed.ok) return killed;
    if (MagicOutcome slots = describe_missing_slots(end.last_words); !slots.ok) return slots;
    return failure("ProgramError", in_words(command) + ": " + end_text(end));
}

MagicOutcome run_sanitized(const Magic& magic, const ProgramParts& parts, Sanitizer sanitizer,
                           bool shows_output) {
    const ScratchFolder folder;
    if (!folder.error().empty()) return failure("FileError", folder.error());
    const bool threads = sanitizer == Sanitizer::thread;
    // -fno-builtin: the optimiser may otherwise remove memory that the program does not need, and a
    // wrong access to it with it.
    const Built built = build(magic, parts, folder, "",
                              {threads ? "-fsanitize=thread" : "-fsanitize=address", "-O1",
                               "-fno-builtin", "-fno-omit-frame-pointer"});
    if (!built.outcome.ok) return built.outcome;
    const std::string report = folder.path() + "/report", mark = "XCPP_RUN=" + folder.path();
    ProcessPlan plan;
    // A sanitizer reserves far more memory than it uses, more than a session may.
    plan.arguments = {"/bin/sh", "-c", "ulimit -S -d unlimited; exec \"$0\" \"$@\"", built.program};
    plan.arguments.insert(plan.arguments.end(), magic.program_arguments.begin(),
                          magic.program_arguments.end());
    plan.environment = {(threads ? "TSAN_OPTIONS=ignore_noninstrumented_modules=1,log_path="
                                 : "ASAN_OPTIONS=detect_leaks=0,log_path=") +
                            report + ",external_symbolizer_path=" + symbolizer(),
                        mark};
    if (const std::string tool = openmp_tool(); threads && !tool.empty())
        plan.environment.push_back("OMP_TOOL_LIBRARIES=" + tool);
    plan.starts_others = true;
    if (!shows_output) plan.output = "/dev/null";
    const ProcessEnd end = run_process(plan, parts.interrupted);
    kill_processes_with(mark);
    if (end.interrupted) return failure("Interrupted", "the program was interrupted");
    if (!end.error.empty()) return failure("MagicError", "cannot start the program: " + end.error);
    std::string text;
    for (fs::directory_iterator file(folder.path()), last; file != last; ++file)
        if (file->path().filename().string().rfind("report.", 0) == 0) {
            std::ostringstream stream;
            stream << std::ifstream(file->path()).rdbuf();
            text += stream.str();
        }
    if (MagicOutcome found = describe_report(text); !found.ok) return found;
    if (end.status != 0) return failure("ProgramError", "the program: " + end_text(end));
    return {true, built.outcome.output +
                      (threads ? "The thread sanitizer" : "The address sanitizer") +
                      " found nothing in this run.\n"};
}

}  // namespace xcpp_session
