#include "interpreter.hpp"

#include "code_lines.hpp"
#include "diagnostics_collector.hpp"
#include "initialisers.hpp"
#include "known_templates.hpp"
#include "pragmas.hpp"
#include "spared_functions.hpp"
#include "strong_symbols.hpp"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/AST/Mangle.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Driver/Options.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Interpreter/Interpreter.h"
#include "clang/Interpreter/PartialTranslationUnit.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "clang/Serialization/ASTReader.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/ObjectTransformLayer.h"
#include "llvm/IR/Module.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <utility>

namespace xcpp_session {
namespace {

// clang 19 does not pass the declarations of a PCH on to code generation: "Symbols not found" for its inline functions.
class Forwarder : public clang::ASTConsumer {
public:
    Forwarder(clang::CompilerInstance& compiler, SparedFunctions& spared) : compiler_(compiler), spared_(spared) {}

    void HandleInterestingDecl(clang::DeclGroupRef group) override {
        for (auto* declaration : group)
            if (auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) spared_.add(function);
        compiler_.getASTConsumer().HandleTopLevelDecl(group);
    }

private:
    clang::CompilerInstance& compiler_;
    SparedFunctions& spared_;
};

char loading_problem[512] = "clang crashed on it";

constexpr const char* start_text = R"(#include "xcpp/preamble.hpp"
extern "C" void xcpp_step(int);
extern "C" void xcpp_who_row(const char* name, const char* type, int cell, const char* value);
)";

}  // namespace

const char* problem_while_loading() { return loading_problem; }

struct Interpreter::Parts {
    using Function = void (*)();

    // What outlives the interpreter: while it is taken down, it compiles what never ran, and reports.
    DiagnosticCollector collector;
    PragmaActions pragmas;
    std::vector<ObjectLine> object_lines;
    std::string jit_errors;
    std::unique_ptr<clang::Interpreter> interpreter;
    std::unique_ptr<Forwarder> forwarder;
    std::unique_ptr<llvm::TargetMachine> machine;
    std::unique_ptr<SessionNames> names;
    KnownTemplates known;
    std::unique_ptr<SparedFunctions> spared;
    StrongSymbols strong;
    std::vector<std::string> arguments, notes, library_paths;
    std::vector<int> branches;
    std::vector<Function> ahead;  // initialisers of headers that branches_taken has read
    std::function<void(const std::string&)> on_error;

    // clang's driver passes over what it does not know; a user who mistyped a flag wants to hear of it.
    void note_unknown(const std::vector<std::string>& given) {
        std::vector<const char*> words;
        words.reserve(given.size());
        for (const auto& argument : given) words.push_back(argument.c_str());
        unsigned missing_at = 0, missing = 0;
        const auto list = clang::driver::getDriverOptTable().ParseArgs(words, missing_at, missing, llvm::opt::Visibility(clang::driver::options::ClangOption));
        for (const auto* argument : list.filtered(clang::driver::options::OPT_UNKNOWN))
            notes.push_back("The compiler does not know the argument " + argument->getAsString(list) + ": it is left out.");
    }

    bool create(const std::vector<std::string>& with) {
        std::vector<const char*> words;
        words.reserve(with.size());
        for (const auto& argument : with) words.push_back(argument.c_str());
        clang::IncrementalCompilerBuilder builder;
        builder.SetCompilerArgs(words);
        auto compiler = builder.CreateCpp();
        if (!compiler) {
            jit_errors = llvm::toString(compiler.takeError());
            return false;
        }
        collector.begin(0, "");
        (*compiler)->getDiagnostics().setClient(&collector, false);
        // The user's own headers are read and never mapped: they may be edited while clang still wants to show their old text.
        (*compiler)->createFileManager();
        (*compiler)->setSourceManager(new clang::SourceManager((*compiler)->getDiagnostics(), (*compiler)->getFileManager(), true));
        collector.after_error = [this] { std::snprintf(loading_problem, sizeof loading_problem, "%s", collector.findings().back().message.c_str()); };
        auto created = clang::Interpreter::create(std::move(*compiler));
        collector.after_error = {};
        if (!created) {
            jit_errors = llvm::toString(created.takeError());
            return false;
        }
        if (has_errors(collector.findings())) {
            jit_errors = collector.findings().front().message;
            (void)created->release();  // NOLINT(bugprone-unused-return-value): clang 19 crashes while it takes a half-built one down
            return false;
        }
        interpreter = std::move(*created);
        return true;
    }

    clang::CompilerInstance& compiler() { return *interpreter->getCompilerInstance(); }

    void hook_into_jit() {
        auto jit = interpreter->getExecutionEngine();
        if (!jit) throw std::runtime_error("the JIT does not start: " + llvm::toString(jit.takeError()));
        jit->getExecutionSession().setErrorReporter([this](llvm::Error error) { jit_errors += llvm::toString(std::move(error)) + "\n"; });
        jit->getObjTransformLayer().setTransform([this](std::unique_ptr<llvm::MemoryBuffer> object) -> llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> {
            auto lines = read_object_lines(object->getMemBufferRef());
            object_lines.insert(object_lines.end(), lines.begin(), lines.end());
            return object;
        });
    }

    clang::PartialTranslationUnit& parse(const std::string& text) {
        // An error of an earlier parse would make clang refuse this one.
        compiler().getDiagnostics().Reset(true);
        auto parsed = interpreter->Parse(text);
        if (!parsed) {
            const std::string words = llvm::toString(parsed.takeError());
            auto findings = collector.take();
            if (!has_errors(findings)) {
                Finding unknown;
                unknown.message = words;
                findings.push_back(unknown);
            }
            throw CompileFailed(std::move(findings));
        }
        if (has_errors(collector.findings())) throw CompileFailed(collector.take());
        return *parsed;
    }

    void* find(const std::string& mangled) {
        auto address = interpreter->getSymbolAddress(mangled);
        if (!address) {
            jit_errors += llvm::toString(address.takeError()) + "\n";
            return nullptr;
        }
        return address->toPtr<void*>();
    }

    Function link(clang::PartialTranslationUnit& parsed, const std::string& entry) {
        jit_errors.clear();
        object_lines.clear();
        if (auto error = interpreter->Execute(parsed)) throw LinkFailed(jit_errors + llvm::toString(std::move(error)));
        void* address = find(entry);
        if (!address) throw LinkFailed(jit_errors);
        return reinterpret_cast<Function>(address);
    }

    // Who reserves much memory moves later cells away from earlier ones, further than a direct address reaches (2 GB; 4 GB on aarch64). clang takes what is
    // hidden for near, as is __dso_handle of every variable with a destructor; by way of the table of addresses nothing is too far.
    static void reach_far(llvm::Module& module) {
        for (auto& value : module.global_values()) {
            if (!value.isDeclaration()) continue;
            value.setVisibility(llvm::GlobalValue::DefaultVisibility);
            value.setDSOLocal(false);
        }
    }

    // From what was parsed to machine code. The function runs the initialisers.
    Function finish(clang::PartialTranslationUnit& parsed, int unit) {
        static int compiled = 0;
        const std::string entry = "__xcpp_entry_" + std::to_string(++compiled);
        known.cut(*parsed.TheModule);
        strong.arrange(*parsed.TheModule, unit);
        gather_initialisers(*parsed.TheModule, entry);
        optimise(*parsed.TheModule, *machine);
        known.learn(*parsed.TheModule);
        reach_far(*parsed.TheModule);
        return link(parsed, entry);
    }

    // Functions that earlier cells called before they were defined, and that this unit defines.
    void patch_stand_ins() {
        const auto patch = [this](const std::string& target, void* function) {
            if (auto* place = static_cast<void**>(find(target)); place && function) *place = function;
        };
        for (const auto& [target, function] : strong.take_patches()) patch(target, find(function));
        for (const auto& [declared, defined] : names->late_definitions()) {
            const std::string symbol = mangled(declared);
            if (strong.has_stand_in(symbol)) patch(StrongSymbols::target_of(symbol), find(mangled(defined)));
        }
    }

    std::string mangled(const clang::FunctionDecl* function) {
        std::unique_ptr<clang::MangleContext> names_of(compiler().getASTContext().createMangleContext());
        std::string text;
        llvm::raw_string_ostream stream(text);
        names_of->mangleName(clang::GlobalDecl(function), stream);
        return text;
    }

    void place_lines(std::vector<CodeLine>& lines) {
        std::string function;
        std::uint64_t base = 0;
        for (const auto& line : object_lines) {
            if (line.function != function) {
                function = line.function;
                base = reinterpret_cast<std::uint64_t>(find(function));
            }
            if (base != 0) lines.push_back({base + static_cast<std::uint64_t>(line.offset), line.cell, line.line});
        }
    }

    std::string on_cling_pragma(Interpreter& self, const std::string& verb, const std::string& argument) {
        try {
            if (verb == "load") self.load_library(argument);
            if (verb == "add_include_path") self.add_include_path(argument);
            if (verb == "add_library_path") library_paths.push_back(argument);
        } catch (const std::exception& error) {
            return error.what();
        }
        return {};
    }
};

Interpreter::Interpreter(const InterpreterOptions& options) : parts_(std::make_unique<Parts>()) {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::InitializeNativeTargetAsmParser();  // for asm in cells
    Parts& parts = *parts_;
    std::vector<std::string> arguments = options.arguments;
    parts.arguments = arguments;
    parts.note_unknown(arguments);
    const auto warnings = warning_flags();
    arguments.insert(arguments.end(), warnings.begin(), warnings.end());
    // In this order: -gdwarf-4 alone asks for full debug information, of every type that a cell mentions.
    arguments.insert(arguments.end(), {"-Xclang", "-disable-llvm-passes", "-gdwarf-4", "-gline-tables-only"});
    const bool with_pch = !options.pch.empty() && options.pch_problem.empty() && access(options.pch.c_str(), R_OK) == 0;
    if (with_pch) {
        auto more = arguments;
        more.insert(more.end(), {"-include-pch", options.pch});
        if (!parts.create(more)) options.on_bad_pch(parts.jit_errors);
    } else {
        const std::string problem = options.pch_problem.empty() ? "it is not there" : options.pch_problem;
        if (!options.pch.empty())
            parts.notes.push_back("The precompiled header " + options.pch + " cannot be used (" + problem +
                                  "): this start and cells that include much are slow. `make build` builds it again.");
        if (!parts.create(arguments)) throw std::runtime_error("clang does not start: " + parts.jit_errors);
    }

    parts.on_error = options.on_error;
    auto& compiler = parts.compiler();
    compiler.getDiagnostics().setClient(&parts.collector, false);
    // clang 19 complains for ever about text that it cannot get out of; exceptions pass through it, and the copy takes over.
    parts.collector.give_up = [&parts] { throw CompileFailed(parts.collector.take()); };
    for (const auto& library : options.instantiations)
        parts.known.add_library(dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL), KnownTemplates::Use::everything);
    parts.spared = std::make_unique<SparedFunctions>(compiler.getSema(), parts.known);
    if (auto reader = compiler.getASTReader()) {
        parts.forwarder = std::make_unique<Forwarder>(compiler, *parts.spared);
        reader->StartTranslationUnit(parts.forwarder.get());
    }
    parts.names = std::make_unique<SessionNames>(compiler);
    parts.machine = make_target_machine(compiler);
    parts.hook_into_jit();
    parts.pragmas.cling = [this](const std::string& verb, const std::string& argument) { return parts_->on_cling_pragma(*this, verb, argument); };
    parts.pragmas.xcpp = [this](const std::string& word, int number) {
        if (word == "declared") parts_->names->declared();
        if (word == "step") parts_->names->step(number);
        if (word == "branch") parts_->branches.push_back(number);
        if (word == "end") parts_->spared->instantiate_the_rest();
    };
    add_pragmas(compiler.getPreprocessor(), parts.pragmas);

    for (const auto& library : options.libraries) load_library(library);
    parts.known.add_library(dlopen(nullptr, RTLD_NOW), KnownTemplates::Use::variables_only);

    std::vector<CodeLine> lines;
    if (!with_pch && !options.pch_header.empty() && access(options.pch_header.c_str(), R_OK) == 0)
        compile("#include \"" + options.pch_header + "\"\n", 0, 0, "", {}, lines);
    compile(start_text, 0, 0, "", {}, lines);
}

Interpreter::~Interpreter() = default;

Interpreter::Entry Interpreter::compile(const std::string& text, int unit, int cell, const std::string& cell_text,
                                        const std::function<unsigned(unsigned, unsigned)>& map_column, std::vector<CodeLine>& lines) {
    Parts& parts = *parts_;
    parts.collector.begin(cell, cell_text);
    parts.collector.map_column = map_column;
    parts.names->begin_unit(unit, cell);
    parts.spared->begin_unit(runs_once(cell_text));  // our own text, where there is no cell, repeats nothing
    // clang 19 sometimes crashes after it has found an error: the error is what the user needs.
    parts.collector.after_error = [&parts] {
        const auto& findings = parts.collector.findings();
        if (has_errors(findings) && parts.on_error) parts.on_error(render_errors(findings, parts.collector.cell_text()).evalue);
    };
    // Behind a ; of its own: clang reads one token ahead, and the last declaration must be complete.
    auto& parsed = parts.parse(text + "\n#line 1 \"xcpp\"\n;\n#pragma xcpp end\n;\n");
    parts.collector.after_error = {};
    const Parts::Function entry = parts.finish(parsed, unit);
    parts.patch_stand_ins();
    parts.place_lines(lines);
    if (parts.ahead.empty()) return entry;
    return [before = std::exchange(parts.ahead, {}), entry] {
        for (const auto function : before) function();
        entry();
    };
}

void Interpreter::read_ahead(const std::string& statements) {
    static int count = 0;
    std::vector<CodeLine> lines;
    compile("inline namespace __xcpp_ahead" + std::to_string(++count) + " {\nvoid __xcpp_ahead() {\n" + statements + "\n}\n}\n", 0, 0, "", {}, lines);
}

bool Interpreter::has_precompiled_header() const { return parts_->forwarder != nullptr; }

std::vector<Finding> Interpreter::take_findings() { return parts_->collector.take(); }

void Interpreter::parse_and_forget(const std::string& text) {
    parts_->collector.begin(0, "");
    parts_->compiler().getDiagnostics().Reset(true);
    auto parsed = parts_->interpreter->Parse(text);
    if (!parsed) llvm::consumeError(parsed.takeError());
}

std::vector<int> Interpreter::branches_taken(const std::string& text, int cell, const std::string& cell_text) {
    parts_->branches.clear();
    parts_->collector.begin(cell, cell_text);
    parts_->collector.map_column = {};
    parts_->spared->begin_unit(false);
    auto& parsed = parts_->parse(text + "\n#line 1 \"xcpp\"\n;\n#pragma xcpp end\n;\n");
    const auto& module = *parsed.TheModule;
    const auto defined = [](const auto& all) { return std::any_of(all.begin(), all.end(), [](const auto& one) { return !one.isDeclaration(); }); };
    if (defined(module.functions()) || defined(module.globals())) parts_->ahead.push_back(parts_->finish(parsed, 0));
    return parts_->branches;
}

clang::CompilerInstance& Interpreter::compiler() { return parts_->compiler(); }
SessionNames& Interpreter::names() { return *parts_->names; }
const std::vector<std::string>& Interpreter::notes() const { return parts_->notes; }
const std::vector<std::string>& Interpreter::arguments() const { return parts_->arguments; }

const void* Interpreter::address_of(const clang::FunctionDecl* function) {
    const void* address = parts_->find(parts_->mangled(function));
    parts_->jit_errors.clear();
    return address;
}

void Interpreter::load_library(const std::string& name) {
    namespace fs = std::filesystem;
    std::vector<std::string> tried;
    std::vector<std::string> names = {name};
    if (fs::path(name).extension() != ".so" && name.find(".so.") == std::string::npos) {
        names.push_back(name + ".so");
        if (fs::path(name).filename().string().compare(0, 3, "lib") != 0)
            names.push_back((fs::path(name).parent_path() / ("lib" + fs::path(name).filename().string() + ".so")).string());
    }
    for (const auto& candidate : names) {
        std::vector<std::string> places;
        if (candidate.find('/') == std::string::npos)
            for (const auto& folder : parts_->library_paths) places.push_back((fs::path(folder) / candidate).string());
        places.push_back(candidate);
        for (const auto& place : places) {
            if (void* handle = dlopen(place.c_str(), RTLD_NOW | RTLD_GLOBAL)) {
                parts_->known.add_library(handle, KnownTemplates::Use::variables_only);
                return;
            }
            tried.emplace_back(dlerror());
        }
    }
    std::string text = "cannot load the library \"" + name + "\". Tried:";
    for (const auto& one : tried) text += "\n  " + one;
    throw LinkFailed(text);
}

void Interpreter::add_include_path(const std::string& folder) {
    auto& compiler = parts_->compiler();
    auto entry = compiler.getFileManager().getOptionalDirectoryRef(folder);
    if (!entry) throw LinkFailed("there is no folder \"" + folder + "\" to include from");
    compiler.getPreprocessor().getHeaderSearchInfo().AddSearchPath(clang::DirectoryLookup(*entry, clang::SrcMgr::C_User, false), true);
}

}  // namespace xcpp_session
