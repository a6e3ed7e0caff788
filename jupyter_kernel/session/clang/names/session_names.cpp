#include "session_names.hpp"

#include "lookup_tables.hpp"
#include "session/base/cell_names.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclContextInternals.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/Sema.h"

#include <algorithm>

namespace xcpp_session {
namespace {

using clang::NamedDecl;

NameKind kind_of_declaration(const NamedDecl* declaration) {
    declaration = declaration->getUnderlyingDecl();
    if (llvm::isa<clang::ClassTemplateDecl, clang::TypeAliasTemplateDecl>(declaration))
        return NameKind::type_template;
    if (llvm::isa<clang::TypeDecl>(declaration)) return NameKind::type;
    if (llvm::isa<clang::NamespaceDecl, clang::NamespaceAliasDecl>(declaration))
        return NameKind::name_space;
    if (llvm::isa<clang::FunctionDecl, clang::FunctionTemplateDecl>(declaration))
        return NameKind::function;
    return NameKind::variable;
}

clang::DeclContext* context_of(NamedDecl* declaration) {
    declaration = declaration->getUnderlyingDecl();
    if (auto* alias = llvm::dyn_cast<clang::NamespaceAliasDecl>(declaration))
        return alias->getNamespace();
    if (auto* space = llvm::dyn_cast<clang::NamespaceDecl>(declaration)) return space;
    if (auto* pattern = llvm::dyn_cast<clang::ClassTemplateDecl>(declaration))
        return pattern->getTemplatedDecl()->getDefinition();
    if (auto* alias = llvm::dyn_cast<clang::TypedefNameDecl>(declaration)) {
        auto* tag = alias->getUnderlyingType()->getAsTagDecl();
        return tag ? tag->getDefinition() : nullptr;
    }
    if (auto* tag = llvm::dyn_cast<clang::TagDecl>(declaration)) return tag->getDefinition();
    return nullptr;
}

bool is_ours(const NamedDecl* declaration) {
    return declaration->getDeclName().isIdentifier() &&
           declaration->getName().starts_with("__xcpp_");
}

bool is_specialisation(const clang::Decl* declaration) {
    if (llvm::isa<clang::ClassTemplateSpecializationDecl, clang::VarTemplateSpecializationDecl>(
            declaration))
        return true;
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
    return function && (function->isFunctionTemplateSpecialization() ||
                        llvm::isa<clang::CXXMethodDecl>(function));
}

// Enumerators of an unscoped enumeration are found beside it, and so is what extern "C" { … } or an
// unnamed namespace holds.
void add_names(clang::Decl* declaration, std::vector<NamedDecl*>& names) {
    if (is_specialisation(declaration)) return;
    const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(declaration);
    if (llvm::isa<clang::LinkageSpecDecl>(declaration) ||
        (space && space->isAnonymousNamespace())) {
        for (auto* inner : llvm::cast<clang::DeclContext>(declaration)->decls())
            add_names(inner, names);
        return;
    }
    if (auto* enumeration = llvm::dyn_cast<clang::EnumDecl>(declaration);
        enumeration && !enumeration->isScoped())
        names.insert(names.end(), enumeration->enumerator_begin(), enumeration->enumerator_end());
    if (auto* named = llvm::dyn_cast<NamedDecl>(declaration);
        named && named->getDeclName() && !is_ours(named))
        names.push_back(named);
}

}  // namespace

clang::Sema& SessionNames::sema() const { return compiler_.getSema(); }

clang::IdentifierInfo& SessionNames::identifier(std::string_view name) const {
    return compiler_.getPreprocessor().getIdentifierTable().get(name);
}

const std::vector<SessionNames::CurrentDeclaration>& SessionNames::live(
    std::string_view name) const {
    static const std::vector<CurrentDeclaration> none;
    const auto found = live_.find(std::string(name));
    return found == live_.end() ? none : found->second;
}

NamedDecl* SessionNames::find(const std::vector<std::string_view>& path) const {
    NamedDecl* meant = nullptr;
    for (const std::string_view name : path) {
        clang::DeclContext* context = meant ? context_of(meant) : nullptr;
        if (meant && !context) return nullptr;
        clang::LookupResult found(sema(), &identifier(name), clang::SourceLocation(),
                                  clang::Sema::LookupOrdinaryName);
        found.suppressDiagnostics();
        if (context)
            sema().LookupQualifiedName(found, context);
        else
            sema().LookupName(found, sema().TUScope);
        if (found.empty()) return nullptr;
        const bool prefers_own = !context && found.isAmbiguous() && !live(name).empty();
        meant = prefers_own ? live(name).back().declaration : *found.begin();
    }
    return meant;
}

NameKind SessionNames::kind_of(const std::vector<std::string_view>& path) const {
    const NamedDecl* meant = find(path);
    return meant ? kind_of_declaration(meant) : NameKind::unknown;
}

const clang::MacroInfo* SessionNames::macro_info(std::string_view name) const {
    return compiler_.getPreprocessor().getMacroInfo(&identifier(name));
}

std::optional<Macro> SessionNames::macro(std::string_view name) const {
    const auto& preprocessor = compiler_.getPreprocessor();
    const clang::MacroInfo* info = macro_info(name);
    if (!info) return {};
    if (info->tokens_empty()) return Macro();
    const clang::Token& first = *info->tokens_begin();
    Macro found{preprocessor.getSpelling(first),
                preprocessor.getSpelling(*(info->tokens_end() - 1))};
    if (const auto* word = first.getIdentifierInfo())
        found.first_parameter = info->getParameterNum(word);
    for (int depth = 0; depth < 16 && (info = macro_info(found.start)); ++depth)
        found.start =
            info->tokens_empty() ? std::string() : preprocessor.getSpelling(*info->tokens_begin());
    return found;
}

std::string SessionNames::cell_space(std::string_view name) const {
    return live(name).empty() ? std::string() : cell_namespace_name(live(name).back().unit);
}

bool SessionNames::macro_gives_way(std::string_view name, bool called) const {
    const clang::MacroInfo* macro = macro_info(name);
    if (!macro || macro->isBuiltinMacro()) return false;
    if (macro->isFunctionLike() && !called) return true;  // without '(' it is not expanded
    if (macro->tokens_empty()) return false;
    const clang::Token& start = *macro->tokens_begin();
    const auto* word = start.getIdentifierInfo();
    if (!word) return true;  // a number, a bracket
    if (start.isOneOf(clang::tok::kw_true, clang::tok::kw_false, clang::tok::kw_nullptr,
                      clang::tok::kw_sizeof))
        return true;
    if (macro->getParameterNum(word) < 0)
        return word != &identifier(name) && macro_gives_way(word->getName(), false);
    return macro->getNumTokens() > 1 &&
           (macro->tokens_begin() + 1)
               ->isOneOf(clang::tok::star, clang::tok::plus, clang::tok::minus, clang::tok::slash,
                         clang::tok::percent, clang::tok::less, clang::tok::greater,
                         clang::tok::question);
}

void SessionNames::undefine(std::vector<std::string_view> path) const {
    const std::string name(path.back());
    path.pop_back();
    if (path.empty()) {
        if (const auto of_c = c_functions_.find(name); of_c != c_functions_.end())
            for (const clang::FunctionDecl* function : of_c->second) forget_body(function);
        if (live_.count(name) == 0) return undefine_global(name);
        for (const CurrentDeclaration& older : live(name)) {
            if (auto* pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(older.declaration)) {
                for (const auto* function : pattern->specializations())
                    if (function->getTemplateSpecializationKind() ==
                        clang::TSK_ExplicitSpecialization)
                        forget_body(function);
            } else if (llvm::isa<clang::VarDecl>(older.declaration)) {
                remove_from_tables(older.declaration);  // extern "C" refuses a name that it finds
            }
        }
        return;
    }
    NamedDecl* owner = find(path);
    clang::DeclContext* context = owner ? context_of(owner) : nullptr;
    if (!context) return;
    for (auto* declaration : context->decls()) {
        const auto* function = declaration->getAsFunction();
        if (!function) continue;
        const std::string own = function->getDeclName().getAsString();
        const bool meant = own == name ||
                           (name == "~" && llvm::isa<clang::CXXDestructorDecl>(function)) ||
                           (name == "operator" && own.compare(0, 8, "operator") == 0);
        const clang::FunctionDecl* definition = nullptr;
        if (meant && function->isDefined(definition) && definition->isOutOfLine())
            forget_body(function);
    }
}

bool SessionNames::is_function(std::string_view name) const {
    if (name == "operator") return true;  // which one it is, clang will say
    return llvm::any_of(
        live(name), [](const CurrentDeclaration& one) { return one.declaration->getAsFunction(); });
}

bool SessionNames::prefer_own(std::string_view name) {
    if (live(name).empty()) return false;
    if (llvm::is_contained(preferred_, name)) return true;
    const NamedDecl* own = live(name).back().declaration;
    clang::LookupResult found(sema(), own->getDeclName(), clang::SourceLocation(),
                              clang::Sema::LookupOrdinaryName);
    found.suppressDiagnostics();
    sema().LookupName(found, sema().TUScope);
    if (!found.isAmbiguous()) return false;
    // The newest counts: clang numbers the places of the text it reads from below, those of the
    // precompiled header from above.
    const auto& sources = compiler_.getSourceManager();
    const auto place = sources.getExpansionLoc(own->getLocation());
    for (const NamedDecl* other : found) {
        const auto of_other = sources.getExpansionLoc(other->getUnderlyingDecl()->getLocation());
        if (!sources.isLoadedSourceLocation(of_other) && place < of_other) return false;
    }
    preferred_.emplace_back(name);
    return true;
}

void SessionNames::show_preferred() {
    if (auto* space = llvm::dyn_cast_or_null<clang::NamespaceDecl>(sema().CurContext))
        for (const std::string& name : preferred_)
            for (const CurrentDeclaration& live : live_[name])
                space->makeDeclVisibleInContext(live.declaration);
    preferred_.clear();
}

void SessionNames::begin_unit(int unit, int cell) {
    unit_ = unit;
    cell_ = cell;
    seen_.clear();
    hidden_.clear();
    reopened_.clear();
    step_ = 0;
}

void SessionNames::declared() {
    auto* space = llvm::dyn_cast_or_null<clang::NamespaceDecl>(sema().CurContext);
    if (!space) return;
    std::vector<NamedDecl*> names;
    for (auto* declaration : space->decls()) add_names(declaration, names);
    for (NamedDecl* newer : names) {
        if (!seen_.insert(newer).second || newer->isInvalidDecl()) continue;
        // One that clang may keep inside the file it would initialise where it is first used, in a
        // later cell.
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(newer);
            variable && !variable->isExternallyVisible() && !variable->hasConstantInitialization())
            newer->addAttr(clang::UsedAttr::CreateImplicit(compiler_.getASTContext()));
        replace_older(newer, space);
    }
}

bool SessionNames::is_corrected_by(const CurrentDeclaration& older, const NamedDecl* newer) const {
    if (!newer->getAsFunction() || !older.declaration->getAsFunction() || older.cell == cell_)
        return false;
    if (key(newer) == "main") return true;  // C++ forbids overloads of it
    return newest_run_of_ && newest_run_of_(older.cell) == cell_;
}

void SessionNames::replace_older(NamedDecl* newer, clang::NamespaceDecl* space) {
    auto& all = live_[key(newer)];
    std::vector<CurrentDeclaration> stay;
    for (const CurrentDeclaration& older : all) {
        if (older.declaration->getCanonicalDecl() == newer->getCanonicalDecl()) {
            if (auto* space_again = llvm::dyn_cast<clang::NamespaceDecl>(newer))
                merge_again(space_again);
            continue;
        }
        const bool same_cell = older.unit == unit_;
        if (!same_cell && (replaces(compiler_.getASTContext(), newer, older.declaration) ||
                           is_corrected_by(older, newer))) {
            remove_from_tables(older.declaration);
            remove_from_table(older.declaration, space);  // an overload may have put it there
            hidden_.push_back({older.declaration, newer, older.unit, older.cell});
            auto* newer_space = llvm::dyn_cast<clang::NamespaceDecl>(newer);
            auto* older_space = llvm::dyn_cast<clang::NamespaceDecl>(older.declaration);
            if (newer_space && older_space) merge_namespaces(newer_space, older_space);
            continue;
        }
        stay.push_back(older);
        // An overload of an earlier cell would be hidden by the new one inside this cell's
        // namespace.
        if (!same_cell && newer->getAsFunction() && older.declaration->getAsFunction())
            space->makeDeclVisibleInContext(older.declaration);
    }
    if (auto* newer_space = llvm::dyn_cast<clang::NamespaceDecl>(newer))
        replace_own_namespace(newer_space);
    hide_global(newer);
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(newer);
    const bool runs_code = variable && !variable->hasConstantInitialization();
    stay.push_back({newer, unit_, cell_, runs_code ? step_ + 1 : variable ? step_ : 0});
    all = std::move(stay);
    if (auto* function = llvm::dyn_cast<clang::FunctionDecl>(newer);
        function && function->isExternC())
        c_functions_[key(newer)].push_back(function);
    inherit_defaults(newer);
}

// `int h(int a = 5);` in one cell, `int h(int a) { … }` in a later one: in a program the definition
// has the default arguments of the declaration.
void SessionNames::inherit_defaults(NamedDecl* newer) const {
    auto* definition = llvm::dyn_cast<clang::FunctionDecl>(newer);
    if (!definition || !definition->isThisDeclarationADefinition()) return;
    for (const Hidden& hidden : hidden_) {
        const auto* older = llvm::dyn_cast<clang::FunctionDecl>(hidden.declaration);
        if (!older || hidden.by->getCanonicalDecl() != definition->getCanonicalDecl() ||
            older->getNumParams() != definition->getNumParams())
            continue;
        for (unsigned i = 0; i < older->getNumParams(); ++i) {
            const clang::ParmVarDecl* from = older->getParamDecl(i);
            clang::ParmVarDecl* to = definition->getParamDecl(i);
            // What an earlier definition said itself is replaced with it.
            if (to->hasDefaultArg() || !from->hasDefaultArg() ||
                from->hasUninstantiatedDefaultArg() || from->hasUnparsedDefaultArg() ||
                (older->isDefined() && !from->hasInheritedDefaultArg()))
                continue;
            to->setDefaultArg(const_cast<clang::ParmVarDecl*>(from)->getDefaultArg());
            to->setHasInheritedDefaultArg();
        }
    }
}

// `int y1 = 5;` in a cell: the C library's y1(double) would make every later use ambiguous.
void SessionNames::hide_global(NamedDecl* newer) {
    auto* unit = compiler_.getASTContext().getTranslationUnitDecl();
    std::vector<NamedDecl*> others;
    for (NamedDecl* other : unit->lookup(newer->getDeclName())) {
        if (!other->getDeclContext()->getRedeclContext()->isTranslationUnit() ||
            llvm::isa<clang::NamespaceDecl>(other))
            continue;
        if (replaces(compiler_.getASTContext(), newer, other)) others.push_back(other);
    }
    for (NamedDecl* other : others) remove_global(other);
}

std::vector<std::pair<std::string, int>> SessionNames::replaced() const {
    std::vector<std::pair<std::string, int>> names;
    names.reserve(hidden_.size());
    for (const Hidden& hidden : hidden_) names.emplace_back(key(hidden.declaration), hidden.cell);
    return names;
}

void SessionNames::withdraw_after(int done) {
    for (auto& [name, all] : live_) {
        for (std::size_t i = 0; i < all.size();) {
            if (all[i].unit != unit_ || all[i].step <= done) {
                ++i;
                continue;
            }
            NamedDecl* gone = all[i].declaration;
            all.erase(all.begin() + static_cast<long>(i));
            remove_from_tables(gone);
            for (const Hidden& hidden : hidden_)
                if (hidden.by == gone) {
                    hidden.declaration->getDeclContext()->makeDeclVisibleInContext(
                        hidden.declaration);
                    all.push_back({hidden.declaration, hidden.unit, hidden.cell});
                }
        }
    }
}

std::vector<SessionNames::LateDefinition> SessionNames::late_definitions() const {
    std::vector<LateDefinition> found;
    for (const Hidden& hidden : hidden_) {
        const auto* older = llvm::dyn_cast<clang::FunctionDecl>(hidden.declaration);
        const auto* newer = llvm::dyn_cast<clang::FunctionDecl>(hidden.by);
        const clang::FunctionDecl* definition = nullptr;
        if (older && newer && replaces(compiler_.getASTContext(), newer, older) &&
            !older->isDefined() && newer->isDefined(definition))
            found.push_back({older, definition});
    }
    return found;
}

std::vector<clang::FunctionDecl*> SessionNames::only_declared() const {
    std::vector<clang::FunctionDecl*> found;
    for (const auto& [name, all] : live_)
        for (const CurrentDeclaration& live : all)
            if (auto* function = llvm::dyn_cast<clang::FunctionDecl>(live.declaration);
                function && !function->isDefined() && !function->isDeleted())
                found.push_back(function);
    return found;
}

bool SessionNames::holds(const std::string& name, int unit) const {
    return llvm::any_of(live(name),
                        [unit](const CurrentDeclaration& one) { return one.unit == unit; });
}

std::vector<HeldName> SessionNames::held() const {
    constexpr const char* kinds[] = {"", "type", "template", "namespace", "function", "variable"};
    std::vector<HeldName> names;
    for (const auto& [name, all] : live_) {
        for (const CurrentDeclaration& live : all) {
            const NamedDecl* declaration = live.declaration->getUnderlyingDecl();
            if (llvm::isa<clang::EnumConstantDecl>(declaration) ||
                llvm::StringRef(name).ends_with("__xcpp"))  // of a structured binding
                continue;
            HeldName held{name, "", "template", live.cell, declaration};
            if (const auto* value = llvm::dyn_cast<clang::ValueDecl>(declaration))
                held.type =
                    value->getType().getAsString(compiler_.getASTContext().getPrintingPolicy());
            if (!llvm::isa<clang::TemplateDecl>(declaration))
                held.kind = kinds[static_cast<int>(kind_of_declaration(declaration))];
            names.push_back(std::move(held));
        }
    }
    return names;
}

}  // namespace xcpp_session
