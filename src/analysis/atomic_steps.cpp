#include "atomic_steps.hpp"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace lanes::analysis {
namespace {

using llvm::dyn_cast;

llvm::StringRef class_name(clang::QualType type) {
    const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
    return record && record->getIdentifier() ? record->getName() : "";
}

llvm::StringRef name_of(const clang::FunctionDecl* function) {
    return function && function->getIdentifier() ? function->getName() : "";
}

// Also of `std::atomic<long>*`.
bool leads_to_atomic(clang::QualType type) {
    type = type.getNonReferenceType();
    return class_name(type->isPointerType() ? type->getPointeeType() : type).contains("atomic");
}

// `count` of `*count`, `count->`, `this->count`, `count.get()`, `&count` and of their casts; null
// for anything else.
const clang::ValueDecl* root_of(const clang::Expr* expression) {
    expression = expression->IgnoreParenCasts();
    if (const auto* member = dyn_cast<clang::MemberExpr>(expression))
        return member->getMemberDecl();
    if (const auto* reference = dyn_cast<clang::DeclRefExpr>(expression))
        return reference->getDecl();
    if (const auto* operation = dyn_cast<clang::UnaryOperator>(expression))
        return operation->getOpcode() == clang::UO_Deref ||
                       operation->getOpcode() == clang::UO_AddrOf
                   ? root_of(operation->getSubExpr())
                   : nullptr;
    if (const auto* member = dyn_cast<clang::CXXMemberCallExpr>(expression))
        return name_of(member->getMethodDecl()) == "get"
                   ? root_of(member->getImplicitObjectArgument())
                   : nullptr;
    const auto* call = dyn_cast<clang::CXXOperatorCallExpr>(expression);
    return call && (call->getOperator() == clang::OO_Star || call->getOperator() == clang::OO_Arrow)
               ? root_of(call->getArg(0))
               : nullptr;
}

class AtomicWriteFinder {
public:
    explicit AtomicWriteFinder(const clang::FunctionDecl* function) : function_(function) {
        collect(function->getBody());
        visit(function->getBody());
    }
    std::vector<AtomicWrite> found;

private:
    // Locks, and what locals are made of.
    void collect(const clang::Stmt* code) {
        if (!code) return;
        if (const auto* declarations = dyn_cast<clang::DeclStmt>(code))
            for (const auto* declaration : declarations->decls())
                if (const auto* variable = dyn_cast<clang::VarDecl>(declaration)) {
                    const llvm::StringRef type = class_name(variable->getType());
                    locked_ = locked_ || type == "lock_guard" || type == "unique_lock" ||
                              type == "scoped_lock" || type == "shared_lock";
                    if (variable->hasInit()) made_of_[variable].push_back(variable->getInit());
                }
        if (const auto* call = dyn_cast<clang::CXXMemberCallExpr>(code);
            call && name_of(call->getMethodDecl()) == "lock")
            locked_ = true;
        if (const auto* assignment = dyn_cast<clang::BinaryOperator>(code);
            assignment && assignment->isAssignmentOp())
            if (const auto* variable =
                    llvm::dyn_cast_or_null<clang::VarDecl>(root_of(assignment->getLHS())))
                made_of_[variable].push_back(assignment->getRHS());
        for (const clang::Stmt* child : code->children()) collect(child);
    }

    void visit(const clang::Stmt* code) {
        if (!code) return;
        if (const auto* call = dyn_cast<clang::CXXOperatorCallExpr>(code);
            call && call->getNumArgs() > 0 &&
            class_name(call->getArg(0)->getType()).contains("atomic")) {
            const bool step = call->getOperator() == clang::OO_PlusPlus ||
                              call->getOperator() == clang::OO_MinusMinus;
            if (call->isAssignmentOp() || step)
                note(call->getArg(0),
                     call->getOperator() == clang::OO_Equal ? call->getArg(1) : nullptr,
                     call->getExprLoc());
        } else if (const auto* member = dyn_cast<clang::CXXMemberCallExpr>(code);
                   member && member->getMethodDecl() &&
                   member->getMethodDecl()->getParent()->getName().contains("atomic")) {
            const bool store =
                name_of(member->getMethodDecl()) == "store" && member->getNumArgs() > 0;
            if (store || name_of(member->getMethodDecl()).starts_with("fetch_") ||
                name_of(member->getMethodDecl()).starts_with("compare_") ||
                name_of(member->getMethodDecl()) == "exchange")
                note(member->getImplicitObjectArgument(), store ? member->getArg(0) : nullptr,
                     member->getExprLoc());
        } else if (const auto* function = dyn_cast<clang::CallExpr>(code);
                   function && function->getNumArgs() > 1 &&
                   name_of(function->getDirectCallee()).starts_with("atomic_") &&
                   leads_to_atomic(function->getArg(0)->getType())) {
            const llvm::StringRef name = name_of(function->getDirectCallee());
            if (!name.starts_with("atomic_load"))
                note(function->getArg(0),
                     name.starts_with("atomic_store") ? function->getArg(1) : nullptr,
                     function->getExprLoc());
        } else if (is_builtin_step(code)) {
            return;  // __atomic_fetch_add(reinterpret_cast<long*>(count.get()), 1, …) is one step
        } else if (const auto* cast = dyn_cast<clang::ExplicitCastExpr>(code);
                   cast && leads_to_number(cast->getTypeAsWritten()) &&
                   leads_to_atomic(cast->getSubExpr()->IgnoreParenCasts()->getType())) {
            note_as_number(cast);
        }
        for (const clang::Stmt* child : code->children()) visit(child);
    }

    static bool is_builtin_step(const clang::Stmt* code) {
        const auto* call = dyn_cast<clang::CallExpr>(code);
        return llvm::isa<clang::AtomicExpr>(code) ||
               (call && name_of(call->getDirectCallee()).starts_with("__sync_"));
    }

    // `long*`, `long&`
    static bool leads_to_number(clang::QualType type) {
        return (type->isPointerType() || type->isReferenceType()) &&
               type->getPointeeType()->isArithmeticType();
    }

    // The atomic as a plain number, `*reinterpret_cast<long*>(&count)`: whatever is done with it
    // takes several steps.
    void note_as_number(const clang::ExplicitCastExpr* cast) {
        if (const clang::ValueDecl* atomic = root_of(cast->getSubExpr()))
            found.push_back({atomic, function_, true, locked_, cast->getExprLoc()});
    }

    void note(const clang::Expr* place, const clang::Expr* value, clang::SourceLocation written) {
        const clang::ValueDecl* atomic = root_of(place);
        std::unordered_set<const clang::ValueDecl*> seen;
        if (atomic)
            found.push_back(
                {atomic, function_, value && reads(value, atomic, seen), locked_, written});
    }

    bool reads(const clang::Stmt* code, const clang::ValueDecl* atomic,
               std::unordered_set<const clang::ValueDecl*>& seen) const {
        if (!code) return false;
        const clang::ValueDecl* named = nullptr;
        if (const auto* member = dyn_cast<clang::MemberExpr>(code)) named = member->getMemberDecl();
        if (const auto* reference = dyn_cast<clang::DeclRefExpr>(code))
            named = reference->getDecl();
        if (named == atomic) return true;
        if (const auto made = made_of_.find(named);
            named && made != made_of_.end() && seen.insert(named).second)
            for (const clang::Stmt* value : made->second)
                if (reads(value, atomic, seen)) return true;
        return std::any_of(code->child_begin(), code->child_end(),
                           [&](const clang::Stmt* child) { return reads(child, atomic, seen); });
    }

    const clang::FunctionDecl* function_;
    bool locked_ = false;
    std::unordered_map<const clang::ValueDecl*, std::vector<const clang::Stmt*>> made_of_;
};

}  // namespace

std::vector<AtomicWrite> atomic_writes_of(const clang::FunctionDecl* function) {
    if (!function->doesThisDeclarationHaveABody() || function->isDependentContext()) return {};
    return std::move(AtomicWriteFinder(function).found);
}

std::vector<AtomicWrite> lossy(const std::vector<AtomicWrite>& writes) {
    std::vector<AtomicWrite> found;
    for (const AtomicWrite& write : writes) {
        const bool alone = std::all_of(writes.begin(), writes.end(), [&](const AtomicWrite& other) {
            return other.atomic != write.atomic || other.locked;
        });
        if (write.two_steps && !alone) found.push_back(write);
    }
    return found;
}

}  // namespace lanes::analysis
