// Functions that the linker would refuse to see twice, functions that are declared now and defined
// in a later cell, and variables that must exist once.
//
// A member defined outside of its class, an extern "C" function or a specialisation keeps its
// symbol when its cell is run again: the new one gets another symbol here, later cells are pointed
// to it, old callers keep the old one. A variable that C++ keeps inside its file (const, of a type
// without a name, as a lambda's, in an unnamed namespace, static in such a function) clang emits
// again in every unit that uses it. A session is one file: the first one counts. A function of a
// cell that is used but not defined yet gets a body that jumps to where a later cell's definition
// will be noted.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace xcpp_session {

class SymbolVersions {
public:
    struct Patch {
        std::string target;    // symbol of the pointer that a stand-in jumps through
        std::string function;  // symbol to put there
    };

    // Both before the module is optimised.
    void rename_redefined(llvm::Module& module, int unit);
    // internal_variables: symbols of the unit's variables that are kept inside the file. They must
    // be initialised: the unit is run.
    void share_variables(llvm::Module& module, const std::vector<std::string>& internal_variables);
    bool is_emitted(const std::string& variable) const { return shared_.count(variable) > 0; }
    // Stand-ins whose function this module defines: to be done after it is linked.
    std::vector<Patch> take_patches() { return std::exchange(patches_, {}); }

    // The symbol of the newest definition.
    std::string newest(const std::string& symbol) const {
        const auto newer = renamed_.find(symbol);
        return newer == renamed_.end() ? symbol : newer->second;
    }
    bool has_stand_in(const std::string& symbol) const { return stand_ins_.count(symbol) > 0; }
    static std::string target_of(const std::string& symbol) { return symbol + ".target"; }

private:
    void rename_known(llvm::Module& module, int unit);
    void share_tables(llvm::Module& module, const std::vector<llvm::Function*>& redefined);
    void stand_in_for(llvm::Function& function);

    std::unordered_set<std::string> defined_, stand_ins_;
    std::unordered_set<std::string> internal_variables_,
        shared_;  // variables: of earlier units; those of them that have their place
    std::unordered_map<std::string, std::string> renamed_;
    std::vector<Patch> patches_;
};

}  // namespace xcpp_session
