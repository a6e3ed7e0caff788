#include "disassembly.hpp"
#include "interpreter_parts.hpp"

#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "clang/Serialization/ASTReader.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/TargetSelect.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace xcpp_session {
namespace {

constexpr const char* start_text = R"(#include "xcpp/preamble.hpp"
extern "C" void xcpp_step(int);
extern "C" void xcpp_who_row(const char* name, const char* type, int cell, const char* value,
                             long size, long elements);
template <class T> auto xcpp_who_elements(const T& x, int) -> decltype(static_cast<long>(x.size())) {
    return static_cast<long>(x.size());
}
template <class T> long xcpp_who_elements(const T&, long) { return -1; }
)";

}  // namespace

Interpreter::Interpreter(const InterpreterOptions& options) : parts_(std::make_unique<Parts>()) {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::InitializeNativeTargetAsmParser();  // for asm in cells
    llvm::InitializeNativeTargetDisassembler();
    Parts& parts = *parts_;
    std::vector<std::string> arguments = options.arguments;
    parts.arguments = arguments;
    parts.note_unknown(arguments);
    const auto warnings = warning_flags();
    arguments.insert(arguments.end(), warnings.begin(), warnings.end());
    // In this order: -gdwarf-4 alone asks for full debug information, of every type that a cell
    // mentions.
    arguments.insert(arguments.end(),
                     {"-Xclang", "-disable-llvm-passes", "-gdwarf-4", "-gline-tables-only"});
    // A local array that is larger than the stack would else be written where something else lies.
    arguments.emplace_back("-fstack-clash-protection");
    const bool with_pch = !options.pch.empty() && options.pch_problem.empty() &&
                          access(options.pch.c_str(), R_OK) == 0;
    if (with_pch) {
        auto more = arguments;
        more.insert(more.end(), {"-include-pch", options.pch});
        if (!parts.create(more)) options.on_bad_pch(parts.jit_errors);
    } else {
        const std::string problem =
            options.pch_problem.empty() ? "it is not there" : options.pch_problem;
        if (!options.header_problem.empty())
            parts.notes.push_back("Headers that every cell has by itself do not compile (" +
                                  options.header_problem +
                                  "): cells have only what they include. Correct the header, then "
                                  "run `make build` to precompile it again.");
        else if (!options.pch.empty())
            parts.notes.push_back("The precompiled header " + options.pch + " cannot be used (" +
                                  problem + "): this start and cells that include much are slow. " +
                                  options.pch_advice);
        if (!parts.create(arguments))
            throw std::runtime_error("clang does not start: " + parts.jit_errors);
    }

    parts.on_error = options.on_error;
    parts.compile_only = options.compile_only;
    auto& compiler = parts.compiler();
    compiler.getDiagnostics().setClient(&parts.collector, false);
    // clang 19 complains for ever about text that it cannot get out of; exceptions pass through it,
    // and the copy takes over.
    parts.collector.give_up = [&parts] { throw CompileFailed(parts.collector.take()); };
    for (const auto& library : options.instantiations)
        parts.known.add_library(dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL));
    parts.skipped = std::make_unique<SkippedInstantiations>(compiler.getSema(), parts.known);
    if (auto reader = compiler.getASTReader()) {
        parts.forwarder = std::make_unique<Forwarder>(compiler, *parts.skipped);
        reader->StartTranslationUnit(parts.forwarder.get());
    }
    parts.names = std::make_unique<SessionNames>(compiler);
    parts.machine = make_target_machine(compiler, true);
    parts.quick_machine = make_target_machine(compiler, false);
    parts.hook_into_jit();
    parts.pragmas.cling = [this](const std::string& verb, const std::string& argument) {
        return parts_->on_cling_pragma(*this, verb, argument);
    };
    parts.pragmas.xcpp = [this](const std::string& word, int number,
                                const std::vector<std::string>& names) {
        if (word == "declared") parts_->names->declared();
        if (word == "reopened") parts_->names->reopened(names);
        if (word == "step") parts_->names->step(number);
        if (word == "preferred") parts_->names->show_preferred();
        if (word == "branch") parts_->branches.push_back(number);
        if (word == "end") parts_->skipped->instantiate_the_rest();
    };
    add_pragmas(compiler.getPreprocessor(), parts.pragmas);

    for (const auto& library : options.libraries) {
        load_library(library);
        // #pragma cling load finds what lies beside it
        parts_->library_paths.push_back(std::filesystem::path(library).parent_path().string());
    }

    std::vector<CodeLine> lines;
    if (!with_pch && options.header_problem.empty() && !options.pch_header.empty() &&
        access(options.pch_header.c_str(), R_OK) == 0) {
        try {
            compile("#include \"" + options.pch_header + "\"\n", 0, 0, "", {}, true, lines);
        } catch (const CompileFailed&) {
            if (!options.on_bad_header) throw;
            options.on_bad_header(problem_while_loading());
        }
    }
    compile(start_text, 0, 0, "", {}, true, lines);
}

Interpreter::~Interpreter() = default;

Interpreter::Entry Interpreter::compile(
    const std::string& text, int unit, int cell, const std::string& cell_text,
    const std::function<unsigned(unsigned, unsigned)>& map_column, bool once,
    std::vector<CodeLine>& lines) {
    Parts& parts = *parts_;
    parts.collector.begin(cell, cell_text);
    parts.collector.map_column = map_column;
    parts.names->begin_unit(unit, cell);
    parts.skipped->begin_unit(once);
    // clang 19 sometimes crashes after it has found an error: the error is what the user needs.
    parts.collector.after_error = [&parts, cell, loading = unit == 0] {
        const auto& findings = parts.collector.findings();
        if (loading && has_errors(findings)) note_problem_while_loading(findings.front());
        if (has_errors(findings) && parts.on_error)
            parts.on_error(render_errors(findings, parts.collector.cell_text(), cell).evalue);
    };
    // Behind a ; of its own: clang reads one token ahead, and the last declaration must be
    // complete.
    auto& parsed = parts.parse(text + "\n#line 1 \"xcpp\"\n;\n#pragma xcpp end\n;\n");
    parts.collector.after_error = {};
    const Parts::Function entry = parts.finish(parsed, unit, unit > 0);
    parts.patch_stand_ins();
    parts.place_lines(lines);
    if (parts.pending_initialisers.empty()) return entry;
    return [before = std::exchange(parts.pending_initialisers, {}), entry] {
        for (const auto function : before) function();
        entry();
    };
}

void Interpreter::warm_up(const std::string& statements) {
    static int count = 0;
    std::vector<CodeLine> lines;
    compile("inline namespace __xcpp_warm_up" + std::to_string(++count) +
                " {\nvoid __xcpp_warm_up() {\n" + statements + "\n}\n}\n",
            0, 0, "", {}, true, lines);
}

bool Interpreter::has_precompiled_header() const { return parts_->forwarder != nullptr; }

std::vector<Finding> Interpreter::take_findings() { return parts_->collector.take(); }

void Interpreter::parse_and_forget(const std::string& text) {
    parts_->collector.begin(0, "");
    parts_->compiler().getDiagnostics().Reset(true);
    parts_->empty_last_scope();
    auto parsed = parts_->interpreter->Parse(text);
    if (!parsed) llvm::consumeError(parsed.takeError());
}

std::vector<int> Interpreter::branches_taken(const std::string& text, int cell,
                                             const std::string& cell_text) {
    parts_->branches.clear();
    parts_->collector.begin(cell, cell_text);
    parts_->collector.map_column = {};
    parts_->skipped->begin_unit(false);
    auto& parsed = parts_->parse(text + "\n#line 1 \"xcpp\"\n;\n#pragma xcpp end\n;\n");
    const auto& module = *parsed.TheModule;
    const auto defined = [](const auto& all) {
        return std::any_of(all.begin(), all.end(),
                           [](const auto& one) { return !one.isDeclaration(); });
    };
    if (defined(module.functions()) || defined(module.globals()))
        parts_->pending_initialisers.push_back(parts_->finish(parsed, 0, true));
    return parts_->branches;
}

clang::CompilerInstance& Interpreter::compiler() { return parts_->compiler(); }
clang::ASTContext& Interpreter::syntax_tree() { return compiler().getASTContext(); }
SessionNames& Interpreter::names() { return *parts_->names; }
const std::vector<std::string>& Interpreter::notes() const { return parts_->notes; }
const std::vector<std::string>& Interpreter::arguments() const { return parts_->arguments; }

const void* Interpreter::address_of(const clang::FunctionDecl* function) {
    const void* address = parts_->find(parts_->mangled(function));
    parts_->jit_errors.clear();
    return address;
}

std::vector<FunctionCode> Interpreter::machine_code(const clang::FunctionDecl* function) {
    const std::string symbol = parts_->versions.newest(parts_->mangled(function));
    for (auto object = parts_->objects.rbegin(); object != parts_->objects.rend(); ++object)
        if (auto code = disassemble(**object, symbol, *parts_->machine); !code.empty()) return code;
    return {};
}

void Interpreter::load_library(const std::string& name) {
    namespace fs = std::filesystem;
    std::vector<std::string> names = {name};
    if (fs::path(name).extension() != ".so" && name.find(".so.") == std::string::npos) {
        const std::string file = fs::path(name).filename().string() + ".so";
        names.push_back(name + ".so");
        if (file.compare(0, 3, "lib") != 0)
            names.push_back((fs::path(name).parent_path() / ("lib" + file)).string());
    }
    std::vector<std::string> places;
    for (const auto& candidate : names) {
        if (candidate.find('/') == std::string::npos)
            for (const auto& folder : parts_->library_paths)
                places.push_back((fs::path(folder) / candidate).string());
        places.push_back(candidate);
    }
    std::string tried;
    for (const auto& place : places) {
        if (dlopen(place.c_str(), RTLD_NOW | RTLD_GLOBAL)) {
            parts_->libraries.push_back(place);
            return;
        }
        tried += std::string("\n  ") + dlerror();
    }
    throw LinkFailed("cannot load the library \"" + name + "\". Tried:" + tried);
}

const std::vector<std::string>& Interpreter::libraries() const { return parts_->libraries; }

void Interpreter::add_include_path(const std::string& folder) {
    auto& compiler = parts_->compiler();
    auto entry = compiler.getFileManager().getOptionalDirectoryRef(folder);
    if (!entry) throw LinkFailed("there is no folder \"" + folder + "\" to include from");
    compiler.getPreprocessor().getHeaderSearchInfo().AddSearchPath(
        clang::DirectoryLookup(*entry, clang::SrcMgr::C_User, false), true);
}

}  // namespace xcpp_session
