#include "thread_starts.hpp"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

#include <algorithm>
#include <map>
#include <set>

namespace lanes::analysis {
namespace {

using llvm::dyn_cast;
using Variables = std::set<const clang::VarDecl*>;

llvm::StringRef name_of(const clang::NamedDecl* named) {
    return named && named->getIdentifier() ? named->getName() : "";
}

llvm::StringRef class_name(clang::QualType type) {
    return name_of(type.getNonReferenceType()->getAsCXXRecordDecl());
}

bool is_thread(clang::QualType type) {
    return class_name(type) == "thread" &&
           type.getNonReferenceType()->getAsCXXRecordDecl()->isInStdNamespace();
}

const clang::VarDecl* variable_named_by(const clang::Expr* expression) {
    const auto* reference = dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
    return reference ? dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
}

// x of `std::ref(x)`; null for anything else.
const clang::Expr* referred_to(const clang::Expr* expression) {
    const auto* call = dyn_cast<clang::CallExpr>(expression->IgnoreImplicit());
    const auto* callee = call ? call->getDirectCallee() : nullptr;
    const bool refers = callee && callee->isInStdNamespace() &&
                        (name_of(callee) == "ref" || name_of(callee) == "cref") &&
                        call->getNumArgs() == 1;
    return refers ? call->getArg(0) : nullptr;
}

// What a thread runs: a lambda, given as it is or by its name, or a function.
struct Callable {
    const clang::LambdaExpr* lambda = nullptr;
    const clang::FunctionDecl* function =
        nullptr;  // the lambda's operator, or the function's definition

    explicit operator bool() const { return function != nullptr; }
};

Callable callable_of(const clang::Expr* expression) {
    expression = expression->IgnoreImplicit()->IgnoreParenImpCasts();
    if (const clang::Expr* inner = referred_to(expression)) return callable_of(inner);
    if (const auto* lambda = dyn_cast<clang::LambdaExpr>(expression))
        return {lambda, lambda->getCallOperator()};
    if (const auto* address = dyn_cast<clang::UnaryOperator>(expression);
        address && address->getOpcode() == clang::UO_AddrOf)
        return callable_of(address->getSubExpr());
    const auto* reference = dyn_cast<clang::DeclRefExpr>(expression);
    if (!reference) return {};
    if (const auto* function = dyn_cast<clang::FunctionDecl>(reference->getDecl()))
        return {nullptr, function->getDefinition()};
    const auto* variable = dyn_cast<clang::VarDecl>(reference->getDecl());
    if (!variable || !variable->hasInit() || llvm::isa<clang::ParmVarDecl>(variable)) return {};
    const auto* lambda = dyn_cast<clang::LambdaExpr>(variable->getInit()->IgnoreImplicit());
    return lambda ? Callable{lambda, lambda->getCallOperator()} : Callable{};
}

// One place in the text that starts threads.
struct Start {
    Callable runs;
    std::vector<const clang::Expr*> arguments;
    clang::SourceLocation place;
    bool many = false;  // in a loop, or as many as the library likes
    bool in_strides = false;
    Variables changing;  // what the loops around it change, or declare
    std::size_t when = 0;
};

class ThreadStartFinder {
public:
    explicit ThreadStartFinder(const clang::ASTContext& context) : context_(context) {}

    std::vector<ThreadRace> run(const clang::FunctionDecl* function) {
        visit(function->getBody());
        for (const Start& start : starts_) {
            report_references(start);
            if (start.many) tell(shared_writes_of(region_of(start), context_));
        }
        report_same_function();
        report_pairs();
        return std::move(races_);
    }

private:
    // --- What the text does, in its order

    void visit(const clang::Stmt* code) {
        if (!code) return;
        if (const auto* lambda = dyn_cast<clang::LambdaExpr>(
                code)) {  // what it does is done when it is called, in whatever loop
            const auto loops = std::exchange(loops_, {});
            ++in_lambdas_;
            visit(lambda->getBody());
            --in_lambdas_;
            loops_ = loops;
            return;
        }
        const bool loop =
            llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(
                code);
        if (loop) loops_.push_back(code);
        for (const clang::Stmt* child : code->children()) visit(child);
        if (loop) loops_.pop_back();
        ++now_;
        if (waits(code)) joins_.push_back(now_);
        if (const clang::Expr* place = in_lambdas_ > 0 ? nullptr : written_by(code))
            if (const auto* variable = variable_named_by(place))
                written_outside_.emplace_back(variable, now_);
        note_start(code);
    }

    void note_start(const clang::Stmt* code) {
        std::vector<const clang::Expr*> arguments;
        bool by_algorithm = false;
        if (const auto* made = dyn_cast<clang::CXXConstructExpr>(code);
            made && is_thread(made->getType()) && made->getNumArgs() > 0) {
            if (is_thread(made->getArg(0)->getType())) return;
            arguments.assign(made->arg_begin(), made->arg_end());
        } else if (const auto* member = dyn_cast<clang::CXXMemberCallExpr>(code)) {
            const llvm::StringRef name = name_of(member->getMethodDecl());
            if ((name != "emplace_back" && name != "emplace_front") || member->getNumArgs() == 0 ||
                is_thread(member->getArg(0)->getType()) ||
                !holds_threads(member->getImplicitObjectArgument()->getType()))
                return;
            arguments.assign(member->arg_begin(), member->arg_end());
        } else if (const auto* call = dyn_cast<clang::CallExpr>(code);
                   call && call->getDirectCallee() && call->getDirectCallee()->isInStdNamespace()) {
            arguments.assign(call->arg_begin(), call->arg_end());
            by_algorithm = !arguments.empty() &&
                           class_name(arguments.front()->getType()).starts_with("parallel_");
            if (!by_algorithm && name_of(call->getDirectCallee()) != "async") return;
            if (by_algorithm)
                arguments.erase(arguments.begin(), arguments.end() - 1);
            else if (!arguments.empty() && arguments.front()->getType()->isEnumeralType())
                arguments.erase(arguments.begin());
        }
        if (arguments.empty()) return;
        Start start;
        start.runs = callable_of(arguments.front());
        if (!start.runs || !start.runs.function->getBody() ||
            start.runs.function->isInStdNamespace())
            return;
        start.arguments.assign(arguments.begin() + 1, arguments.end());
        start.place = arguments.front()->getExprLoc();
        if (const auto* expression = dyn_cast<clang::Expr>(code))
            start.place = expression->getExprLoc();
        start.many = by_algorithm;
        start.when = now_;
        for (auto loop = loops_.rbegin(); loop != loops_.rend() && !waits_inside(*loop); ++loop) {
            start.many = true;
            collect_changing(*loop, start.changing);
            const auto* counted = dyn_cast<clang::ForStmt>(*loop);
            start.in_strides = start.in_strides || (counted && step_of(counted) == Step::constant);
        }
        starts_.push_back(std::move(start));
    }

    static bool holds_threads(clang::QualType type) {
        const auto* special = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
            type.getNonReferenceType()->getAsCXXRecordDecl());
        return special && special->getTemplateArgs().size() > 0 &&
               special->getTemplateArgs()[0].getKind() == clang::TemplateArgument::Type &&
               is_thread(special->getTemplateArgs()[0].getAsType());
    }

    static bool waits(const clang::Stmt* code) {
        const auto* call = dyn_cast<clang::CXXMemberCallExpr>(code);
        const llvm::StringRef name = call ? name_of(call->getMethodDecl()) : "";
        return name == "join" || name == "get" || name == "wait";
    }

    static bool waits_inside(const clang::Stmt* code) {
        return code &&
               (waits(code) || std::any_of(code->child_begin(), code->child_end(), waits_inside));
    }

    static void collect_changing(const clang::Stmt* code, Variables& changing) {
        if (!code || llvm::isa<clang::LambdaExpr>(code)) return;
        if (const auto* declarations = dyn_cast<clang::DeclStmt>(code))
            for (const auto* declaration : declarations->decls())
                if (const auto* variable = dyn_cast<clang::VarDecl>(declaration);
                    variable && !variable->isStaticLocal())
                    changing.insert(variable);
        if (const clang::Expr* place = written_by(code))
            if (const auto* variable = variable_named_by(place)) changing.insert(variable);
        for (const clang::Stmt* child : code->children()) collect_changing(child, changing);
    }

    // --- What a thread has for itself

    static bool differs(const clang::Stmt* code, const Variables& changing) {
        if (!code) return false;
        if (const auto* reference = dyn_cast<clang::DeclRefExpr>(code)) {
            const auto* variable = dyn_cast<clang::VarDecl>(reference->getDecl());
            return !variable ? llvm::isa<clang::BindingDecl>(reference->getDecl())
                             : changing.count(variable) > 0;
        }
        if (const auto* call = dyn_cast<clang::CallExpr>(code)) {
            const auto* callee = call->getDirectCallee();
            const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
            if (!callee || !(callee->isInStdNamespace() || (method && method->isConst())))
                return true;
        }
        return std::any_of(code->child_begin(), code->child_end(),
                           [&](const clang::Stmt* child) { return differs(child, changing); });
    }

    ThreadRegion region_of(const Start& start) const {
        ThreadRegion region{
            start.runs.function->getBody(), start.place, nullptr, start.in_strides, {}, {}};
        if (start.runs.lambda)
            for (const auto& capture : start.runs.lambda->captures()) {
                const auto* variable = capture.capturesVariable()
                                           ? dyn_cast<clang::VarDecl>(capture.getCapturedVar())
                                           : nullptr;
                if (!variable) continue;
                const bool changes =
                    start.changing.count(variable) > 0 ||
                    (variable->isInitCapture() && differs(variable->getInit(), start.changing));
                if (capture.getCaptureKind() == clang::LCK_ByCopy) region.own.push_back(variable);
                if (changes) region.varying.push_back(variable);
            }
        for (unsigned i = 0; i < start.runs.function->getNumParams(); ++i)
            take_parameter(start, i, region);
        return region;
    }

    // By value it is the thread's own; by std::ref or as an address of what does not change it
    // leads all threads to one place.
    static void take_parameter(const Start& start, unsigned i, ThreadRegion& region) {
        const clang::ParmVarDecl* parameter = start.runs.function->getParamDecl(i);
        const clang::Expr* argument = i < start.arguments.size() ? start.arguments[i] : nullptr;
        const bool varies = !argument || differs(argument, start.changing);
        const bool leads = parameter->getType()->isReferenceType()
                               ? argument && referred_to(argument)
                               : parameter->getType()->isPointerType();
        if (leads && !varies) return;
        region.own.push_back(parameter);
        if (varies || parameter->getType()->isReferenceType()) region.varying.push_back(parameter);
    }

    // --- What is reported

    void tell(std::vector<SharedWrite> writes, bool by_reference = false) {
        for (SharedWrite& write : writes) races_.push_back({std::move(write), by_reference});
    }

    void report_references(const Start& start) {
        const auto consider = [&](const clang::VarDecl* variable, clang::SourceLocation place) {
            if (variable && start.changing.count(variable) > 0 &&
                !variable->getType()->isReferenceType() &&
                class_name(variable->getType()) != "thread")
                tell({{variable->getNameAsString(), variable, false, place, start.place, {}, {}}},
                     true);
        };
        if (start.runs.lambda)
            for (const auto& capture : start.runs.lambda->captures())
                if (capture.capturesVariable() && capture.getCaptureKind() == clang::LCK_ByRef)
                    consider(dyn_cast<clang::VarDecl>(capture.getCapturedVar()),
                             capture.getLocation());
        for (const clang::Expr* argument : start.arguments)
            if (const clang::Expr* inner = referred_to(argument))
                consider(variable_named_by(inner), inner->getExprLoc());
    }

    bool joined_between(const Start& first, const Start& second) const {
        return std::any_of(joins_.begin(), joins_.end(), [&](std::size_t when) {
            return first.when < when && when < second.when;
        });
    }

    // `std::thread a(work, 0, half), b(work, half, n);`: what is the same text in both is the same
    // value.
    void report_same_function() {
        std::map<const clang::FunctionDecl*, std::vector<const Start*>> by_function;
        for (const Start& start : starts_)
            if (!start.many) by_function[start.runs.function].push_back(&start);
        for (const auto& [function, starts] : by_function) {
            if (starts.size() < 2 || joined_between(*starts[0], *starts[1])) continue;
            Start both = *starts[0];
            for (std::size_t i = 0; i < both.arguments.size(); ++i)
                if (i >= starts[1]->arguments.size() ||
                    text_of(both.arguments[i]) != text_of(starts[1]->arguments[i]))
                    both.arguments[i] = nullptr;
            tell(shared_writes_of(region_of(both), context_));
        }
    }

    // Two threads of different functions, or a thread and who has started it: one variable that
    // both write.
    void report_pairs() {
        std::vector<std::vector<SharedWrite>> writes;
        writes.reserve(starts_.size());
        for (const Start& start : starts_)
            writes.push_back(start.many ? std::vector<SharedWrite>{}
                                        : shared_writes_of(region_of(start), context_));
        for (std::size_t i = 0; i < starts_.size(); ++i)
            for (const SharedWrite& write : writes[i]) {
                if (write.element) continue;
                bool met = false;
                for (std::size_t j = i + 1; j < starts_.size() && !met; ++j)
                    met = starts_[j].runs.function != starts_[i].runs.function &&
                          !joined_between(starts_[i], starts_[j]) && has(writes[j], write.variable);
                for (const auto& [variable, when] : written_outside_)
                    met = met || (variable == write.variable && runs_at(starts_[i], when));
                if (met) tell({write});
            }
    }

    static bool has(const std::vector<SharedWrite>& writes, const clang::VarDecl* variable) {
        return std::any_of(writes.begin(), writes.end(), [&](const SharedWrite& other) {
            return !other.element && other.variable == variable;
        });
    }

    bool runs_at(const Start& start, std::size_t when) const {
        const auto end = std::find_if(joins_.begin(), joins_.end(),
                                      [&](std::size_t join) { return join > start.when; });
        return when > start.when + 2 && end != joins_.end() && when < *end;
    }

    std::string text_of(const clang::Expr* expression) const {
        const auto range = clang::CharSourceRange::getTokenRange(expression->getSourceRange());
        return clang::Lexer::getSourceText(context_.getSourceManager().getExpansionRange(range),
                                           context_.getSourceManager(), context_.getLangOpts())
            .str();
    }

    const clang::ASTContext& context_;
    std::vector<const clang::Stmt*> loops_;
    int in_lambdas_ = 0;
    std::size_t now_ = 0;
    std::vector<Start> starts_;
    std::vector<std::size_t> joins_;
    std::vector<std::pair<const clang::VarDecl*, std::size_t>> written_outside_;
    std::vector<ThreadRace> races_;
};

}  // namespace

std::vector<ThreadRace> thread_races_of(const clang::FunctionDecl* function,
                                        const clang::ASTContext& context) {
    if (!function->doesThisDeclarationHaveABody() || function->isDependentContext()) return {};
    return ThreadStartFinder(context).run(function);
}

}  // namespace lanes::analysis
