#include "skipped_instantiations.hpp"

#include "reachable_calls.hpp"
#include "session/text/tokens.hpp"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/AST/Mangle.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/TemplateInstCallback.h"

#include <algorithm>
#include <array>
#include <deque>

namespace xcpp_session {

bool runs_once(const Tokens& tokens) {
    constexpr std::array<std::string_view, 10> repeating = {
        "for", "while", "do", "goto", "struct", "class", "union", "template", "namespace", "asm"};
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const Token& token = tokens[i];
        if (token.kind == TokenKind::directive &&
            token.text.find("define") != std::string_view::npos)
            return false;
        if (token.kind == TokenKind::word &&
            std::find(repeating.begin(), repeating.end(), token.text) != repeating.end())
            return false;
        const Token* before = i > 0 ? &tokens[i - 1] : nullptr;
        // A body after a parameter list; `if (…) {` looks the same, and is rare enough.
        const bool after_list =
            before && (before->is(")") || before->is("const") || before->is("noexcept") ||
                       before->is("override") || before->is("try"));
        if (token.is("{") && after_list) return false;
        if (token.is("->") && before && before->is(")")) return false;
        // [ of a lambda: not after something that can be indexed.
        const bool indexes = before && (before->kind != TokenKind::mark || before->is(")") ||
                                        before->is("]") || before->is("}"));
        if (token.is("[") && (!indexes || before->is("return"))) return false;
    }
    return true;
}

namespace {

// Tells of every template function that clang instantiates.
class Listener : public clang::TemplateInstantiationCallback {
public:
    explicit Listener(SkippedInstantiations& skipped) : skipped_(skipped) {}
    void initialize(const clang::Sema&) override {}
    void finalize(const clang::Sema&) override {}
    void atTemplateBegin(const clang::Sema&, const clang::Sema::CodeSynthesisContext&) override {}
    void atTemplateEnd(const clang::Sema&,
                       const clang::Sema::CodeSynthesisContext& context) override {
        if (context.Kind != clang::Sema::CodeSynthesisContext::TemplateInstantiation) return;
        auto* function = llvm::dyn_cast_or_null<clang::FunctionDecl>(context.Entity);
        if (function && function->doesThisDeclarationHaveABody()) skipped_.add(function);
    }

private:
    SkippedInstantiations& skipped_;
};

}  // namespace

SkippedInstantiations::SkippedInstantiations(clang::Sema& sema, const KnownTemplates& known)
    : sema_(sema), known_(known), mangler_(sema.getASTContext().createMangleContext()) {
    sema.TemplateInstCallbacks.push_back(std::make_unique<Listener>(*this));
}

SkippedInstantiations::~SkippedInstantiations() { sema_.TemplateInstCallbacks.clear(); }

SkippedInstantiations::Names SkippedInstantiations::names_of(
    const clang::FunctionDecl* function) const {
    std::vector<clang::GlobalDecl> variants;
    if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(function))
        variants = {{constructor, clang::Ctor_Complete}, {constructor, clang::Ctor_Base}};
    else if (const auto* destructor = llvm::dyn_cast<clang::CXXDestructorDecl>(function))
        variants = {{destructor, clang::Dtor_Complete}, {destructor, clang::Dtor_Base}};
    else
        variants = {clang::GlobalDecl(function)};
    Names names;
    for (const auto& variant : variants) {
        std::string name;
        llvm::raw_string_ostream stream(name);
        mangler_->mangleName(variant, stream);
        names.push_back(std::move(name));
    }
    return names;
}

bool SkippedInstantiations::may_be_skipped(const clang::FunctionDecl* function) const {
    if (function->getTemplateSpecializationKind() != clang::TSK_ImplicitInstantiation ||
        function->hasAttr<clang::NoInlineAttr>())
        return false;
    if (function->isMultiVersion() || function->isDependentContext()) return false;
    const auto* destructor = llvm::dyn_cast<clang::CXXDestructorDecl>(function);
    return !destructor || !destructor->isVirtual();
}

bool SkippedInstantiations::is_never_inlined(const Names& names) const {
    return std::all_of(names.begin(), names.end(),
                       [this](const std::string& name) { return known_.is_never_inlined(name); });
}

bool SkippedInstantiations::is_skipped(const Names& names) const {
    if (is_never_inlined(names)) return true;
    return once_ && std::all_of(names.begin(), names.end(), [this](const std::string& name) {
               return known_.knows_function(name, true);
           });
}

void SkippedInstantiations::skip(clang::FunctionDecl* function) {
    function->setTemplateSpecializationKind(clang::TSK_ExplicitInstantiationDeclaration);
    function->addAttr(clang::NoInlineAttr::CreateImplicit(sema_.getASTContext()));
}

void SkippedInstantiations::forget_skipped() {
    for (auto& candidate : skipped_) {
        auto* function = candidate.function;
        function->setTemplateSpecializationKind(clang::TSK_ImplicitInstantiation);
        function->dropAttr<clang::NoInlineAttr>();
        sema_.getASTConsumer().HandleTopLevelDecl(clang::DeclGroupRef(
            function));  // code generation has forgotten that it may have to make code of it
        candidates_.push_back(std::move(candidate));
    }
    skipped_.clear();
    // As if never mentioned: clang puts them on its list when they are mentioned again.
    for (auto* function : postponed_) {
        if (auto* as_template = function->getTemplateSpecializationInfo())
            as_template->setPointOfInstantiation({});
        else if (auto* as_member = function->getMemberSpecializationInfo())
            as_member->setPointOfInstantiation({});
    }
    postponed_.clear();
}

void SkippedInstantiations::begin_unit(bool once) {
    once_ = once;
    if (!once) return forget_skipped();
    const auto known =
        std::partition(candidates_.begin(), candidates_.end(),
                       [this](const Candidate& candidate) { return !is_skipped(candidate.names); });
    for (auto at = known; at != candidates_.end(); ++at) {
        skip(at->function);
        skipped_.push_back(std::move(*at));
    }
    candidates_.erase(known, candidates_.end());
}

void SkippedInstantiations::add(clang::FunctionDecl* function) {
    if (!may_be_skipped(function) || !seen_.insert(function).second) return;
    Candidate candidate{function, names_of(function)};
    if (!is_skipped(candidate.names)) {
        candidates_.push_back(std::move(candidate));
        return;
    }
    skip(function);
    if (!is_never_inlined(candidate.names)) skipped_.push_back(std::move(candidate));
}

// runs_once() was wrong: the unit contains a loop.
void SkippedInstantiations::repeats() {
    once_ = false;
    const std::unordered_set<const clang::FunctionDecl*> postponed(postponed_.begin(),
                                                                   postponed_.end());
    forget_skipped();
    ReachableCalls everything([](const clang::FunctionDecl*) { return true; });
    everything.walk_declarations(sema_.getASTContext().getTranslationUnitDecl());
    for (const auto* function : everything.without_body())
        if (postponed.count(function) > 0)
            sema_.PendingInstantiations.emplace_back(const_cast<clang::FunctionDecl*>(function),
                                                     function->getLocation());
}

bool SkippedInstantiations::has_loop() const {
    ReachableCalls walk(
        [this](const clang::FunctionDecl* callee) { return !is_skipped(names_of(callee)); });
    walk.walk_declarations(sema_.getASTContext().getTranslationUnitDecl());
    return walk.found_loop();
}

void SkippedInstantiations::instantiate_the_rest() {
    others_.clear();
    instantiate_pending();
    if (once_ && has_loop()) {
        repeats();
        instantiate_pending();
    }
    sema_.PendingInstantiations.swap(others_);  // variables, and what only clang knows how to do
}

void SkippedInstantiations::instantiate_pending() {
    std::deque<clang::Sema::PendingImplicitInstantiation> pending;
    pending.swap(sema_.PendingInstantiations);
    for (const auto& [declaration, place] : pending) {
        auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
        if (!function || !may_be_skipped(function)) {
            others_.emplace_back(declaration, place);
        } else if (!function->isDefined() && is_skipped(names_of(function))) {
            function->setInstantiationIsPending(false);
            sema_.UndefinedButUsed.erase(function->getCanonicalDecl());
            postponed_.push_back(function);
        } else {
            sema_.InstantiateFunctionDefinition(place, function, false, false, true);
            if (function->isDefined()) function->setInstantiationIsPending(false);
            if (sema_.PendingInstantiations.empty()) continue;
            // What its body needs, one level deeper: clang counts the levels, and names them in an
            // error.
            const clang::Sema::InstantiatingTemplate level(sema_, place, function);
            if (level.isInvalid()) return;
            instantiate_pending();
        }
    }
}

}  // namespace xcpp_session
