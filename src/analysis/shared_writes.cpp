#include "shared_writes.hpp"

#include "index_overlap.hpp"
#include "thread_values.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/OpenMPKinds.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

#include <algorithm>
#include <optional>

namespace lanes::analysis {
namespace {

using llvm::dyn_cast;

// What is written: an object, or an element of one, and whether which element it is differs from
// thread to thread.
struct Place {
    const clang::VarDecl* root = nullptr;
    bool element = false, varies = false;
    std::vector<IndexOverlap::Index> indices = {};
    bool pointed_to = false;  // what is added now belongs to the last index
};

class Writes {
public:
    Writes(const ThreadRegion& region, const clang::ASTContext& context)
        : region_(region),
          context_(context),
          values_(region),
          overlaps_(region_, values_, context),
          undivided_(region.directive &&
                     region.directive->getDirectiveKind() == llvm::omp::OMPD_parallel &&
                     has_loop(region.body) && !divides(region.body)) {}

    std::vector<SharedWrite> run() {
        if (!values_.locks()) visit(region_.body, false, false);
        return std::move(found_);
    }

private:
    static bool has_loop(const clang::Stmt* code) {
        return code && (llvm::isa<clang::ForStmt, clang::CXXForRangeStmt>(code) ||
                        std::any_of(code->child_begin(), code->child_end(), has_loop));
    }

    // By a directive of its own, or by calls such as omp_get_thread_num().
    static bool divides(const clang::Stmt* code) {
        if (!code) return false;
        const auto* call = dyn_cast<clang::CallExpr>(code);
        const auto* function = call ? call->getDirectCallee() : nullptr;
        if (function && function->getIdentifier() && function->getName().starts_with("omp_get_"))
            return true;
        return llvm::isa<clang::OMPExecutableDirective>(code) ||
               std::any_of(code->child_begin(), code->child_end(), divides);
    }

    // under_condition: which differs from thread to thread; picked: by one that picks a thread.
    void visit(const clang::Stmt* code, bool under_condition, bool picked) {
        if (!code) return;
        if (const auto* directive = dyn_cast<clang::OMPExecutableDirective>(code)) {
            if (!takes_turns(directive)) visit(statement_of(directive), under_condition, picked);
            return;
        }
        if (const auto* captured = dyn_cast<clang::CapturedStmt>(code))
            return visit(captured->getCapturedStmt(), under_condition, picked);
        if (const auto* lambda = dyn_cast<clang::LambdaExpr>(code); lambda && lambda->isMutable())
            return;
        if (const auto* place = written_by(code)) consider(place, under_condition, picked);
        if (const auto* call = dyn_cast<clang::CXXMemberCallExpr>(code); call && grows(call))
            consider(call->getImplicitObjectArgument(), under_condition, picked);
        const clang::Expr* condition = nullptr;
        if (const auto* choice = dyn_cast<clang::IfStmt>(code)) condition = choice->getCond();
        if (const auto* choice = dyn_cast<clang::ConditionalOperator>(code))
            condition = choice->getCond();
        if (const auto* choice = dyn_cast<clang::SwitchStmt>(code)) condition = choice->getCond();
        if (condition && values_.varies(condition)) {
            under_condition = true;
            picked = picked || values_.picks_one(condition) || llvm::isa<clang::SwitchStmt>(code);
        }
        const auto* loop = dyn_cast<clang::ForStmt>(code);
        if (condition) around_.conditions.push_back(condition);
        if (loop) around_.loops.push_back(loop);
        for (const clang::Stmt* child : code->children()) visit(child, under_condition, picked);
        if (condition) around_.conditions.pop_back();
        if (loop) around_.loops.pop_back();
    }

    static bool takes_turns(const clang::OMPExecutableDirective* directive) {
        return llvm::isa<
            clang::OMPAtomicDirective, clang::OMPCriticalDirective, clang::OMPSingleDirective,
            clang::OMPMasterDirective, clang::OMPMaskedDirective, clang::OMPOrderedDirective,
            clang::OMPSectionDirective, clang::OMPSectionsDirective, clang::OMPTaskDirective>(
            directive);
    }

    // What makes a container of the standard library another one: two threads at a time destroy it.
    static bool grows(const clang::CXXMemberCallExpr* call) {
        const auto* method = call->getMethodDecl();
        if (!method || !method->getIdentifier() || !method->getParent()->isInStdNamespace())
            return false;
        const llvm::StringRef name = method->getName();
        return name == "push_back" || name == "emplace_back" || name == "insert" ||
               name == "emplace" || name == "pop_back" || name == "resize" || name == "clear";
    }

    void consider(const clang::Expr* expression, bool under_condition, bool picked) {
        const std::optional<Place> place = place_of(expression);
        if (!place || values_.is_own(place->root)) return;
        if (place->element && values_.has_own_elements(place->root)) return;
        const std::optional<Overlap> overlap =
            place->varies ? overlaps_.overlap(place->indices, around_) : std::nullopt;
        if (place->varies && !overlap) return;
        if (!overlap && (place->element ? under_condition || values_.leaves_out()
                                        : picked || values_.leaves_out_all_but_one()))
            return;
        SharedWrite write{place->root->getNameAsString(),
                          place->root,
                          place->element,
                          expression->getExprLoc(),
                          region_.begin,
                          {},
                          {},
                          undivided_};
        if (place->element) write.name = text_of(expression);
        if (overlap)
            write.shared = overlap->shared->getNameAsString(),
            write.with = overlap->with->getNameAsString();
        const bool known = std::any_of(found_.begin(), found_.end(), [&](const SharedWrite& other) {
            return other.name == write.name;
        });
        if (!known && !write.name.empty()) found_.push_back(std::move(write));
    }

    std::optional<Place> place_of(const clang::Expr* expression) const {
        expression = expression->IgnoreParenImpCasts();
        if (const auto* reference = dyn_cast<clang::DeclRefExpr>(expression)) {
            const auto* variable = dyn_cast<clang::VarDecl>(reference->getDecl());
            if (!variable) return std::nullopt;
            if (!variable->getType()->isReferenceType() || !values_.is_own(variable))
                return Place{variable};
            return llvm::isa<clang::ParmVarDecl>(variable) || !variable->hasInit()
                       ? std::nullopt
                       : place_of(variable->getInit());
        }
        if (const auto* member = dyn_cast<clang::MemberExpr>(expression))
            return member->isArrow() ? std::nullopt : place_of(member->getBase());
        if (const auto* element = dyn_cast<clang::ArraySubscriptExpr>(expression))
            return element_of(target_of(element->getBase()), {element->getIdx()});
        if (const auto* operation = dyn_cast<clang::UnaryOperator>(expression))
            return operation->getOpcode() == clang::UO_Deref
                       ? element_of(target_of(operation->getSubExpr()), {})
                       : std::nullopt;
        if (const auto* call = dyn_cast<clang::CXXOperatorCallExpr>(expression)) {
            if (call->getOperator() != clang::OO_Call && call->getOperator() != clang::OO_Subscript)
                return std::nullopt;
            if (const auto* method =
                    llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getDirectCallee());
                !method || method->getParent()->isLambda())
                return std::nullopt;
            return element_of(place_of(call->getArg(0)), {call->arg_begin() + 1, call->arg_end()});
        }
        if (const auto* call = dyn_cast<clang::CXXMemberCallExpr>(expression);
            call && is_called(call, "at"))
            return element_of(place_of(call->getImplicitObjectArgument()),
                              {call->arg_begin(), call->arg_end()});
        return std::nullopt;
    }

    // Where a pointer points to.
    std::optional<Place> target_of(const clang::Expr* pointer) const {
        pointer = pointer->IgnoreParenImpCasts();
        if (const auto* reference = dyn_cast<clang::DeclRefExpr>(pointer)) {
            const auto* variable = dyn_cast<clang::VarDecl>(reference->getDecl());
            if (!variable) return std::nullopt;
            if (variable->getType()->isArrayType() || !values_.is_own(variable))
                return pointed_to(Place{variable, true, values_.varies(variable)});
            if (llvm::isa<clang::ParmVarDecl>(variable) || !variable->hasInit() ||
                (values_.varies(variable) && !values_.stays(variable)))
                return std::nullopt;
            auto place = target_of(variable->getInit());
            if (place) place->varies = place->varies || values_.varies(variable);
            return place;
        }
        if (const auto* sum = dyn_cast<clang::BinaryOperator>(pointer);
            sum && sum->isAdditiveOp()) {
            const bool left = sum->getLHS()->getType()->isPointerType();
            auto place = target_of(left ? sum->getLHS() : sum->getRHS());
            const bool still_pointed_to = place && place->pointed_to;
            place = element_of(std::move(place), {left ? sum->getRHS() : sum->getLHS()});
            if (place) place->pointed_to = still_pointed_to;
            return place;
        }
        if (const auto* address = dyn_cast<clang::UnaryOperator>(pointer);
            address && address->getOpcode() == clang::UO_AddrOf)
            return pointed_to(place_of(address->getSubExpr()));
        if (const auto* call = dyn_cast<clang::CXXMemberCallExpr>(pointer);
            call && is_called(call, "data"))
            return pointed_to(element_of(place_of(call->getImplicitObjectArgument()), {}));
        if (llvm::isa<clang::ArraySubscriptExpr>(pointer))
            return place_of(pointer);  // a row of an array of arrays
        return std::nullopt;
    }

    static bool is_called(const clang::CXXMemberCallExpr* call, llvm::StringRef name) {
        const auto* method = call->getMethodDecl();
        return method && method->getIdentifier() && method->getName() == name;
    }

    // A matrix has several indices; what is added to a pointer goes on with the one before.
    std::optional<Place> element_of(std::optional<Place> place,
                                    const std::vector<const clang::Expr*>& indices) const {
        if (!place) return place;
        place->element = true;
        for (const clang::Expr* index : indices) {
            place->varies = place->varies || values_.varies(index);
            if (place->pointed_to && !place->indices.empty())
                place->indices.back().push_back(index);
            else
                place->indices.push_back({index});
        }
        place->pointed_to = false;
        return place;
    }

    static std::optional<Place> pointed_to(std::optional<Place> place) {
        if (place) place->pointed_to = true;
        return place;
    }

    std::string text_of(const clang::Expr* expression) const {
        const auto range = clang::CharSourceRange::getTokenRange(expression->getSourceRange());
        return clang::Lexer::getSourceText(context_.getSourceManager().getExpansionRange(range),
                                           context_.getSourceManager(), context_.getLangOpts())
            .str();
    }

    ThreadRegion region_;
    const clang::ASTContext& context_;
    ThreadValues values_;
    IndexOverlap overlaps_;
    bool undivided_;
    Surroundings around_;
    std::vector<SharedWrite> found_;
};

bool runs_on_one_thread(const clang::OMPExecutableDirective* directive,
                        const clang::ASTContext& context) {
    for (const auto* clause : directive->getClausesOfKind<clang::OMPNumThreadsClause>()) {
        const auto number = clause->getNumThreads()->getIntegerConstantExpr(context);
        if (number && *number == 1) return true;
    }
    return false;
}

bool has_one_thread_at_work(clang::OpenMPDirectiveKind kind) {
    return kind == llvm::omp::OMPD_parallel_master || kind == llvm::omp::OMPD_parallel_masked ||
           kind == llvm::omp::OMPD_parallel_sections;
}

}  // namespace

std::vector<SharedWrite> shared_writes_of(const clang::OMPExecutableDirective* directive,
                                          const clang::ASTContext& context) {
    const auto kind = directive->getDirectiveKind();
    if (!clang::isOpenMPParallelDirective(kind) || has_one_thread_at_work(kind) ||
        !statement_of(directive) || runs_on_one_thread(directive, context))
        return {};
    if (const auto* captured = dyn_cast<clang::CapturedStmt>(directive->getAssociatedStmt());
        captured && captured->getCapturedDecl()->isDependentContext())
        return {};
    return Writes(region_of(directive), context).run();
}

std::vector<SharedWrite> shared_writes_of(const ThreadRegion& region,
                                          const clang::ASTContext& context) {
    return Writes(region, context).run();
}

}  // namespace lanes::analysis
