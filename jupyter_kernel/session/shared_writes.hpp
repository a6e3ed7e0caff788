// Variables that the threads of an OpenMP region write without taking turns: a race, told from the parsed text and not from a run, which may be lucky.
// It says nothing where it cannot tell: what is found is a mistake, and what is not found need not be right.
#pragma once

#include "clang/AST/StmtOpenMP.h"

#include <string>
#include <vector>

namespace xcpp_session {

struct SharedWrite {
    std::string name;  // "sum", or the text of an element, "c(i, j)", that does not depend on which thread it is
    bool element = false;
    clang::SourceLocation written, region;
};

// directive: one that starts threads (`parallel`, alone or with others); for any other nothing is found. The first write of each variable, in the order of the
// text.
std::vector<SharedWrite> shared_writes_of(const clang::OMPExecutableDirective* directive, const clang::ASTContext& context);

}  // namespace xcpp_session
