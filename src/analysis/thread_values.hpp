// Which values inside a region of threads are a thread's own, and which differ from thread to
// thread.
#pragma once

#include "thread_region.hpp"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtOpenMP.h"

#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace lanes::analysis {

class ThreadValues {
public:
    explicit ThreadValues(const ThreadRegion& region);

    // Declared inside the region, private by a clause, the variable of a shared loop, or
    // thread_local: no other thread writes it.
    bool is_own(const clang::VarDecl* variable) const;
    // Its elements are: each thread has a copy of them, which a clause of OpenMP adds up.
    bool has_own_elements(const clang::VarDecl* variable) const {
        return reduced_.count(variable) > 0;
    }
    // May the value be another one in another thread?
    bool varies(const clang::Stmt* code) const;
    bool varies(const clang::VarDecl* variable) const { return varying_.count(variable) > 0; }
    // The variable of a loop whose iterations OpenMP shares among the threads.
    bool is_counter(const clang::VarDecl* variable) const { return counters_.count(variable) > 0; }
    // A thread's own, and what it is made with is all that it ever holds.
    bool stays(const clang::VarDecl* variable) const {
        return own_.count(variable) > 0 && variable->hasInit() && written_.count(variable) == 0;
    }
    // `i == 0`, `omp_get_thread_num() != 0`: a condition that picks one iteration or thread.
    bool picks_one(const clang::Expr* condition) const;

    // Does the region take locks by hand?
    bool locks() const { return locks_; }
    // Does it leave something out (continue, break, return) by a condition that differs from thread
    // to thread? And by one that picks?
    bool leaves_out() const { return leaves_out_; }
    bool leaves_out_all_but_one() const { return leaves_out_all_but_one_; }

private:
    void collect(const clang::Stmt* code);
    void collect_under(const clang::Expr* condition, const clang::Stmt* code);
    void collect_clauses(const clang::OMPExecutableDirective* directive);
    void declare(const clang::VarDecl* variable);
    bool locks_what_is_own(const clang::VarDecl* lock) const;
    void write(const clang::Expr* place, const clang::Stmt* value);
    void spread();
    bool call_varies(const clang::CallExpr* call) const;
    void visit_jumps(const clang::Stmt* code);

    std::unordered_map<const clang::VarDecl*, std::size_t>
        own_;  // and how many conditions were around the declaration
    std::unordered_set<const clang::VarDecl*> varying_, counters_, written_, reduced_;
    std::vector<std::pair<const clang::VarDecl*, const clang::Stmt*>>
        flows_;                                   // a variable, and what its value depends on
    std::vector<const clang::Expr*> conditions_;  // around the code that is being looked at
    bool locks_ = false, leaves_out_ = false, leaves_out_all_but_one_ = false;
};

}  // namespace lanes::analysis
