// Machine code as text, read from the object file that was linked.
#pragma once

#include "session/base/machine_code.hpp"

#include <string>
#include <vector>

namespace llvm {
class MemoryBuffer;
class TargetMachine;
}  // namespace llvm

namespace xcpp_session {

// The function, and local ones whose symbols begin with `symbol` and a dot ("….omp_outlined").
// Empty if the object does not define it.
std::vector<FunctionCode> disassemble(const llvm::MemoryBuffer& object, const std::string& symbol,
                                      const llvm::TargetMachine& machine);

}  // namespace xcpp_session
