// Variables and elements that the threads of a region write without taking turns: a race, reported
// from the parsed text and not from a run, which may be lucky. It says nothing where it cannot
// tell: what is found is a mistake, and what is not found need not be right.
#pragma once

#include "thread_region.hpp"

#include <string>
#include <vector>

namespace lanes::analysis {

struct SharedWrite {
    std::string name;  // "sum", or the text of an element, "c(i, j)"
    const clang::VarDecl* variable = nullptr;
    bool element = false;
    clang::SourceLocation written, region;
    // Empty where the element does not depend on which thread it is. Else the loop's variable that
    // differs from thread to thread, and the one that makes two of them come to the same element:
    // "y" and "i" of `result(y - i, x)`.
    std::string shared, with;
    // The directive is `parallel` without `for`, around a loop that nothing divides: each thread
    // runs all of it.
    bool undivided = false;
};

// directive: one that starts threads (`parallel`, alone or with others); for any other nothing is
// found. The first write of each variable, in the order of the text.
std::vector<SharedWrite> shared_writes_of(const clang::OMPExecutableDirective* directive,
                                          const clang::ASTContext& context);
std::vector<SharedWrite> shared_writes_of(const ThreadRegion& region,
                                          const clang::ASTContext& context);

}  // namespace lanes::analysis
