#include "build.hpp"

#include "compiler_flags.hpp"
#include "front_end.hpp"
#include "scan.hpp"
#include "split.hpp"
#include "unsupported_libraries.hpp"

#include "gpu/backend.hpp"
#include "gpu/cache/disk_cache.hpp"
#include "gpu/cuda/compiler.hpp"
#include "gpu/simulator/object/elf.hpp"
#include "gpu/source/diagnostics.hpp"
#include "lanes/base/error.hpp"
#include "lanes/gpu/program.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

namespace lanes::gpu::whole_program {

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream content;
    content << file.rdbuf();
    return content.str();
}

void write(const fs::path& path, const std::string& content) {
    std::ofstream file(path, std::ios::binary);
    file << content;
    file.close();
    if (!file.good())
        throw Error("run_cuda_program: ", path.string(),
                    " cannot be written. Free some space there, or set TMPDIR.");
}

// A text without a file may have any name, such as that of a notebook's cell.
bool is_cuda(const SourceFile& file) {
    return !file.on_disk || fs::path(file.name).extension() == ".cu";
}

std::string folder_of(const std::string& name) {
    const fs::path folder = fs::path(name).parent_path();
    return folder.empty() ? "." : folder.string();
}

// Where liblanes.so is; the library behind CUDA's functions is beside it.
fs::path library_folder() {
    Dl_info info{};
    std::error_code failed;
    if (dladdr(reinterpret_cast<const void*>(&build), &info) && info.dli_fname)
        return fs::absolute(info.dli_fname, failed).parent_path();
    return ".";
}

// The same with and without an installed CUDA: its folder is not looked for, and launches are those
// of CUDA 9.2 and later (older versions of clang know 11.0 as well).
const Words cuda_language{"-x",
                          "cuda",
                          "--cuda-host-only",
                          "-nocudainc",
                          "-nocudalib",
                          "--cuda-path=/none",
                          "-Xclang",
                          "-target-sdk-version=11.0"};

// One file on its way.
struct Translation {
    SourceFile file;
    fs::path source;  // of the text, if it has no file of its own
    std::string object;
    std::string host;                // for .cu: without what the device alone needs
    std::string device;              // the whole text, preprocessed for the device
    std::vector<std::string> files;  // of which it was made
};

class Builder {
public:
    Builder(const BuildRequest& request, const fs::path& folder)
        : request_(request), flags_(sorted_flags(request.flags)), folder_(folder) {}

    BuiltProgram build() {
        for (const SourceFile& file : request_.files) translate(file);
        BuiltProgram program;
        for (const SourceFile& file : request_.files)
            if (!file.on_disk) program.manifest.texts.push_back({file.name, file.text});
        program.manifest.fast = request_.fast;
        program.manifest.runtime_folder = header_folder().string();
        compile_host(program);
        for (std::size_t i = 0; i < translations_.size(); ++i) add_unit(program, i);
        compile_device(program.manifest);
        return program;
    }

private:
    bool on_gpu() const { return !request_.architecture.empty(); }
    std::string architecture() const {
        return on_gpu() ? request_.architecture : Device::simulator().architecture();
    }

    std::string preprocessed(const Translation& translation, const Words& more) const {
        const fs::path result = folder_ / "preprocessed";
        Words words = is_cuda(translation.file) ? cuda_language : Words{"-x", "c++"};
        append(words, {"-E", flags_.standard, "-isystem", header_folder().string()});
        if (is_cuda(translation.file))
            append(words, {"-include", "cuda_runtime.h", "-D__CUDACC__=1", "-D__NVCC__=1"});
        append(words, flags_.preprocessor);
        append(words, more);
        if (!translation.file.on_disk) append(words, {"-I" + folder_of(translation.file.name)});
        append(words, {translation.source.string(), "-o", result.string()});
        run_clang(words, translation.file.name, translation.file.text, folder_);
        return read(result);
    }

    void translate(const SourceFile& file) {
        Translation translation;
        translation.file = file;
        translation.source = file.name;
        const std::string number = std::to_string(translations_.size());
        if (!file.on_disk) {
            translation.source = folder_ / ("text" + number + ".cu");
            write(translation.source, "# 1 \"" + file.name + "\"\n" + file.text);
        }
        const std::string host = preprocessed(translation, {});
        refuse_libraries(file, host);
        if (is_cuda(file)) {
            translation.host = host_text(host);
            translation.device =
                preprocessed(translation, {"-D__CUDA_ARCH__=" + architecture().substr(3) + "0"});
            translation.files = scan(translation.device).files;
        } else {
            translation.host = host;
        }
        translations_.push_back(std::move(translation));
    }

    // A library whose headers are installed: the compiler would find them.
    static void refuse_libraries(const SourceFile& file, const std::string& text) {
        for (const std::string& included : scan(text).files)
            if (const std::string refused = refused_header(included); !refused.empty())
                throw CudaCompileError("run_cuda_program: " + file.name + " does not compile.\n" +
                                           file.name + ": error: " + refused + ".",
                                       refused);
    }

    Words host_words(const Translation& translation) const {
        Words words = is_cuda(translation.file) ? cuda_language : Words{"-x", "c++"};
        append(words, {flags_.standard, "-c", "-O2", "-gline-tables-only", "-fPIE", "-fwrapv",
                       "-fno-strict-aliasing", "-fno-omit-frame-pointer", "-fno-caret-diagnostics",
                       "-ferror-limit=20", "-fno-color-diagnostics", "-fdebug-compilation-dir=.",
                       "-Wno-everything", "-Wunused-result"});
        if (is_cuda(translation.file))
            append(words,
                   {"-D__host__=__attribute__((host))", "-D__device__=__attribute__((device))",
                    "-D__global__=__attribute__((global))", "-D__shared__=__attribute__((shared))",
                    "-D__constant__=__attribute__((constant))",
                    "-D__managed__=__attribute__((managed))", "-D__launch_bounds__(...)=",
                    "-D__grid_constant__=", "-D__maxnreg__(...)=", "-D__cluster_dims__(...)=",
                    "-D__forceinline__=__inline__ __attribute__((always_inline))",
                    "-D__align__(n)=__attribute__((aligned(n)))"});
        append(words, flags_.compiler);
        return words;
    }

    static std::string host_file(std::size_t number) {
        return "host" + std::to_string(number) + ".cpp";
    }

    // The executable and what is known of its functions, from the cache if nothing has changed.
    void compile_host(BuiltProgram& program) {
        static const DiskCache cache("cuda_programs", ".bin");
        Words parts{clang_version(), library_folder().string()};
        append(parts, flags_.linker);
        for (const Translation& translation : translations_) {
            append(parts, host_words(translation));
            append(parts, {translation.file.name, translation.host});
        }
        const std::string key = DiskCache::key(parts);
        const std::size_t before = translations_.size() + 1;
        if (const auto kept = cache.load(key)) {
            Words texts = taken_apart(*kept);
            if (texts.size() >= before) {
                program.executable = std::move(texts[0]);
                for (std::size_t i = 0; i < translations_.size(); ++i)
                    translations_[i].object = std::move(texts[i + 1]);
                program.manifest.ignored.assign(texts.begin() + static_cast<std::ptrdiff_t>(before),
                                                texts.end());
                return;
            }
        }
        Words link;
        for (std::size_t i = 0; i < translations_.size(); ++i) {
            Translation& translation = translations_[i];
            const fs::path source = folder_ / host_file(i),
                           object = folder_ / ("host" + std::to_string(i) + ".o");
            write(source, translation.host);
            Words words = host_words(translation);
            append(words, {source.string(), "-o", object.string()});
            read_warnings(run_clang(words, translation.file.name, translation.file.text, folder_),
                          program.manifest.ignored);
            link.push_back(object.string());
            translation.object = read(object);
        }
        const fs::path executable = folder_ / "program";
        const std::string libraries = library_folder().string();
        append(link,
               {"-o", executable.string(), "-pie", "-L" + libraries, "-Wl,-rpath," + libraries,
                "-llanes_cuda_runtime", "-llanes", "-lm", "-pthread"});
#ifdef LANES_SANITIZE  // the libraries call the sanitizer, whose functions are in the executable
        append(link, {"-fsanitize=" LANES_SANITIZE});
#endif
        append(link, flags_.linker);
        const SourceFile& main = request_.files.front();
        run_clang(link, main.name, main.text, folder_);
        program.executable = read(executable);
        Words kept{program.executable};
        for (const Translation& translation : translations_) kept.push_back(translation.object);
        append(kept, program.manifest.ignored);
        cache.store(key, joined(kept));
    }

    static void read_warnings(const std::string& log, Words& ignored) {
        static const std::regex warning(R"(^(.*?:\d+):\d+: warning: ignoring return value.*$)");
        std::istringstream lines(log);
        for (std::string line; std::getline(lines, line);) {
            std::smatch found;
            if (std::regex_match(line, found, warning)) ignored.push_back(found[1]);
        }
    }

    // "void tile<float, 16>(float*, int)" -> "tile<float, 16>"
    static std::string expression_of(std::string text) {
        const std::string stub = "__device_stub__", unnamed = "(anonymous namespace)::";
        for (std::size_t at; (at = text.find(unnamed)) != std::string::npos;)
            text.erase(at, unnamed.size());
        for (std::size_t at; (at = text.find(stub)) != std::string::npos;)
            text.erase(at, stub.size());
        int depth = 0;
        std::size_t end = 0;
        for (; end < text.size(); ++end) {
            if (text[end] == '<') ++depth;
            if (text[end] == '>') --depth;
            if (text[end] == '(' && depth == 0) break;
        }
        text.resize(end);
        if (text.rfind("void ", 0) == 0) text.erase(0, 5);
        return text;
    }

    // "tile<Pixel, 16>" -> "tile", "Pixel", "16"
    static Words split_words(const std::string& expression) {
        static const std::regex word(R"(\w+)");
        return {std::sregex_token_iterator(expression.begin(), expression.end(), word), {}};
    }

    void add_unit(BuiltProgram& program, std::size_t number) {
        const Translation& translation = translations_[number];
        DeviceUnit unit;
        unit.name = translation.file.name;
        unit.host_file = host_file(number);
        const simulator::Elf elf(translation.object);
        Words arguments;  // of templates: types that the device's text may not mention
        std::map<std::string, std::map<std::uint64_t, std::size_t>> overloads;  // by address
        for (const auto& symbol : elf.symbols())
            if (symbol.section && symbol.name.find("__device_stub__") != std::string::npos) {
                unit.launchables.push_back(
                    {symbol.name, expression_of(simulator::demangled(symbol.name))});
                const std::string& expression = unit.launchables.back().expression;
                append(arguments, split_words(expression));
                if (symbol.file.empty() && expression.find('<') == std::string::npos)
                    overloads[expression][symbol.address] = unit.launchables.size() - 1;
            }
        const DeviceText device = device_text(translation.device, translation.file.name, arguments);
        if (!device.has_cuda_kernels) return;
        const Words first = first_lines(translation);
        // The program begins where its file begins, unless there is no room for these lines.
        std::size_t room = 0;
        while (room < first.size() && room < device.lines.size() && device.lines[room].line == 0)
            ++room;
        std::size_t skip = 0;
        for (std::size_t i = 0; i < room; ++i) skip = device.text.find('\n', skip) + 1;
        unit.lines = device.lines;
        unit.lines.insert(unit.lines.begin(), first.size() - room, SourcePlace{});
        for (const std::string& line : first) unit.text += line + "\n";
        unit.text += device.text.substr(skip);
        unit.flags = flags_.device;
        for (const auto& [name, numbers] : overloads)
            if (numbers.size() > 1) name_overloads(unit, name, numbers);
        program.manifest.units.push_back(std::move(unit));
    }

    // CUDA kernels are launched by their names, so that of several with one name all but the first
    // get another one. numbers: of their launchables; clang defines them in the order of the text.
    static void name_overloads(DeviceUnit& unit, const std::string& name,
                               const std::map<std::uint64_t, std::size_t>& numbers) {
        std::vector<Signature> definitions;
        for (const Signature& signature : read_declarations(unit.text, unit.flags).signatures)
            if (signature.qualified_name() == name && !signature.is_template)
                definitions.push_back(signature);
        if (definitions.size() != numbers.size())
            throw CudaCompileError("run_cuda_program: " + unit.name +
                                       ": several CUDA kernels have "
                                       "the name " +
                                       name + ". Give each a name of its own.",
                                   "");
        std::size_t next = 0;
        for (const auto& [address, number] : numbers) {
            const Signature& definition = definitions[next];
            if (++next == 1) continue;
            const std::string added = "_overload" + std::to_string(next);
            std::size_t at = 0;
            for (int line = 1; line < definition.line; ++line) at = unit.text.find('\n', at) + 1;
            const std::regex word("\\b" + definition.name + "(?=\\s*\\()");
            std::smatch found;
            const std::string rest = unit.text.substr(at);
            if (!std::regex_search(rest, found, word)) continue;
            unit.text.insert(at + static_cast<std::size_t>(found.position() + found.length()),
                             added);
            unit.launchables[number].expression += added;
        }
    }

    // What the device's text needs of headers that the preprocessor has already replaced.
    Words first_lines(const Translation& translation) const {
        Words lines{"#include <cstdint>"};
        for (const char* header : {"cooperative_groups.h", "cooperative_groups/reduce.h",
                                   "cuda_fp16.h", "limits", "type_traits"})
            for (const std::string& file : translation.files)
                if (const std::string end = std::string("/") + header;
                    file.size() > end.size() &&
                    file.compare(file.size() - end.size(), std::string::npos, end) == 0) {
                    lines.push_back(std::string("#include <") + header + ">");
                    break;
                }
        if (on_gpu())  // words of clang and g++, to which the preprocessor has expanded macros
            lines.insert(lines.end(), {"#define __extension__", "#define __null 0"});
        lines.emplace_back(
            on_gpu()
                ? "#define __assert_fail(what, file, line, function) __assertfail(what, file, "
                  "line, function, 1)"
                : "#define __assert_fail(what, file, line, function) lanes_assertion(what, file, "
                  "line)");
        return lines;
    }

    // Now, so that mistakes are found before the program runs. The result is in the cache when it
    // does.
    void compile_device(const Manifest& manifest) const {
        const Device simulator = Device::simulator(),
                     used = request_.fast ? simulator.fast() : simulator;
        for (const DeviceUnit& unit : manifest.units) try {
                const ProgramText program = program_text(unit, architecture());
                if (on_gpu())
                    cuda::cached_cubin(
                        {program, cuda::architecture_for(architecture()),
                         cuda::name_expressions(program,
                                                read_declarations(program.text, program.flags))});
                else
                    used.backend()->compile(program);
            } catch (const CudaCompileError& error) {
                throw CudaCompileError(
                    in_cuda_words(with_source_places(error.what(), unit.name, unit.lines)),
                    error.log());
            }
    }

    const BuildRequest& request_;
    Flags flags_;
    const fs::path& folder_;
    std::vector<Translation> translations_;
};

}  // namespace

ProgramText program_text(const DeviceUnit& unit, const std::string& architecture) {
    ProgramText program;
    program.text = unit.text;
    program.name = program.file = unit.name;
    program.flags = unit.flags;
    program.flags.push_back("--gpu-architecture=" + architecture);
    for (const Launchable& launchable : unit.launchables)
        if (launchable.expression.find('<') != std::string::npos)
            program.instances.push_back(launchable.expression);
    return program;
}

BuiltProgram build(const BuildRequest& request, const fs::path& work_folder) {
    return Builder(request, work_folder).build();
}

}  // namespace lanes::gpu::whole_program
