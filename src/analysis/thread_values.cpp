#include "thread_values.hpp"

#include "clang/AST/Attr.h"
#include "clang/Basic/OpenMPKinds.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

namespace lanes::analysis {
namespace {

bool one_of(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), text) != words.end();
}

using llvm::dyn_cast;

llvm::StringRef class_name(clang::QualType type) {
    const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
    return record && record->getIdentifier() ? record->getName() : "";
}

bool is_std(const clang::Decl* declaration) {
    return declaration->getDeclContext()->getRedeclContext()->isStdNamespace();
}

// Elements of something, by whatever syntax: their values say nothing about the number of an
// iteration.
bool reads_elements(const clang::Stmt* code) {
    if (!code) return false;
    if (llvm::isa<clang::ArraySubscriptExpr, clang::CXXOperatorCallExpr>(code)) return true;
    return std::any_of(code->child_begin(), code->child_end(), reads_elements);
}

template <class Clause, class Take>
void for_variables(const clang::OMPClause* clause, const Take& take) {
    if (const auto* one = dyn_cast<Clause>(clause))
        for (const clang::Expr* named : one->varlists())
            if (const auto* reference = dyn_cast<clang::DeclRefExpr>(named->IgnoreParenImpCasts()))
                take(dyn_cast<clang::VarDecl>(reference->getDecl()));
}

// `reduction(+ : out[:n * n])`: each thread adds to elements of its own.
template <class Clause>
void add_reduced(const clang::OMPClause* clause,
                 std::unordered_set<const clang::VarDecl*>& reduced) {
    const auto* one = dyn_cast<Clause>(clause);
    if (!one) return;
    for (const clang::Expr* named : one->varlists()) {
        const clang::Expr* base = named->IgnoreParenImpCasts();
        while (const auto* section = dyn_cast<clang::ArraySectionExpr>(base))
            base = section->getBase()->IgnoreParenImpCasts();
        const auto* reference = dyn_cast<clang::DeclRefExpr>(base);
        if (const auto* variable =
                reference ? dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
            variable && base != named->IgnoreParenImpCasts())
            reduced.insert(variable);
    }
}

}  // namespace

ThreadValues::ThreadValues(const ThreadRegion& region) {
    if (region.directive) collect_clauses(region.directive);
    for (const clang::VarDecl* variable : region.own) own_.emplace(variable, 0);
    varying_.insert(region.varying.begin(), region.varying.end());
    collect(region.body);
    spread();
    visit_jumps(region.body);
}

bool ThreadValues::is_own(const clang::VarDecl* variable) const {
    return own_.count(variable) > 0 || variable->getTLSKind() != clang::VarDecl::TLS_None ||
           variable->hasAttr<clang::OMPThreadPrivateDeclAttr>() ||
           class_name(variable->getType()).starts_with("atomic");
}

void ThreadValues::collect_clauses(const clang::OMPExecutableDirective* directive) {
    const auto take = [this](const clang::VarDecl* variable) {
        if (variable) own_.emplace(variable, conditions_.size());
    };
    for (const clang::OMPClause* clause : directive->clauses()) {
        for_variables<clang::OMPPrivateClause>(clause, take);
        for_variables<clang::OMPFirstprivateClause>(clause, take);
        for_variables<clang::OMPLastprivateClause>(clause, take);
        for_variables<clang::OMPLinearClause>(clause, take);
        // `simd` makes no threads: all that meet it add to the same variable.
        if (directive->getDirectiveKind() == llvm::omp::OMPD_simd) continue;
        for_variables<clang::OMPReductionClause>(clause, take);
        for_variables<clang::OMPInReductionClause>(clause, take);
        for_variables<clang::OMPTaskReductionClause>(clause, take);
        add_reduced<clang::OMPReductionClause>(clause, reduced_);
        add_reduced<clang::OMPInReductionClause>(clause, reduced_);
        add_reduced<clang::OMPTaskReductionClause>(clause, reduced_);
    }
    const auto* loop = dyn_cast<clang::OMPLoopDirective>(directive);
    if (!loop) return;
    const auto kind = directive->getDirectiveKind();
    const bool shared = clang::isOpenMPWorksharingDirective(kind) ||
                        clang::isOpenMPTaskLoopDirective(kind) ||
                        clang::isOpenMPDistributeDirective(kind);
    for (const clang::Expr* counter : loop->counters()) {
        const auto* reference =
            counter ? dyn_cast<clang::DeclRefExpr>(counter->IgnoreParenImpCasts()) : nullptr;
        const auto* variable = reference ? dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
        take(variable);
        if (variable && shared) {
            varying_.insert(variable);
            counters_.insert(variable);
        }
    }
}

void ThreadValues::declare(const clang::VarDecl* variable) {
    if (variable->isStaticLocal()) return;
    own_.emplace(variable, conditions_.size());
    if (variable->hasInit()) flows_.emplace_back(variable, variable->getInit());
    const llvm::StringRef type = class_name(variable->getType());
    locks_ = locks_ || (one_of(type, {"lock_guard", "unique_lock", "scoped_lock", "shared_lock"}) &&
                        !locks_what_is_own(variable));
}

// `std::mutex mine; std::lock_guard guard(mine);`: a mutex of the thread's own keeps nobody out.
bool ThreadValues::locks_what_is_own(const clang::VarDecl* lock) const {
    const auto* made = lock->hasInit()
                           ? dyn_cast<clang::CXXConstructExpr>(lock->getInit()->IgnoreImplicit())
                           : nullptr;
    if (!made || made->getNumArgs() == 0) return false;
    const auto* reference = dyn_cast<clang::DeclRefExpr>(made->getArg(0)->IgnoreParenImpCasts());
    const auto* mutex = reference ? dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
    return mutex && !mutex->getType()->isReferenceType() && !llvm::isa<clang::ParmVarDecl>(mutex) &&
           own_.count(mutex) > 0;
}

void ThreadValues::write(const clang::Expr* place, const clang::Stmt* value) {
    while (const auto* member = dyn_cast<clang::MemberExpr>(place->IgnoreParenImpCasts()))
        place = member->getBase();
    const auto* reference = dyn_cast<clang::DeclRefExpr>(place->IgnoreParenImpCasts());
    const auto* variable = reference ? dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
    if (!variable) return;
    const auto known = own_.find(variable);
    if (known == own_.end()) {  // all write it: nobody knows whose value is there
        varying_.insert(variable);
        return;
    }
    written_.insert(variable);
    flows_.emplace_back(variable, value);
    for (std::size_t i = known->second; i < conditions_.size(); ++i)
        flows_.emplace_back(variable, conditions_[i]);
}

void ThreadValues::collect_under(const clang::Expr* condition, const clang::Stmt* code) {
    if (condition) conditions_.push_back(condition);
    collect(code);
    if (condition) conditions_.pop_back();
}

void ThreadValues::collect(const clang::Stmt* code) {
    if (!code) return;
    if (const auto* directive = dyn_cast<clang::OMPExecutableDirective>(code)) {
        collect_clauses(directive);
        return collect(statement_of(directive));
    }
    if (const auto* captured = dyn_cast<clang::CapturedStmt>(code))
        return collect(captured->getCapturedStmt());
    if (const auto* declarations = dyn_cast<clang::DeclStmt>(code))
        for (const auto* declaration : declarations->decls())
            if (const auto* variable = dyn_cast<clang::VarDecl>(declaration)) declare(variable);
    if (const auto* lambda = dyn_cast<clang::LambdaExpr>(code))
        for (const auto* parameter : lambda->getCallOperator()->parameters()) {
            own_.emplace(parameter, conditions_.size());
            varying_.insert(parameter);
        }
    if (const auto* handler = dyn_cast<clang::CXXCatchStmt>(code);
        handler && handler->getExceptionDecl())
        declare(handler->getExceptionDecl());
    if (const auto* call = dyn_cast<clang::CallExpr>(code))
        if (const auto* callee = call->getDirectCallee(); callee && callee->getIdentifier())
            locks_ = locks_ || one_of(callee->getName(), {"lock", "try_lock", "omp_set_lock",
                                                          "omp_set_nest_lock", "omp_test_lock"});
    if (const auto* place = written_by(code)) write(place, code);
    if (const auto* choice = dyn_cast<clang::IfStmt>(code)) {
        for (const clang::Stmt* before :
             {static_cast<const clang::Stmt*>(choice->getInit()),
              static_cast<const clang::Stmt*>(choice->getConditionVariableDeclStmt()),
              static_cast<const clang::Stmt*>(choice->getCond())})
            collect(before);
        collect_under(choice->getCond(), choice->getThen());
        return collect_under(choice->getCond(), choice->getElse());
    }
    if (const auto* choice = dyn_cast<clang::ConditionalOperator>(code)) {
        collect(choice->getCond());
        collect_under(choice->getCond(), choice->getTrueExpr());
        return collect_under(choice->getCond(), choice->getFalseExpr());
    }
    if (const auto* loop = dyn_cast<clang::ForStmt>(
            code)) {  // how far a loop runs does not make its variable another one
        for (const clang::Stmt* part :
             {loop->getInit(), static_cast<const clang::Stmt*>(loop->getCond()),
              static_cast<const clang::Stmt*>(loop->getInc())})
            collect(part);
        return collect_under(loop->getCond(), loop->getBody());
    }
    if (const auto* loop = dyn_cast<clang::WhileStmt>(code))
        return collect(loop->getCond()), collect_under(loop->getCond(), loop->getBody());
    if (const auto* loop = dyn_cast<clang::DoStmt>(code))
        return collect_under(loop->getCond(), loop->getBody()), collect(loop->getCond());
    if (const auto* choice = dyn_cast<clang::SwitchStmt>(code))
        return collect(choice->getCond()), collect_under(choice->getCond(), choice->getBody());
    for (const clang::Stmt* child : code->children()) collect(child);
}

void ThreadValues::spread() {
    for (bool more = true; more;) {
        more = false;
        for (const auto& [variable, value] : flows_)
            if (varying_.count(variable) == 0 && varies(value))
                more = varying_.insert(variable).second;
    }
}

bool ThreadValues::varies(const clang::Stmt* code) const {
    if (!code) return false;
    if (const auto* reference = dyn_cast<clang::DeclRefExpr>(code)) {
        const auto* variable = dyn_cast<clang::VarDecl>(reference->getDecl());
        return llvm::isa<clang::BindingDecl>(reference->getDecl()) ||
               (variable && varying_.count(variable) > 0);
    }
    if (const auto* call = dyn_cast<clang::CallExpr>(code); call && call_varies(call)) return true;
    return std::any_of(code->child_begin(), code->child_end(),
                       [this](const clang::Stmt* child) { return varies(child); });
}

// The library's functions of values that are the same give what is the same. Of others it is not
// known: omp_get_thread_num() is one of them.
bool ThreadValues::call_varies(const clang::CallExpr* call) const {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (!callee) return true;
    const auto* method = dyn_cast<clang::CXXMethodDecl>(callee);
    if (!method)
        return !is_std(callee) || (callee->getIdentifier() &&
                                   one_of(callee->getName(), {"rand", "exchange", "async"}));
    const llvm::StringRef owner =
        method->getParent()->getIdentifier() ? method->getParent()->getName() : "";
    if (method->getParent()->isLambda() || owner.contains("atomic")) return true;
    const auto operation = method->getOverloadedOperator();
    if (operation != clang::OO_None)
        return operation == clang::OO_PlusPlus || operation == clang::OO_MinusMinus;
    return !method->isConst() && !(method->getIdentifier() &&
                                   one_of(method->getName(), {"data", "begin", "end", "at", "front",
                                                              "back", "flat", "shape"}));
}

bool ThreadValues::picks_one(const clang::Expr* condition) const {
    if (!condition) return false;
    condition = condition->IgnoreParenImpCasts();
    if (const auto* negation = dyn_cast<clang::UnaryOperator>(condition))
        return picks_one(negation->getSubExpr());
    const auto* operation = dyn_cast<clang::BinaryOperator>(condition);
    if (!operation) return false;
    if (operation->isLogicalOp())
        return picks_one(operation->getLHS()) || picks_one(operation->getRHS());
    return operation->isEqualityOp() && operation->getLHS()->getType()->isIntegerType() &&
           varies(operation) && !reads_elements(operation);
}

void ThreadValues::visit_jumps(const clang::Stmt* code) {
    if (!code) return;
    if (const auto* choice = dyn_cast<clang::IfStmt>(code);
        choice && varies(choice->getCond()) &&
        (jumps(choice->getThen()) || jumps(choice->getElse()))) {
        leaves_out_ = true;
        leaves_out_all_but_one_ = leaves_out_all_but_one_ || picks_one(choice->getCond());
    }
    if (const auto* captured = dyn_cast<clang::CapturedStmt>(code))
        return visit_jumps(captured->getCapturedStmt());
    if (const auto* directive = dyn_cast<clang::OMPExecutableDirective>(code))
        return visit_jumps(statement_of(directive));
    for (const clang::Stmt* child : code->children()) visit_jumps(child);
}

}  // namespace lanes::analysis
