// clang compiles a function that may not throw (noexcept, a destructor, a region of OpenMP) as one
// with catch (...), whose handler calls std::terminate. The unwinder cannot tell the two apart.
#pragma once

namespace llvm {
class Module;
}

namespace xcpp_session {

// Makes such handlers lists of types that may pass, without a type: as C++14 had with `throw()`.
// They do the same, and session/process/terminating_frames.* recognises them. Before the module is
// optimised.
void mark_terminating_handlers(llvm::Module& module);

}  // namespace xcpp_session
