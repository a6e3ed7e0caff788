#include "reachable_calls.hpp"

#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/StmtCXX.h"

namespace xcpp_session {

void ReachableCalls::walk_declarations(const clang::DeclContext* context) {
    for (const auto* declaration : context->noload_decls()) {
        if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration))
            walk_function(function);
        else if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration)) {
            walk_code(variable->getInit());
            walk_destructor(variable->getType());
        } else if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(declaration))
            walk_declarations(space);
    }
}

void ReachableCalls::walk_function(const clang::FunctionDecl* function) {
    if (!function || function->isDependentContext() ||
        !seen_.insert(function->getCanonicalDecl()).second || !enter_(function))
        return;
    const auto* definition = function->getDefinition();
    if (!definition) return without_body_.push_back(function);
    walk_code(definition->getBody());
    if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(definition))
        for (const auto* initialiser : constructor->inits()) walk_code(initialiser->getInit());
}

void ReachableCalls::walk_destructor(clang::QualType type) {
    const auto* record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    if (record && record->hasDefinition() && !record->hasTrivialDestructor())
        walk_function(record->getDestructor());
}

void ReachableCalls::walk_code(const clang::Stmt* code) {
    if (!code) return;
    if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt,
                  clang::GotoStmt>(code))
        found_loop_ = true;
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(code))
        walk_function(llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl()));
    else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(code))
        walk_function(llvm::dyn_cast<clang::FunctionDecl>(member->getMemberDecl()));
    else if (const auto* construction = llvm::dyn_cast<clang::CXXConstructExpr>(code))
        walk_function(construction->getConstructor());
    else if (const auto* temporary = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(code))
        walk_destructor(temporary->getType());
    else if (const auto* removal = llvm::dyn_cast<clang::CXXDeleteExpr>(code)) {
        if (!removal->getDestroyedType().isNull()) walk_destructor(removal->getDestroyedType());
    } else if (const auto* argument = llvm::dyn_cast<clang::CXXDefaultArgExpr>(code))
        walk_code(argument->getExpr());
    else if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(code))
        walk_function(lambda->getCallOperator());
    else if (const auto* declarations = llvm::dyn_cast<clang::DeclStmt>(code))
        for (const auto* declaration : declarations->decls())
            if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration))
                walk_destructor(variable->getType());
    for (const auto* child : code->children()) walk_code(child);
}

}  // namespace xcpp_session
