// Elements that depend on the thread, and that threads share all the same: `result(y - i, x)` with
// y shared among them and a loop over i inside. It says nothing where it cannot tell.
#pragma once

#include "thread_values.hpp"

#include "clang/AST/ASTContext.h"

#include <optional>
#include <string>
#include <vector>

namespace lanes::analysis {

// Where an expression is written: the loops and conditions around it inside the region, from the
// outermost in.
struct Surroundings {
    std::vector<const clang::ForStmt*> loops;
    std::vector<const clang::Expr*> conditions;
};

// Iterations of `shared`, which different threads have, come to one element, each with another
// value of `with`.
struct Overlap {
    const clang::VarDecl *shared, *with;
};

class IndexOverlap {
public:
    IndexOverlap(const ThreadRegion& region, const ThreadValues& values,
                 const clang::ASTContext& context)
        : region_(region), values_(values), context_(context) {}

    // An index is a sum: of one expression, or of those that were added to a pointer one after the
    // other.
    using Index = std::vector<const clang::Expr*>;
    std::optional<Overlap> overlap(const std::vector<Index>& indices,
                                   const Surroundings& around) const;

private:
    struct Atom {
        std::string key;
        const clang::VarDecl* loop;  // a variable of a loop that it is, or that is in it
        bool is_loop, varies;
    };
    using Term = std::vector<Atom>;  // a product

    bool expand(const clang::Expr* sum, const Surroundings& around, int depth,
                std::vector<Term>& terms) const;
    Atom atom_of(const clang::Expr* expression, const Surroundings& around) const;
    const clang::VarDecl* loop_in(const clang::Stmt* code, const Surroundings& around,
                                  int depth) const;
    const clang::Expr* made_of(const clang::Expr* expression) const;
    bool shares(const clang::ForStmt* loop) const;
    bool is_clamped(const clang::ForStmt* loop, const clang::VarDecl* by) const;
    bool is_clamp(const clang::Expr* expression, const clang::VarDecl* by) const;
    bool varies_by(const clang::Stmt* code, const clang::VarDecl* by, int depth) const;
    bool asks_for_bounds(const clang::Expr* condition, const Surroundings& around, int depth) const;
    bool leaves_out_by_bounds_alone(const clang::Stmt* code, const Surroundings& around) const;
    enum class Found { nothing, unknown, overlap };
    Found visit(const Index& index, const Surroundings& around, Overlap& overlap) const;

    const ThreadRegion& region_;
    const ThreadValues& values_;
    const clang::ASTContext& context_;
};

}  // namespace lanes::analysis
