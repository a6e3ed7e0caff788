// Code that several threads run at a time: the statement of an OpenMP region, or the function that
// objects of std::thread are started with.
#pragma once

#include "clang/AST/StmtOpenMP.h"

#include <vector>

namespace lanes::analysis {

struct ThreadRegion {
    const clang::Stmt* body = nullptr;
    clang::SourceLocation begin;  // of the #pragma, or of what starts a thread
    const clang::OMPExecutableDirective* directive = nullptr;  // null for std::thread
    bool in_strides = false;  // the threads that run at a time work on every second (third, …)
                              // part; the parts between them come in a later round
    // For std::thread: copies and parameters, which each thread has for itself, and those of them
    // whose values differ.
    std::vector<const clang::VarDecl*> own, varying;
};

// directive: one that starts threads.
ThreadRegion region_of(const clang::OMPExecutableDirective* directive);

// The left side of `x = …`, `x += …`, `++x`, of built-in and of class types; null where the code
// writes nothing.
const clang::Expr* written_by(const clang::Stmt* code);

// The statement that a directive is about, without what the compiler wraps around it; null where
// there is none.
const clang::Stmt* statement_of(const clang::OMPExecutableDirective* directive);

// Does it start several threads, and do they call a function or write something? Not of
// num_threads(1), of if(false), and of a region that only asks OpenMP for numbers.
bool shares_work(const clang::OMPExecutableDirective* directive, const clang::ASTContext& context);

// Is there a continue, break, return or goto in it?
bool jumps(const clang::Stmt* code);

// The variable of `for (int i = …` or `for (i = …`, or null; and whether it goes on by one at a
// time.
const clang::VarDecl* variable_of(const clang::ForStmt* loop);
enum class Step { one, constant, other };
Step step_of(const clang::ForStmt* loop);

}  // namespace lanes::analysis
