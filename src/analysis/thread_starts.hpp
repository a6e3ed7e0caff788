// Races of threads that the standard library starts: std::thread, std::async, algorithms with
// std::execution::par. What they share is reported as for OpenMP, and a variable of the loop that
// starts them which they read by reference. It says nothing where it cannot tell.
#pragma once

#include "shared_writes.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

#include <string>
#include <vector>

namespace lanes::analysis {

struct ThreadRace {
    SharedWrite write;
    bool by_reference = false;  // `write` is then the variable that changes, or ends, while the
                                // threads that were given it by reference read it
};

std::vector<ThreadRace> thread_races_of(const clang::FunctionDecl* function,
                                        const clang::ASTContext& context);

}  // namespace lanes::analysis
