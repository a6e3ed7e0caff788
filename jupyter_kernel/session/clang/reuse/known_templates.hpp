// Templates that the process already has are not compiled again.
//
// clang emits every template function that a cell uses once more in every cell: printing `a + 1` of
// an xarray brings a thousand of them. Here the plain IR of a cell (-Xclang -disable-llvm-passes)
// loses the bodies of functions that an earlier cell or a library of instantiations holds. Small
// bodies stay for inlining if something calls them that may run often: a loop, a function of the
// user's. What is called once need not be inlined. Then the optimiser runs, and the JIT compiles
// what is left. Variables go the same way: an inline variable, a static member or a function-local
// static exists once in the process.
#pragma once

#include "llvm/ADT/StringSet.h"

#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

namespace llvm {
class Function;
class Module;
class TargetMachine;
}  // namespace llvm

namespace clang {
class CompilerInstance;
}

namespace xcpp_session {

// The machine that the JIT compiles for, with the features that clang was asked for (-march=native
// and the like). optimising: for code that may run often. Throws std::runtime_error.
std::unique_ptr<llvm::TargetMachine> make_target_machine(const clang::CompilerInstance& compiler,
                                                         bool optimising);

// The passes of -O3, or those of -O0 for a machine that does not optimise. The module must come
// from a clang that ran none (-Xclang -disable-llvm-passes).
void optimise(llvm::Module& module, llvm::TargetMachine& machine);

// Not thread-safe. Its state is process memory: a frozen copy that takes over has forgotten the
// failed cell.
class KnownTemplates {
public:
    // keep: functions of at most so many IR instructions stay for inlining.
    explicit KnownTemplates(unsigned keep = 60) : keep_(keep) {}

    // A library that was built with the flags of cells: its functions may replace theirs. Of all
    // other libraries only the variables count: state must not exist twice. handle: of dlopen, with
    // RTLD_GLOBAL, so that the JIT finds what it holds. Never closed.
    void add_library(void* handle);

    // Between Parse and optimise. What the module loses, the JIT finds in the library or in an
    // earlier cell. True: nothing of what is left may run often.
    bool cut(llvm::Module& module);

    // A library holds the function, and inlining it gains nothing: it is large, or it starts a
    // thread. clang need not even make IR of it.
    bool is_never_inlined(const std::string& name) const;

    // After optimise: what is left in the module is there for later cells.
    void learn(const llvm::Module& module);

    // An earlier cell or a library holds it. once: it counts, too, if it was compiled with little
    // inlined.
    bool knows_function(const std::string& name, bool once = false) const;

private:
    std::unordered_set<const llvm::Function*> may_run_often(const llvm::Module& module) const;
    bool library_holds(const std::string& name) const;
    bool knows_variable(const std::string& name) const;

    unsigned keep_;
    std::vector<void*> libraries_;
    llvm::StringSet<> large_functions_;  // of libraries_
    std::unordered_set<std::string> known_;
    std::unordered_set<std::string> known_once_;  // compiled with little inlined, because they ran
                                                  // once: good enough for what runs once only
    std::unordered_set<std::string> run_once_;    // functions of the module that was cut last
};

}  // namespace xcpp_session
