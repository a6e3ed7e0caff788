#include "known_templates.hpp"

#include "session/base/cell_names.hpp"

#include "clang/Basic/CodeGenOptions.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Basic/TargetOptions.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace xcpp_session {

namespace {

bool is_mergeable(const llvm::GlobalValue& value) {
    return !value.isDeclaration() && (value.hasLinkOnceLinkage() || value.hasWeakLinkage());
}

bool has_loop(const llvm::Function& function) {
    llvm::SmallVector<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>, 4> edges;
    llvm::FindFunctionBackedges(function, edges);
    return !edges.empty();
}

// Of a statement or of a variable's initialiser, which run when the cell does; not a function of
// the user's, nor a lambda inside a statement: _ZN4__c19__xcpp_s1Ev, but not
// _ZZN4__c19__xcpp_s1EvENKUlvE_clEv.
bool is_a_step(llvm::StringRef name) {
    if (name.starts_with("__cxx_global_var_init") || name.starts_with("_GLOBAL__")) return true;
    if (!name.consume_front("_ZN")) return false;
    for (std::size_t length = 0; !name.consumeInteger(10, length); name = name.drop_front(length)) {
        if (name.starts_with("__xcpp_")) return true;
        if (length > name.size()) return false;
    }
    return false;
}

// Of the standard library or of our own display, perhaps with types of a cell. The abbreviations of
// the Itanium ABI: St is std::, Sa std::allocator, So std::ostream.
bool is_standard(llvm::StringRef name) {
    if (!name.consume_front("_Z")) return false;
    while (name.consume_front("N") || name.consume_front("K") || name.consume_front("Z")) {
    }
    return (name.size() > 1 && name[0] == 'S' && llvm::isLower(name[1])) ||
           name.starts_with("9__gnu_cxx") || name.starts_with("4xcpp6detail");
}

// Starts a thread or a task, or hands its result over. That takes microseconds, so that inlining
// gains nothing.
bool starts_threads(llvm::StringRef name) {
    constexpr std::array<const char*, 4> classes = {"St6thread", "13__future_base",
                                                    "14__basic_future", "St6future"};
    return is_standard(name) && std::any_of(classes.begin(), classes.end(),
                                            [&](const char* part) { return name.contains(part); });
}

// _ZN4__c1…: of a namespace of a cell, or with a type from one.
bool mentions_a_cell(llvm::StringRef name) {
    const llvm::StringRef prefix = cell_namespace_prefix;
    for (auto at = name.find(prefix); at != llvm::StringRef::npos; at = name.find(prefix, at + 1))
        if (const auto end = at + prefix.size(); end < name.size() && llvm::isDigit(name[end]))
            return true;
    return false;
}

// The C library's functions that print throw here, when a cell is interrupted
// (session/process/interruption_points.cpp). LLVM would take for granted that they do not, and skip
// destructors.
llvm::TargetLibraryInfoImpl library_that_may_throw(const llvm::Triple& target) {
    llvm::TargetLibraryInfoImpl library(target);
    for (const llvm::LibFunc function :
         {llvm::LibFunc_printf, llvm::LibFunc_fprintf, llvm::LibFunc_vprintf,
          llvm::LibFunc_vfprintf, llvm::LibFunc_puts, llvm::LibFunc_putchar, llvm::LibFunc_fputs,
          llvm::LibFunc_fputc, llvm::LibFunc_putc, llvm::LibFunc_fwrite})
        library.setUnavailable(function);
    return library;
}

// The analyses that every run of passes needs, in the order in which they may be destroyed.
struct Passes {
    explicit Passes(llvm::TargetMachine* machine) : builder(machine) {
        if (machine)
            functions.registerPass([library = library_that_may_throw(machine->getTargetTriple())] {
                return llvm::TargetLibraryAnalysis(library);
            });
        builder.registerModuleAnalyses(modules);
        builder.registerCGSCCAnalyses(components);
        builder.registerFunctionAnalyses(functions);
        builder.registerLoopAnalyses(loops);
        builder.crossRegisterProxies(loops, functions, components, modules);
    }

    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager components;
    llvm::ModuleAnalysisManager modules;
    llvm::PassBuilder builder;
};

// A member of a comdat group whose leader is gone must leave the group too.
void make_external(llvm::GlobalObject& object, llvm::GlobalValue::LinkageTypes linkage) {
    object.setComdat(nullptr);
    object.setLinkage(linkage);
    object.setDSOLocal(false);
}

}  // namespace

std::unique_ptr<llvm::TargetMachine> make_target_machine(const clang::CompilerInstance& compiler,
                                                         bool optimising) {
    const auto& options = compiler.getTarget().getTargetOpts();
    llvm::orc::JITTargetMachineBuilder builder{llvm::Triple(options.Triple)};
    builder.setCPU(options.CPU);
    builder.addFeatures(options.Features);
    builder.setRelocationModel(llvm::Reloc::PIC_);
    builder.setCodeGenOptLevel(optimising ? llvm::CodeGenOptLevel::Aggressive
                                          : llvm::CodeGenOptLevel::None);
    builder.getOptions().EmulatedTLS = true;  // the JIT has no TLS segment of its own
    auto machine = builder.createTargetMachine();
    if (!machine)
        throw std::runtime_error("no machine code can be made for " + options.Triple + ": " +
                                 llvm::toString(machine.takeError()));
    return std::move(*machine);
}

void optimise(llvm::Module& module, llvm::TargetMachine& machine) {
    Passes passes(&machine);
    (machine.getOptLevel() == llvm::CodeGenOptLevel::None
         ? passes.builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0)
         : passes.builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3))
        .run(module, passes.modules);
}

void KnownTemplates::add_library(void* handle) {
    if (!handle) return;
    libraries_.push_back(handle);
    constexpr std::uint64_t large =
        320;  // bytes of machine code: well above anything that an inner loop wants inlined
    const link_map* library = nullptr;
    if (dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&library)) != 0) return;
    auto file = llvm::object::ObjectFile::createObjectFile(library->l_name);
    if (!file) return llvm::consumeError(file.takeError());
    const auto& elf = llvm::cast<llvm::object::ELFObjectFileBase>(*file->getBinary());
    for (const llvm::object::ELFSymbolRef symbol : elf.getDynamicSymbolIterators()) {
        if (symbol.getSize() < large) continue;
        if (auto name = symbol.getName())
            large_functions_.insert(*name);
        else
            llvm::consumeError(name.takeError());
    }
}

bool KnownTemplates::is_never_inlined(const std::string& name) const {
    return large_functions_.contains(name) || (starts_threads(name) && library_holds(name));
}

bool KnownTemplates::library_holds(const std::string& name) const {
    return llvm::any_of(libraries_, [&](void* handle) { return dlsym(handle, name.c_str()); });
}

bool KnownTemplates::knows_function(const std::string& name, bool once) const {
    return known_.count(name) || (once && known_once_.count(name)) || library_holds(name);
}

bool KnownTemplates::knows_variable(const std::string& name) const {
    return knows_function(name) || dlsym(RTLD_DEFAULT, name.c_str());
}

// Functions that contain a loop, that are the user's own, or that may be called through a pointer
// or a vtable, and all that these call. Everything else runs when the cell does, once.
std::unordered_set<const llvm::Function*> KnownTemplates::may_run_often(
    const llvm::Module& module) const {
    std::vector<const llvm::Function*> reached;
    for (const auto& function : module) {
        if (function.isDeclaration() || function.hasAvailableExternallyLinkage()) continue;
        const llvm::StringRef name = function.getName();
        const bool mergeable = is_mergeable(function);
        if ((mergeable && knows_function(name.str(), true)) || starts_threads(name)) continue;
        const bool step = is_a_step(name);
        const bool users = !is_standard(name) && (mergeable ? mentions_a_cell(name) : !step);
        if (users || (function.hasAddressTaken() && !step) || has_loop(function))
            reached.push_back(&function);
    }
    std::unordered_set<const llvm::Function*> often(reached.begin(), reached.end());
    while (!reached.empty()) {
        const llvm::Function& function = *reached.back();
        reached.pop_back();
        for (const auto& instruction : llvm::instructions(function))
            for (const llvm::Value* operand : instruction.operands()) {
                const auto* callee = llvm::dyn_cast<llvm::Function>(operand);
                if (callee && !callee->isDeclaration() && often.insert(callee).second)
                    reached.push_back(callee);
            }
    }
    return often;
}

bool KnownTemplates::cut(llvm::Module& module) {
    const auto often = may_run_often(module);
    run_once_.clear();
    for (auto& function : module) {
        const std::string name = function.getName().str();
        const bool once = often.count(&function) == 0;
        if (once) run_once_.insert(name);
        if (!is_mergeable(function) || !knows_function(name, once)) {
            if (once && function.hasAvailableExternallyLinkage() &&
                !function.hasFnAttribute(llvm::Attribute::AlwaysInline))
                function.deleteBody();
            continue;
        }
        make_external(function,
                      llvm::GlobalValue::AvailableExternallyLinkage);  // hot loops still inline it
        // clang 19 forgets the initialisation in the wrapper (_ZTW) of a thread_local that an
        // earlier cell defined: that cell's is the good one.
        if (once || function.getInstructionCount() > keep_ ||
            function.getName().starts_with("_ZTW"))
            function.deleteBody();
    }
    for (auto& variable : module.globals()) {
        // A thread_local is reached through __emutls_v.NAME, which only the JIT has: a library's
        // own is another variable.
        if (!is_mergeable(variable)) continue;
        const std::string name = variable.getName().str();
        if (variable.isThreadLocal() ? !known_.count(name) : !knows_variable(name)) continue;
        if (variable.isConstant()) {
            make_external(variable,
                          llvm::GlobalValue::AvailableExternallyLinkage);  // vtables: calls may be
                                                                           // devirtualised
        } else {
            variable.setInitializer(nullptr);
            make_external(variable, llvm::GlobalValue::ExternalLinkage);
        }
    }
    // What only the lost bodies called would go through the optimiser for nothing.
    Passes passes(nullptr);
    llvm::GlobalDCEPass().run(module, passes.modules);
    return often.empty();
}

void KnownTemplates::learn(const llvm::Module& module) {
    for (const auto& value : module.global_values()) {
        if (!is_mergeable(value) || value.hasAvailableExternallyLinkage()) continue;
        const std::string name = value.getName().str();
        (run_once_.count(name) > 0 ? known_once_ : known_).insert(name);
    }
}

}  // namespace xcpp_session
