#include "thread_region.hpp"

#include "clang/AST/ExprCXX.h"

#include <algorithm>
#include <optional>

namespace lanes::analysis {

using llvm::dyn_cast;

ThreadRegion region_of(const clang::OMPExecutableDirective* directive) {
    return {statement_of(directive), directive->getBeginLoc(), directive, false, {}, {}};
}

const clang::Expr* written_by(const clang::Stmt* code) {
    if (const auto* assignment = dyn_cast<clang::BinaryOperator>(code))
        return assignment->isAssignmentOp() ? assignment->getLHS() : nullptr;
    if (const auto* step = dyn_cast<clang::UnaryOperator>(code))
        return step->isIncrementDecrementOp() ? step->getSubExpr() : nullptr;
    const auto* call = dyn_cast<clang::CXXOperatorCallExpr>(code);
    if (!call || call->getNumArgs() == 0) return nullptr;
    const bool step =
        call->getOperator() == clang::OO_PlusPlus || call->getOperator() == clang::OO_MinusMinus;
    return call->isAssignmentOp() || step ? call->getArg(0) : nullptr;
}

const clang::Stmt* statement_of(const clang::OMPExecutableDirective* directive) {
    return directive->hasAssociatedStmt() ? directive->getRawStmt() : nullptr;
}

namespace {

bool has_work(const clang::Stmt* code) {
    if (!code) return false;
    if (written_by(code)) return true;
    if (const auto* inner = dyn_cast<clang::OMPExecutableDirective>(code))
        return has_work(statement_of(inner));
    if (const auto* call = dyn_cast<clang::CallExpr>(code)) {
        const auto* callee = call->getDirectCallee();
        const auto* name = callee ? callee->getIdentifier() : nullptr;
        if (!name || !name->getName().starts_with("omp_")) return true;
    }
    return std::any_of(code->child_begin(), code->child_end(), has_work);
}

// The value of a clause's expression, where the compiler knows it.
std::optional<long> constant(const clang::Expr* expression, const clang::ASTContext& context) {
    clang::Expr::EvalResult result;
    if (!expression || expression->isValueDependent() ||
        !expression->EvaluateAsInt(result, context))
        return std::nullopt;
    return result.Val.getInt().getExtValue();
}

}  // namespace

bool shares_work(const clang::OMPExecutableDirective* directive, const clang::ASTContext& context) {
    if (!clang::isOpenMPParallelDirective(directive->getDirectiveKind())) return false;
    if (const auto* threads = directive->getSingleClause<clang::OMPNumThreadsClause>();
        threads && constant(threads->getNumThreads(), context) == 1)
        return false;
    for (const auto* condition : directive->getClausesOfKind<clang::OMPIfClause>())
        if (constant(condition->getCondition(), context) == 0) return false;
    return has_work(statement_of(directive));
}

bool jumps(const clang::Stmt* code) {
    if (!code) return false;
    if (llvm::isa<clang::ContinueStmt, clang::BreakStmt, clang::ReturnStmt, clang::GotoStmt>(code))
        return true;
    return std::any_of(code->child_begin(), code->child_end(), jumps);
}

const clang::VarDecl* variable_of(const clang::ForStmt* loop) {
    const clang::Stmt* init = loop->getInit();
    if (!init) return nullptr;
    if (const auto* declarations = dyn_cast<clang::DeclStmt>(init))
        return declarations->decl_begin() == declarations->decl_end()
                   ? nullptr
                   : dyn_cast<clang::VarDecl>(*declarations->decl_begin());
    const clang::Expr* place = written_by(init);
    const auto* reference =
        place ? dyn_cast<clang::DeclRefExpr>(place->IgnoreParenImpCasts()) : nullptr;
    return reference ? dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
}

Step step_of(const clang::ForStmt* loop) {
    const clang::Expr* step = loop->getInc();
    if (const auto* by_one = llvm::dyn_cast_or_null<clang::UnaryOperator>(step))
        return by_one->isIncrementDecrementOp() ? Step::one : Step::other;
    const auto* assignment = llvm::dyn_cast_or_null<clang::BinaryOperator>(step);
    if (!assignment || !assignment->isCompoundAssignmentOp()) return Step::other;
    const auto* number =
        dyn_cast<clang::IntegerLiteral>(assignment->getRHS()->IgnoreParenImpCasts());
    return !number ? Step::other : number->getValue() == 1 ? Step::one : Step::constant;
}

}  // namespace lanes::analysis
