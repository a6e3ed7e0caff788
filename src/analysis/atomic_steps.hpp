// Atomics that are read and then written, `count = count + 1`, while others write them: what those
// write in between is lost. A lock that all of them hold makes it right.
#pragma once

#include "clang/AST/Decl.h"

#include <string>
#include <vector>

namespace lanes::analysis {

struct AtomicWrite {
    const clang::ValueDecl* atomic =
        nullptr;  // or what leads to it: the pointer `count` of `*count`
    const clang::FunctionDecl* in = nullptr;
    bool two_steps = false, locked = false;
    clang::SourceLocation written;
};

// All of a function, in the order of its text.
std::vector<AtomicWrite> atomic_writes_of(const clang::FunctionDecl* function);

// Of all functions of an answer, those writes that take two steps while a function without a lock
// writes the same.
std::vector<AtomicWrite> lossy(const std::vector<AtomicWrite>& writes);

}  // namespace lanes::analysis
