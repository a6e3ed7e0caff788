// What a declaration of a cell is made of: every function, variable and type outside cells that
// it names, itself or through other declarations of cells. It looks at what the compiler has
// understood, so macros, aliases, `using` and function pointers hide nothing.
#pragma once

#include "xcpp/analysis.hpp"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace lanes::analysis {

// One name outside cells, where it is met first.
struct Reference {
    std::string name;  // qualified, without template arguments and inline namespaces:
                       // "std::transform", "xt::xtensor_container::shape"
    std::string kind;  // "function", "variable", "type" or "asm"; "pragma" for "omp parallel", an
                       // OpenMP region in which several threads have something to do
    std::string in;    // the declaration of a cell that names it
    int cell = 0, line = 0;
};

// A variable that threads write without taking turns (shared_writes.hpp, thread_starts.hpp): where,
// and the line of the #pragma or of what starts a thread.
struct Race {
    std::string name, in, shared, with;
    bool element = false, by_reference = false;
    int cell = 0, line = 0, pragma = 0, start = 0;
    bool undivided = false;
};

// An atomic that a function reads and then writes, while others write it (atomic_steps.hpp).
struct TwoSteps {
    std::string name, in;
    int cell = 0, line = 0;
};

struct References {
    std::vector<Reference> outside;
    std::set<std::pair<int, std::string>>
        inside;  // declarations of cells that are needed, the roots among them: number of the unit,
                 // name at its top level
    std::vector<Race> races;
    std::vector<TwoSteps> two_steps;
};

// roots: the declarations that were asked for.
References references_of(const xcpp::AnalysisInput& input,
                         const std::vector<const clang::NamedDecl*>& roots);

}  // namespace lanes::analysis
