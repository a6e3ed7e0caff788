// From text to machine code, step by step: parse, cut what is known already, optimise, link.
#include "interpreter_parts.hpp"

#include "initialisers.hpp"
#include "session/clang/names/detached_initialisers.hpp"
#include "terminating_handlers.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/AST/Mangle.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Driver/Options.h"
#include "clang/Sema/Scope.h"
#include "clang/Sema/Sema.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/ObjectTransformLayer.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <regex>

namespace xcpp_session {
namespace {

char loading_problem[512] = "clang crashed on it";

std::vector<const char*> pointers_to(const std::vector<std::string>& texts) {
    std::vector<const char*> pointers;
    pointers.reserve(texts.size());
    for (const auto& text : texts) pointers.push_back(text.c_str());
    return pointers;
}

// $NAME and ${NAME} by their values; a variable that is not set stays as it is written.
std::string with_environment(const std::string& text) {
    static const std::regex variable(R"(\$(\w+|\{\w+\}))");
    std::string result;
    std::size_t at = 0;
    for (std::sregex_iterator one(text.begin(), text.end(), variable), end; one != end; ++one) {
        const auto begin = static_cast<std::size_t>(one->position());
        std::string name = one->str(1);
        if (name.front() == '{') name = name.substr(1, name.size() - 2);
        const char* value = std::getenv(name.c_str());
        result.append(text, at, begin - at).append(value ? value : one->str());
        at = begin + static_cast<std::size_t>(one->length());
    }
    return result.append(text, at, std::string::npos);
}

}  // namespace

const char* problem_while_loading() { return loading_problem; }

void note_problem_while_loading(const Finding& found) {
    if (found.place.file.empty())
        std::snprintf(loading_problem, sizeof loading_problem, "%s", found.message.c_str());
    else
        std::snprintf(loading_problem, sizeof loading_problem, "%s:%u: %s",
                      found.place.file.c_str(), found.place.line, found.message.c_str());
}

void Interpreter::Parts::note_unknown(const std::vector<std::string>& given) {
    const auto words = pointers_to(given);
    unsigned missing_at = 0, missing = 0;
    const auto list = clang::driver::getDriverOptTable().ParseArgs(
        words, missing_at, missing, llvm::opt::Visibility(clang::driver::options::ClangOption));
    for (const auto* argument : list.filtered(clang::driver::options::OPT_UNKNOWN))
        notes.push_back("The compiler does not know the argument " + argument->getAsString(list) +
                        ": it is left out.");
}

bool Interpreter::Parts::create(const std::vector<std::string>& with) {
    clang::IncrementalCompilerBuilder builder;
    builder.SetCompilerArgs(pointers_to(with));
    auto compiler = builder.CreateCpp();
    if (!compiler) {
        jit_errors = llvm::toString(compiler.takeError());
        return false;
    }
    collector.begin(0, "");
    (*compiler)->getDiagnostics().setClient(&collector, false);
    // The user's own headers are read and never mapped: they may be edited while clang still wants
    // to show their old text.
    (*compiler)->createFileManager();
    (*compiler)->setSourceManager(new clang::SourceManager((*compiler)->getDiagnostics(),
                                                           (*compiler)->getFileManager(), true));
    collector.after_error = [this] { note_problem_while_loading(collector.findings().back()); };
    (*compiler)->getDiagnosticOpts().ShowCarets = false;  // clang would count the errors on stderr
    auto created = clang::Interpreter::create(std::move(*compiler));
    collector.after_error = {};
    if (!created) {
        jit_errors = llvm::toString(created.takeError());
        return false;
    }
    if (has_errors(collector.findings())) {
        jit_errors = collector.findings().front().message;
        (void)created->release();  // NOLINT(bugprone-unused-return-value): clang 19 crashes while
                                   // it takes a half-built one down
        return false;
    }
    interpreter = std::move(*created);
    return true;
}

void Interpreter::Parts::hook_into_jit() {
    auto jit = interpreter->getExecutionEngine();
    if (!jit)
        throw std::runtime_error("the JIT does not start: " + llvm::toString(jit.takeError()));
    jit->getExecutionSession().setErrorReporter(
        [this](llvm::Error error) { jit_errors += llvm::toString(std::move(error)) + "\n"; });
    jit->getObjTransformLayer().setTransform(
        [this](std::unique_ptr<llvm::MemoryBuffer> object)
            -> llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> {
            auto lines = read_object_lines(object->getMemBufferRef());
            object_lines.insert(object_lines.end(), lines.begin(), lines.end());
            if (keeps_object)
                objects.push_back(llvm::MemoryBuffer::getMemBufferCopy(object->getBuffer()));
            return object;
        });
}

// Each Parse of clang 19 begins by leaving the scope of the one before: for each declaration in
// that scope it looks for a warning, which may read further declarations from the precompiled
// header and put them into the scope that is walked. About one session in forty crashed there. For
// a whole program's scope there are no such warnings, and in a session nothing else is done.
void Interpreter::Parts::empty_last_scope() {
    clang::Scope* scope = compiler().getSema().TUScope;
    if (!scope) return;
    const std::vector<clang::Decl*> declarations(scope->decls().begin(), scope->decls().end());
    for (clang::Decl* declaration : declarations) scope->RemoveDecl(declaration);
}

clang::PartialTranslationUnit& Interpreter::Parts::parse(const std::string& text) {
    empty_last_scope();
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

void* Interpreter::Parts::find(const std::string& mangled) {
    auto address = interpreter->getSymbolAddress(mangled);
    if (!address) {
        jit_errors += llvm::toString(address.takeError()) + "\n";
        return nullptr;
    }
    return address->toPtr<void*>();
}

llvm::Error Interpreter::Parts::add_to_jit(clang::PartialTranslationUnit& parsed,
                                           llvm::TargetMachine& target) {
    for (const char* list : {"llvm.global_ctors", "llvm.global_dtors"})
        if (parsed.TheModule->getNamedGlobal(list)) return interpreter->Execute(parsed);
    // The locks of OpenMP's critical sections. LLVM 19 does not list a common symbol among those
    // that an object file defines; a weak one is shared by all cells, too.
    for (auto& variable : parsed.TheModule->globals())
        if (variable.hasCommonLinkage()) variable.setLinkage(llvm::GlobalValue::WeakAnyLinkage);
    llvm::SmallVector<char, 0> object;
    llvm::raw_svector_ostream stream(object);
    llvm::legacy::PassManager passes;
    llvm::MCContext* context = nullptr;
    if (target.addPassesToEmitMC(passes, context, stream))
        return llvm::createStringError("no machine code can be made for this machine");
    passes.run(*parsed.TheModule);
    auto jit = interpreter->getExecutionEngine();
    if (!jit) return jit.takeError();
    auto buffer = std::make_unique<llvm::SmallVectorMemoryBuffer>(
        std::move(object), parsed.TheModule->getModuleIdentifier(), false);
    parsed.TheModule.reset();
    return jit->addObjectFile(std::move(buffer));
}

Interpreter::Parts::Function Interpreter::Parts::link(clang::PartialTranslationUnit& parsed,
                                                      llvm::TargetMachine& target,
                                                      const std::string& entry) {
    jit_errors.clear();
    object_lines.clear();
    if (auto error = add_to_jit(parsed, target))
        throw LinkFailed(jit_errors + llvm::toString(std::move(error)));
    void* address = find(entry);
    if (!address) throw LinkFailed(jit_errors);
    return reinterpret_cast<Function>(address);
}

void Interpreter::Parts::reach_far(llvm::Module& module) {
    for (auto& value : module.global_values()) {
        if (!value.isDeclaration()) continue;
        value.setVisibility(llvm::GlobalValue::DefaultVisibility);
        value.setDSOLocal(false);
    }
}

Interpreter::Parts::Function Interpreter::Parts::finish(clang::PartialTranslationUnit& parsed,
                                                        int unit, bool runs) {
    if (compile_only && runs) return [] {};
    static int compiled = 0;
    const std::string entry = "__xcpp_entry_" + std::to_string(++compiled);
    std::vector<std::string> symbols;
    if (runs)
        for (clang::VarDecl* variable : inner_variables(*parsed.TUPart)) {
            symbols.push_back(mangled(variable));
            internal_variables.emplace_back(variable, symbols.back());
        }
    auto& target = known.cut(*parsed.TheModule) ? *quick_machine : *machine;
    if (runs) versions.share_variables(*parsed.TheModule, symbols);
    versions.rename_redefined(*parsed.TheModule, unit);
    gather_initialisers(*parsed.TheModule, entry);
    mark_terminating_handlers(*parsed.TheModule);
    optimise(*parsed.TheModule, target);
    known.learn(*parsed.TheModule);
    reach_far(*parsed.TheModule);
    keeps_object = unit > 0;
    const Function linked = link(parsed, target, entry);
    // Every later unit that uses the variable would run its initialiser again.
    const auto done =
        std::partition(internal_variables.begin(), internal_variables.end(),
                       [this](const auto& one) { return !versions.is_emitted(one.second); });
    for (auto one = done; one != internal_variables.end(); ++one) detach_initialiser(one->first);
    internal_variables.erase(done, internal_variables.end());
    return linked;
}

std::vector<clang::VarDecl*> Interpreter::Parts::inner_variables(
    const clang::DeclContext& context) {
    std::vector<clang::VarDecl*> found;
    for (clang::Decl* declaration : context.decls()) {
        if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(declaration)) {
            const auto inside = inner_variables(*llvm::cast<clang::DeclContext>(declaration));
            found.insert(found.end(), inside.begin(), inside.end());
            continue;
        }
        auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
        if (!variable || variable->isInvalidDecl() || variable->isExternallyVisible() ||
            variable->isTemplated() || llvm::isa<clang::VarTemplateSpecializationDecl>(variable) ||
            variable->isThisDeclarationADefinition() != clang::VarDecl::Definition)
            continue;
        const bool is_a_constant =
            variable->isConstexpr() ||
            ((variable->getType().isConstQualified() || variable->getType()->isReferenceType()) &&
             variable->hasConstantInitialization());
        if (!is_a_constant) found.push_back(variable);
    }
    return found;
}

void Interpreter::Parts::patch_stand_ins() {
    const auto patch = [this](const std::string& target, void* function) {
        if (auto* place = static_cast<void**>(find(target)); place && function) *place = function;
    };
    for (const auto& [target, function] : versions.take_patches()) patch(target, find(function));
    for (const auto& [declared, defined] : names->late_definitions()) {
        const std::string symbol = mangled(declared);
        if (versions.has_stand_in(symbol))
            patch(SymbolVersions::target_of(symbol), find(mangled(defined)));
    }
    for (clang::FunctionDecl* declared : names->only_declared()) {
        const std::string symbol = mangled(declared);
        if (!versions.has_stand_in(symbol)) continue;
        // The cell's namespace is our addition: in a program it would be a global function.
        clang::DeclContext* const context = declared->getDeclContext();
        declared->setDeclContext(compiler().getASTContext().getTranslationUnitDecl());
        const std::string global = mangled(declared);
        declared->setDeclContext(context);
        patch(SymbolVersions::target_of(symbol), dlsym(RTLD_DEFAULT, global.c_str()));
    }
}

std::string Interpreter::Parts::mangled(const clang::NamedDecl* declaration) {
    return clang::ASTNameGenerator(compiler().getASTContext()).getName(declaration);
}

void Interpreter::Parts::place_lines(std::vector<CodeLine>& lines) {
    std::string function;
    std::uint64_t base = 0;
    for (const auto& line : object_lines) {
        if (line.function != function) {
            function = line.function;
            base = reinterpret_cast<std::uint64_t>(find(function));
        }
        if (base != 0)
            lines.push_back({base + static_cast<std::uint64_t>(line.offset), line.cell, line.line});
    }
}

std::string Interpreter::Parts::on_cling_pragma(Interpreter& self, const std::string& verb,
                                                const std::string& given) {
    const std::string argument = with_environment(given);
    try {
        if (verb == "load") self.load_library(argument);
        if (verb == "add_include_path") self.add_include_path(argument);
        if (verb == "add_library_path") library_paths.push_back(argument);
    } catch (const std::exception& error) {
        return error.what();
    }
    return {};
}

}  // namespace xcpp_session
