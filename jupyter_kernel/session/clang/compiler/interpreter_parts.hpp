// What an Interpreter is made of. Included by the files that implement it alone.
#pragma once

#include "code_lines.hpp"
#include "interpreter.hpp"
#include "pragmas.hpp"
#include "session/clang/diagnostics/diagnostics_collector.hpp"
#include "session/clang/reuse/known_templates.hpp"
#include "session/clang/reuse/skipped_instantiations.hpp"
#include "symbol_versions.hpp"

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Interpreter/Interpreter.h"
#include "clang/Interpreter/PartialTranslationUnit.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace xcpp_session {

// For problem_while_loading().
void note_problem_while_loading(const Finding& found);

// clang 19 does not pass the declarations of a PCH on to code generation: "Symbols not found" for
// its inline functions.
class Forwarder : public clang::ASTConsumer {
public:
    Forwarder(clang::CompilerInstance& compiler, SkippedInstantiations& skipped)
        : compiler_(compiler), skipped_(skipped) {}

    void HandleInterestingDecl(clang::DeclGroupRef group) override {
        for (auto* declaration : group)
            if (auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration))
                skipped_.add(function);
        compiler_.getASTConsumer().HandleTopLevelDecl(group);
    }

private:
    clang::CompilerInstance& compiler_;
    SkippedInstantiations& skipped_;
};

struct Interpreter::Parts {
    using Function = void (*)();

    // What outlives the interpreter: while it is taken down, it compiles what never ran, and
    // reports.
    DiagnosticCollector collector;
    PragmaActions pragmas;
    std::vector<ObjectLine> object_lines;
    std::vector<std::unique_ptr<llvm::MemoryBuffer>> objects;  // of cells, for %asm
    bool keeps_object = false;
    std::string jit_errors;
    std::unique_ptr<clang::Interpreter> interpreter;
    std::unique_ptr<Forwarder> forwarder;
    std::unique_ptr<llvm::TargetMachine> machine;
    // For code that runs once. Not the same one with another setting: LLVM 19 leaves fast
    // instruction selection switched on, and compiles atomic operations wrongly with it.
    std::unique_ptr<llvm::TargetMachine> quick_machine;
    std::unique_ptr<SessionNames> names;
    KnownTemplates known;
    std::unique_ptr<SkippedInstantiations> skipped;
    SymbolVersions versions;
    std::vector<std::string> arguments, notes, library_paths;
    std::vector<std::string> libraries;  // what was loaded, as dlopen knows it
    std::vector<int> branches;
    std::vector<Function>
        pending_initialisers;  // initialisers of headers that branches_taken has read
    std::vector<std::pair<clang::VarDecl*, std::string>>
        internal_variables;  // variables kept inside the file, which no unit has used yet, and
                             // their symbols
    std::function<void(const std::string&)> on_error;
    bool compile_only = false;

    // clang's driver ignores what it does not know; a user who mistyped a flag wants to know.
    void note_unknown(const std::vector<std::string>& given);
    bool create(const std::vector<std::string>& with);
    clang::CompilerInstance& compiler() { return *interpreter->getCompilerInstance(); }
    void hook_into_jit();
    // Before each Parse of clang.
    void empty_last_scope();
    clang::PartialTranslationUnit& parse(const std::string& text);
    void* find(const std::string& mangled);
    // Makes machine code with a target machine of our own: clang's interpreter would create one,
    // with all its tables, for each cell, and would not know how much to optimise. Constructors and
    // destructors of a whole module, if there are any, are left to clang.
    llvm::Error add_to_jit(clang::PartialTranslationUnit& parsed, llvm::TargetMachine& target);
    Function link(clang::PartialTranslationUnit& parsed, llvm::TargetMachine& target,
                  const std::string& entry);
    // If a cell reserves much memory, the code of later cells lies further away from that of
    // earlier ones than a direct call reaches (2 GB; 4 GB on aarch64). clang assumes that hidden
    // symbols, such as __dso_handle, are near. Through the global offset table all are in reach.
    static void reach_far(llvm::Module& module);
    // From what was parsed to machine code. The function runs the initialisers; runs: it will be
    // called.
    Function finish(clang::PartialTranslationUnit& parsed, int unit, bool runs);
    // Variables of the unit that C++ keeps inside the file, and that have a state.
    static std::vector<clang::VarDecl*> inner_variables(const clang::DeclContext& context);
    // Functions that earlier cells called before they were defined, and that this unit defines.
    void patch_stand_ins();
    std::string mangled(const clang::NamedDecl* declaration);
    void place_lines(std::vector<CodeLine>& lines);
    std::string on_cling_pragma(Interpreter& self, const std::string& verb,
                                const std::string& argument);
};

}  // namespace xcpp_session
