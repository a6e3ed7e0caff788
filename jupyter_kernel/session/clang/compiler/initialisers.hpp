// The initialisers of a cell, made into one function that we call ourselves: in the order of the
// cell, with our own `try` around it, and with none of the JIT's frames between (an exception that
// passes through those would leave its locks held).
#pragma once

#include <string>

namespace llvm {
class Module;
}

namespace xcpp_session {

// Takes the module's static constructors out of llvm.global_ctors and puts calls of them into a
// function `name`. After KnownTemplates::cut: an initialiser whose variable the module has lost is
// dropped.
void gather_initialisers(llvm::Module& module, const std::string& name);

}  // namespace xcpp_session
