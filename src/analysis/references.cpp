#include "references.hpp"

#include "atomic_steps.hpp"
#include "shared_writes.hpp"
#include "thread_region.hpp"
#include "thread_starts.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <unordered_set>

namespace lanes::analysis {
namespace {

using clang::NamedDecl;

std::string qualified_name(const NamedDecl* declaration) {
    std::string name = declaration->getDeclName().getAsString();
    if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(declaration))
        name = constructor->getParent()->getNameAsString();
    for (const auto* context = declaration->getDeclContext(); context;
         context = context->getParent()) {
        const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(context);
        const auto* named = llvm::dyn_cast<NamedDecl>(clang::Decl::castFromDeclContext(context));
        if (!named || !named->getDeclName() || (space && space->isInline())) continue;
        name.insert(0, named->getNameAsString() + "::");
    }
    return name;
}

// x of `x = …`, `x.member = …`, `x[i] = …`
const clang::ValueDecl* assigned_by(const clang::Expr* left) {
    for (;;) {
        left = left->IgnoreParenImpCasts();
        if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(left))
            left = member->getBase();
        else if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(left))
            left = element->getBase();
        else if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(left);
                 call && call->getNumArgs() > 0)
            left = call->getArg(0);
        else
            break;
    }
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(left);
    return name ? name->getDecl() : nullptr;
}

// Assignments in the statements of cells, to variables that `wanted` names.
class Assignments : public clang::RecursiveASTVisitor<Assignments> {
public:
    explicit Assignments(const std::unordered_set<const clang::Decl*>& wanted) : wanted_(wanted) {}

    bool VisitBinaryOperator(clang::BinaryOperator* operation) {
        if (operation->isAssignmentOp()) consider(operation, operation->getLHS());
        return true;
    }
    bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* call) {
        if (call->isAssignmentOp()) consider(call, call->getArg(0));
        return true;
    }
    std::vector<clang::Expr*> found;

private:
    void consider(clang::Expr* whole, const clang::Expr* left) {
        const auto* variable = assigned_by(left);
        if (variable && wanted_.count(variable->getCanonicalDecl()) > 0) found.push_back(whole);
    }
    const std::unordered_set<const clang::Decl*>& wanted_;
};

class ReferenceVisitor : public clang::RecursiveASTVisitor<ReferenceVisitor> {
public:
    explicit ReferenceVisitor(const xcpp::AnalysisInput& input) : input_(input) {}

    bool shouldVisitTemplateInstantiations() const { return true; }
    bool shouldVisitImplicitCode() const { return true; }

    bool VisitDeclRefExpr(clang::DeclRefExpr* e) { return note(e->getDecl(), e->getLocation()); }
    bool VisitMemberExpr(clang::MemberExpr* e) {
        return note(e->getMemberDecl(), e->getMemberLoc());
    }
    bool VisitCXXConstructExpr(clang::CXXConstructExpr* e) {
        return note(e->getConstructor(), e->getLocation());
    }
    bool VisitOverloadExpr(clang::OverloadExpr* e) {
        for (auto* candidate : e->decls()) note(candidate, e->getNameLoc());
        return true;
    }
    bool VisitAsmStmt(clang::AsmStmt* e) {
        add("asm", "asm", e->getAsmLoc());
        return true;
    }
    bool VisitOMPExecutableDirective(clang::OMPExecutableDirective* directive) {
        for (const SharedWrite& write : shared_writes_of(directive, input_.context))
            add_race(write, true, false);
        if (shares_work(directive, input_.context))
            add("omp parallel", "pragma", directive->getBeginLoc());
        return true;
    }
    bool VisitFunctionDecl(clang::FunctionDecl* function) {
        const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
        if (method && method->getParent()->isLambda())
            return true;  // looked at where it is written
        for (const ThreadRace& race : thread_races_of(function, input_.context))
            add_race(race.write, false, race.by_reference);
        for (AtomicWrite& write : atomic_writes_of(function)) atomic_writes_.push_back(write);
        return true;
    }
    bool VisitTypedefTypeLoc(clang::TypedefTypeLoc e) {
        return note(e.getTypedefNameDecl(), e.getNameLoc());
    }
    bool VisitTagTypeLoc(clang::TagTypeLoc e) { return note(e.getDecl(), e.getNameLoc()); }
    bool VisitUsingTypeLoc(clang::UsingTypeLoc e) { return note(e.getFoundDecl(), e.getNameLoc()); }
    bool VisitTemplateSpecializationTypeLoc(clang::TemplateSpecializationTypeLoc e) {
        if (auto* pattern = e.getTypePtr()->getTemplateName().getAsTemplateDecl())
            note(pattern, e.getTemplateNameLoc());
        return true;
    }

    void enter(const NamedDecl* declaration) {
        const auto* owner = declaration;
        if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(declaration);
            method && !method->getParent()->isLambda())
            owner = method->getParent();
        if (const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(owner);
            record && record->isLambda())
            return;  // looked at where it is written
        if (!seen_.insert(owner->getCanonicalDecl()).second) return;
        const NamedDecl* top = top_of(owner);
        result_.inside.emplace(unit_of(owner), top->getDeclName().getAsString());
        waiting_.push_back(owner);
    }

    References run() {
        std::size_t assigned = 0;
        do {
            while (!waiting_.empty()) {
                const NamedDecl* next = waiting_.back();
                waiting_.pop_back();
                current_ = next->getDeclName().getAsString();
                look_into(next);
            }
            assigned = visit_assignments();
        } while (assigned > 0);
        for (const AtomicWrite& write : lossy(atomic_writes_)) {
            const auto place = presumed(write.written);
            const int cell = place.isValid() ? input_.cell_of_file_name(place.getFilename()) : 0;
            result_.two_steps.push_back({write.atomic->getNameAsString(),
                                         write.in->getNameAsString(), cell,
                                         cell > 0 ? static_cast<int>(place.getLine()) : 0});
        }
        std::sort(result_.outside.begin(), result_.outside.end(),
                  [](const Reference& a, const Reference& b) {
                      return std::tie(a.cell, a.line, a.name) < std::tie(b.cell, b.line, b.name);
                  });
        return std::move(result_);
    }

private:
    // The number N of the namespace `__cN` that a cell's declarations stand in; 0 where there is
    // none.
    int unit_of(const clang::Decl* declaration) const {
        for (const auto* context = declaration->getDeclContext(); context;
             context = context->getParent()) {
            const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(context);
            if (!space || !space->isInline()) continue;
            if (const int unit = input_.unit_of_namespace_name(space->getName())) return unit;
        }
        return 0;
    }

    bool is_cell_space(const clang::DeclContext* context) const {
        const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(context);
        return space && space->isInline() && input_.unit_of_namespace_name(space->getName()) > 0;
    }

    // The declaration around it that stands at the top level of a cell.
    const NamedDecl* top_of(const NamedDecl* declaration) const {
        const NamedDecl* top = declaration;
        for (const auto* context = declaration->getDeclContext();
             context && !context->isTranslationUnit() && !is_cell_space(context);
             context = context->getParent())
            if (const auto* named =
                    llvm::dyn_cast<NamedDecl>(clang::Decl::castFromDeclContext(context)))
                top = named;
        return top;
    }

    void look_into(const NamedDecl* declaration) {
        if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
            const clang::FunctionDecl* definition = function->getDefinition();
            if (!definition) definition = function->getTemplateInstantiationPattern();
            if (!definition) return enter_later_definitions(function);
            declaration = definition;
        } else if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration)) {
            variables_.insert(variable->getCanonicalDecl());
            if (const auto* definition = variable->getDefinition()) declaration = definition;
        } else if (const auto* tag = llvm::dyn_cast<clang::TagDecl>(declaration)) {
            if (const auto* definition = tag->getDefinition()) declaration = definition;
            if (const auto* special = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(tag))
                enter(special->getSpecializedTemplate());
        }
        TraverseDecl(const_cast<NamedDecl*>(declaration));
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration))
            TraverseStmt(input_.detached_initialiser(variable));
        // A member that is defined outside its class is no child of it.
        if (const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(declaration))
            for (const auto* method : record->methods())
                if (const auto* definition = method->getDefinition();
                    definition && definition != method)
                    TraverseDecl(const_cast<clang::FunctionDecl*>(definition));
    }

    // Declared in one cell, defined in a later one: the compiler sees two functions.
    void enter_later_definitions(const clang::FunctionDecl* declared) {
        const std::string name = declared->getDeclName().getAsString();
        for (const xcpp::CellName& other : input_.names) {
            const auto* function = llvm::dyn_cast<clang::FunctionDecl>(other.declaration);
            if (other.name == name && function && function->isDefined()) enter(function);
        }
    }

    std::size_t visit_assignments() {
        Assignments assignments(variables_);
        for (auto* unit : input_.context.getTranslationUnitDecl()->redecls())
            for (auto* declaration : unit->noload_decls()) {
                auto* space = llvm::dyn_cast<clang::NamespaceDecl>(declaration);
                if (!space || !is_cell_space(space)) continue;
                for (auto* inner : space->noload_decls()) {
                    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(inner);
                    if (function && function->getDeclName().isIdentifier() &&
                        function->getName().starts_with("__xcpp_s"))
                        assignments.TraverseDecl(inner);
                }
            }
        std::size_t fresh = 0;
        for (auto* assignment : assignments.found) {
            if (!walked_.insert(assignment).second) continue;
            ++fresh;
            current_ = "a statement";
            TraverseStmt(assignment);
        }
        return fresh;
    }

    // Text of a cell or of a header of the user's own?
    bool is_inside(const clang::Decl* declaration) const {
        if (declaration->isFromASTFile()) return false;
        const auto place = presumed(declaration->getLocation());
        if (place.isInvalid()) return false;
        const std::string file = place.getFilename();
        return input_.cell_of_file_name(file) > 0 || input_.is_own_header(file);
    }

    clang::PresumedLoc presumed(clang::SourceLocation location) const {
        const auto& sources = input_.context.getSourceManager();
        return sources.getPresumedLoc(sources.getExpansionLoc(location));
    }

    bool note(const NamedDecl* declaration, clang::SourceLocation location) {
        if (!declaration) return true;
        declaration = declaration->getUnderlyingDecl();
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
        if ((variable && variable->isLocalVarDeclOrParm()) ||
            llvm::isa<clang::BindingDecl, clang::TemplateTypeParmDecl,
                      clang::NonTypeTemplateParmDecl>(declaration))
            return true;
        if (is_inside(declaration)) {
            if (!declaration->getParentFunctionOrMethod()) enter(declaration);
            return true;
        }
        const bool type =
            llvm::isa<clang::TypeDecl, clang::ClassTemplateDecl, clang::TypeAliasTemplateDecl>(
                declaration);
        const bool function = declaration->getAsFunction() != nullptr;
        add(qualified_name(declaration),
            type       ? "type"
            : function ? "function"
                       : "variable",
            location);
        return true;
    }

    void add_race(const SharedWrite& write, bool pragma, bool by_reference) {
        const auto place = presumed(write.written), region = presumed(write.region);
        const int cell = place.isValid() ? input_.cell_of_file_name(place.getFilename()) : 0;
        const int line = cell > 0 ? static_cast<int>(place.getLine()) : 0,
                  region_line = cell > 0 ? static_cast<int>(region.getLine()) : 0;
        if (!named_.insert("race " + write.name).second) return;
        result_.races.push_back({write.name, current_, write.shared, write.with, write.element,
                                 by_reference, cell, line, pragma ? region_line : 0,
                                 pragma ? 0 : region_line, write.undivided});
    }

    void add(std::string name, const char* kind, clang::SourceLocation location) {
        if (!named_.insert(std::string(kind) + name).second) return;
        const auto place = presumed(location);
        const bool in_cell = place.isValid() && input_.cell_of_file_name(place.getFilename()) > 0;
        result_.outside.push_back({std::move(name), kind, current_,
                                   in_cell ? input_.cell_of_file_name(place.getFilename()) : 0,
                                   in_cell ? static_cast<int>(place.getLine()) : 0});
    }

    const xcpp::AnalysisInput& input_;
    References result_;
    std::string current_;
    std::vector<const NamedDecl*> waiting_;
    std::unordered_set<const clang::Decl*> seen_, variables_;
    std::unordered_set<const clang::Expr*> walked_;
    std::vector<AtomicWrite> atomic_writes_;
    std::unordered_set<std::string> named_;
};

}  // namespace

References references_of(const xcpp::AnalysisInput& input,
                         const std::vector<const NamedDecl*>& roots) {
    ReferenceVisitor walk(input);
    for (const NamedDecl* root : roots) walk.enter(root);
    return walk.run();
}

}  // namespace lanes::analysis
