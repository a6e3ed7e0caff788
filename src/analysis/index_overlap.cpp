#include "index_overlap.hpp"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

#include <algorithm>

namespace lanes::analysis {
namespace {

using llvm::dyn_cast;

constexpr int deepest = 8;              // locals that are made of locals
constexpr std::size_t most_terms = 64;  // of a sum

const clang::VarDecl* variable_named_by(const clang::Stmt* code) {
    const auto* reference = llvm::dyn_cast_or_null<clang::DeclRefExpr>(code);
    return reference ? dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
}

std::ptrdiff_t position_of(const clang::VarDecl* variable, const Surroundings& around) {
    const auto found =
        std::find_if(around.loops.begin(), around.loops.end(),
                     [&](const clang::ForStmt* loop) { return variable_of(loop) == variable; });
    return found == around.loops.end() ? -1 : found - around.loops.begin();
}

const clang::Expr* start_of(const clang::ForStmt* loop) {
    if (const auto* assignment = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getInit()))
        return assignment->getRHS();
    const clang::VarDecl* variable = variable_of(loop);
    return variable ? variable->getInit() : nullptr;
}

}  // namespace

std::optional<Overlap> IndexOverlap::overlap(const std::vector<Index>& indices,
                                             const Surroundings& around) const {
    if (region_.in_strides) return std::nullopt;
    for (const clang::ForStmt* loop : around.loops)
        if (values_.is_counter(variable_of(loop)) && step_of(loop) == Step::constant)
            return std::nullopt;  // the rows between may have a turn of their own
    for (const clang::Expr* condition : around.conditions)
        if (!asks_for_bounds(condition, around, 0)) return std::nullopt;
    if (!leaves_out_by_bounds_alone(region_.body, around)) return std::nullopt;
    std::optional<Overlap> result;
    for (const Index& index : indices) {
        Overlap overlap{};
        const Found found = visit(index, around, overlap);
        if (found == Found::unknown) return std::nullopt;
        if (found == Found::overlap && !result) result = overlap;
    }
    return result;
}

IndexOverlap::Found IndexOverlap::visit(const Index& index, const Surroundings& around,
                                        Overlap& overlap) const {
    std::vector<Term> terms;
    for (const clang::Expr* part : index)
        if (!expand(part, around, 0, terms)) return Found::unknown;
    const clang::VarDecl* shared =
        nullptr;  // the outermost; what begins at a bound that it sets is a loop inside it
    for (const Term& term : terms)
        for (const Atom& atom : term)
            if (atom.varies && atom.is_loop &&
                shares(around.loops[static_cast<std::size_t>(position_of(atom.loop, around))]))
                if (!shared || position_of(atom.loop, around) < position_of(shared, around))
                    shared = atom.loop;
    const Term* with_it = nullptr;
    for (const Term& term : terms)
        for (const Atom& atom : term)
            if (atom.is_loop && atom.loop == shared) {
                if (with_it) return Found::unknown;
                with_it = &term;
            }
    const auto inside = [&](const Atom& atom) {
        return atom.loop && shared && position_of(atom.loop, around) > position_of(shared, around);
    };
    for (const Term& term : terms)
        for (const Atom& atom : term)
            if (atom.varies &&
                !(atom.is_loop &&
                  (atom.loop == shared ||
                   (inside(atom) &&
                    is_clamped(
                        around.loops[static_cast<std::size_t>(position_of(atom.loop, around))],
                        shared)))))
                return Found::unknown;
    if (!shared) return Found::nothing;
    const auto others = [](const Term& term, const Atom& but) {
        std::vector<std::string> keys;
        for (const Atom& atom : term)
            if (&atom != &but) keys.push_back(atom.key);
        std::sort(keys.begin(), keys.end());
        return keys;
    };
    const auto& atom_of_it = *std::find_if(with_it->begin(), with_it->end(), [&](const Atom& atom) {
        return atom.is_loop && atom.loop == shared;
    });
    for (const Term& term : terms)
        for (const Atom& atom : term)
            if (&term != with_it && inside(atom) &&
                others(term, atom) == others(*with_it, atom_of_it)) {
                overlap = {shared, atom.loop};
                return Found::overlap;
            }
    return Found::unknown;
}

// Sums are taken apart, products of sums multiplied out. False where it becomes too much.
bool IndexOverlap::expand(const clang::Expr* sum, const Surroundings& around, int depth,
                          std::vector<Term>& terms) const {
    sum = sum->IgnoreParenCasts();
    if (depth > deepest || terms.size() > most_terms) return false;
    if (const auto* sign = dyn_cast<clang::UnaryOperator>(sum);
        sign && (sign->getOpcode() == clang::UO_Minus || sign->getOpcode() == clang::UO_Plus))
        return expand(sign->getSubExpr(), around, depth, terms);
    if (const auto* operation = dyn_cast<clang::BinaryOperator>(sum)) {
        if (operation->isAdditiveOp())
            return expand(operation->getLHS(), around, depth, terms) &&
                   expand(operation->getRHS(), around, depth, terms);
        if (operation->getOpcode() == clang::BO_Mul) {
            std::vector<Term> left, right;
            if (!expand(operation->getLHS(), around, depth, left) ||
                !expand(operation->getRHS(), around, depth, right))
                return false;
            for (const Term& a : left)
                for (const Term& b : right) {
                    terms.push_back(a);
                    terms.back().insert(terms.back().end(), b.begin(), b.end());
                }
            return terms.size() <= most_terms;
        }
    }
    if (const clang::Expr* whole = made_of(sum);
        whole && position_of(variable_named_by(sum), around) < 0)
        return expand(whole, around, depth + 1, terms);
    terms.push_back({atom_of(sum, around)});
    return true;
}

IndexOverlap::Atom IndexOverlap::atom_of(const clang::Expr* expression,
                                         const Surroundings& around) const {
    const bool varies = values_.varies(expression);
    if (const auto* variable = variable_named_by(expression)) {
        const bool is_loop = position_of(variable, around) >= 0;
        return {variable->getNameAsString() + '#' +
                    std::to_string(reinterpret_cast<std::uintptr_t>(variable)),
                is_loop ? variable : nullptr, is_loop, varies};
    }
    const auto range = clang::CharSourceRange::getTokenRange(expression->getSourceRange());
    const auto& sources = context_.getSourceManager();
    return {clang::Lexer::getSourceText(sources.getExpansionRange(range), sources,
                                        context_.getLangOpts())
                .str(),
            loop_in(expression, around, 0), false, varies};
}

const clang::VarDecl* IndexOverlap::loop_in(const clang::Stmt* code, const Surroundings& around,
                                            int depth) const {
    if (!code || depth > deepest) return nullptr;
    if (const auto* variable = variable_named_by(code)) {
        if (position_of(variable, around) >= 0) return variable;
        return values_.stays(variable) ? loop_in(variable->getInit(), around, depth + 1) : nullptr;
    }
    for (const clang::Stmt* child : code->children())
        if (const auto* variable = loop_in(child, around, depth)) return variable;
    return nullptr;
}

// What a local stands for that is never written again.
const clang::Expr* IndexOverlap::made_of(const clang::Expr* expression) const {
    const auto* variable = variable_named_by(expression);
    return variable && values_.stays(variable) && !llvm::isa<clang::ParmVarDecl>(variable)
               ? variable->getInit()
               : nullptr;
}

// Do different threads have different iterations of it, one beside the other?
bool IndexOverlap::shares(const clang::ForStmt* loop) const {
    if (values_.is_counter(variable_of(loop))) return step_of(loop) == Step::one;
    const clang::Expr* start = start_of(loop);
    return start && values_.varies(start) && step_of(loop) != Step::constant;
}

// A loop over all values, or over those of them that do not lead out of an image.
bool IndexOverlap::is_clamped(const clang::ForStmt* loop, const clang::VarDecl* by) const {
    const clang::Expr* start = start_of(loop);
    const auto* condition = loop->getCond()
                                ? dyn_cast<clang::BinaryOperator>(loop->getCond()->IgnoreImplicit())
                                : nullptr;
    return start && condition && condition->isRelationalOp() && is_clamp(start, by) &&
           is_clamp(condition->getRHS(), by);
}

bool IndexOverlap::is_clamp(const clang::Expr* expression, const clang::VarDecl* by) const {
    expression = expression->IgnoreParenCasts();
    if (!values_.varies(expression)) return true;
    if (const clang::Expr* whole = made_of(expression)) return is_clamp(whole, by);
    const auto* call = dyn_cast<clang::CallExpr>(expression->IgnoreImplicit());
    const auto* callee = call ? call->getDirectCallee() : nullptr;
    if (!callee || !callee->getIdentifier() || !callee->isInStdNamespace()) return false;
    return (callee->getName() == "max" || callee->getName() == "min" ||
            callee->getName() == "clamp") &&
           varies_by(call, by, 0);
}

bool IndexOverlap::varies_by(const clang::Stmt* code, const clang::VarDecl* by, int depth) const {
    if (!code) return true;
    if (depth > deepest) return false;
    if (const auto* variable = variable_named_by(code); variable && values_.varies(variable))
        return variable == by ||
               (values_.stays(variable) && varies_by(variable->getInit(), by, depth + 1));
    return std::all_of(code->child_begin(), code->child_end(),
                       [&](const clang::Stmt* child) { return varies_by(child, by, depth); });
}

// `row >= 0 && row < rows`: it keeps inside an array and picks nothing. Bounds that differ from
// thread to thread do pick.
bool IndexOverlap::asks_for_bounds(const clang::Expr* condition, const Surroundings& around,
                                   int depth) const {
    condition = condition->IgnoreParenImpCasts();
    if (depth > deepest) return false;
    if (!values_.varies(condition) && !loop_in(condition, around, 0)) return true;
    if (const auto* negation = dyn_cast<clang::UnaryOperator>(condition);
        negation && negation->getOpcode() == clang::UO_LNot)
        return asks_for_bounds(negation->getSubExpr(), around, depth + 1);
    if (const clang::Expr* whole = made_of(condition))
        return asks_for_bounds(whole, around, depth + 1);
    const auto* operation = dyn_cast<clang::BinaryOperator>(condition);
    if (!operation) return false;
    if (operation->isLogicalOp())
        return asks_for_bounds(operation->getLHS(), around, depth + 1) &&
               asks_for_bounds(operation->getRHS(), around, depth + 1);
    return operation->isRelationalOp() &&
           !(values_.varies(operation->getLHS()) && values_.varies(operation->getRHS()));
}

bool IndexOverlap::leaves_out_by_bounds_alone(const clang::Stmt* code,
                                              const Surroundings& around) const {
    if (!code) return true;
    if (const auto* choice = dyn_cast<clang::IfStmt>(code);
        choice && (jumps(choice->getThen()) || jumps(choice->getElse())) &&
        !asks_for_bounds(choice->getCond(), around, 0))
        return false;
    if (const auto* captured = dyn_cast<clang::CapturedStmt>(code))
        return leaves_out_by_bounds_alone(captured->getCapturedStmt(), around);
    if (const auto* directive = dyn_cast<clang::OMPExecutableDirective>(code))
        return leaves_out_by_bounds_alone(statement_of(directive), around);
    return std::all_of(code->child_begin(), code->child_end(), [&](const clang::Stmt* child) {
        return leaves_out_by_bounds_alone(child, around);
    });
}

}  // namespace lanes::analysis
