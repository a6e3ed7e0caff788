// Namespaces that are opened again, and what headers of the user's own have declared: clang has
// read them at global scope the first time.
#include "session_names.hpp"

#include "lookup_tables.hpp"
#include "session/base/cell_names.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTMutationListener.h"
#include "clang/AST/DeclContextInternals.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"

#include <algorithm>
#include <filesystem>

namespace xcpp_session {
namespace {

using clang::NamedDecl;

// "__xcpp_old___c5__mylib": beside the new namespace of the same name the old one cannot be named.
std::string alias_of(std::string path) {
    for (std::size_t at = path.find("::"); at != std::string::npos; at = path.find("::", at))
        path.replace(at, 2, "__");
    return "__xcpp_old" + path;
}

// "p::q" for __c5::p::q: the same in every cell.
std::string path_of(const clang::NamespaceDecl* space) {
    std::string path = key(space);
    const auto* outer = llvm::dyn_cast<clang::NamespaceDecl>(space->getParent());
    while (outer && !(outer->isInline() && unit_of_namespace_name(outer->getName()) > 0 &&
                      outer->getParent()->isTranslationUnit())) {
        path.insert(0, key(outer) + "::");
        outer = llvm::dyn_cast<clang::NamespaceDecl>(outer->getParent());
    }
    return path;
}

// What an inline namespace holds is found in the namespace around it, too.
void remove_from_inline_set(NamedDecl* declaration, clang::DeclContext* context) {
    remove_from_table(declaration, context);
    for (; context->isInlineNamespace(); context = context->getParent())
        remove_from_table(declaration, context->getParent());
}

// What is found in the namespace, wherever it was declared.
std::vector<NamedDecl*> names_in(clang::NamespaceDecl* space) {
    std::vector<NamedDecl*> names;
    space->getPrimaryContext()->buildLookup();
    if (auto* table = space->getPrimaryContext()->getLookupPtr())
        for (const auto& [name, entry] : *table)
            if (name.getNameKind() != clang::DeclarationName::CXXUsingDirective)
                for (NamedDecl* declaration : entry.getLookupResult()) names.push_back(declaration);
    return names;
}

// What the namespace has in place of `older`; null if nothing replaces it.
NamedDecl* replacement_in(const clang::NamespaceDecl* space, const NamedDecl* older) {
    for (NamedDecl* one : space->lookup(older->getDeclName()))
        if (replaces(space->getASTContext(), one, older)) return one;
    return nullptr;
}

bool is_global(const NamedDecl* declaration) {
    return declaration->getDeclContext()->getRedeclContext()->isTranslationUnit();
}

bool has_undefined_member(const clang::CXXRecordDecl* record) {
    return llvm::any_of(record->methods(), [](const clang::CXXMethodDecl* method) {
        return !method->isImplicit() && !method->isDefaulted() && !method->isDeleted() &&
               !method->isPureVirtual() && !method->isDefined();
    });
}

}  // namespace

// "::__c5::mylib", or "::mylib" of a header that is read again.
std::string SessionNames::older_namespace(std::string_view name) const {
    for (const CurrentDeclaration& one : live(name))
        if (llvm::isa<clang::NamespaceDecl>(one.declaration))
            return "::" + cell_namespace_name(one.unit) + "::" + std::string(name);
    return own_namespace(name) ? "::" + std::string(name) : std::string();
}

std::string SessionNames::cell_namespace(std::string_view name) const {
    const std::string older = older_namespace(name);
    return older.empty() ? older : "::" + alias_of(older);
}

std::string SessionNames::old_namespace(std::string_view name) const {
    const std::string older = older_namespace(name);
    return older.empty() ? older : "namespace " + alias_of(older) + " = " + older + ";\n";
}

std::vector<NamedDecl*> SessionNames::globals(std::string_view name) const {
    std::vector<NamedDecl*> found;
    for (NamedDecl* declaration :
         compiler_.getASTContext().getTranslationUnitDecl()->lookup(&identifier(name)))
        if (is_global(declaration)) found.push_back(declaration);
    return found;
}

clang::NamespaceDecl* SessionNames::own_namespace(std::string_view name) const {
    if (!is_own_) return nullptr;
    for (NamedDecl* declaration : globals(name))
        if (auto* space = llvm::dyn_cast<clang::NamespaceDecl>(declaration);
            space && is_in_file(space->getFirstDecl(), is_own_))
            return space;
    return nullptr;
}

bool SessionNames::is_in_file(const NamedDecl* declaration,
                              const std::function<bool(const std::string& file)>& is_own) const {
    const auto& sources = compiler_.getSourceManager();
    const auto file = sources.getFileEntryRefForID(
        sources.getFileID(sources.getExpansionLoc(declaration->getLocation())));
    return file && is_own(file->getName().str());
}

void SessionNames::replace_own_namespace(clang::NamespaceDecl* newer) {
    clang::NamespaceDecl* older = own_namespace(key(newer));
    if (!older) return;
    remove_global(older);
    merge_namespaces(newer, older);
}

void SessionNames::remove_global(NamedDecl* declaration) {
    remove_from_tables(declaration);
    for (auto* other : declaration->redecls()) {
        auto* named = llvm::cast<NamedDecl>(other);
        if (!sema().TUScope->isDeclScope(named)) continue;
        sema().TUScope->RemoveDecl(named);
        sema().IdResolver.RemoveDecl(named);
    }
}

bool SessionNames::is_the_users(std::string_view name,
                                const std::function<bool(const std::string& file)>& is_own) const {
    return !live(name).empty() || llvm::any_of(globals(name), [&](const NamedDecl* declaration) {
        return is_in_file(declaration, is_own);
    });
}

bool SessionNames::is_only_declared(std::string_view name) const {
    for (const NamedDecl* declaration : globals(name)) {
        if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
            function && !function->isDefined())
            return true;
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
            variable && variable->hasDefinition() == clang::VarDecl::DeclarationOnly)
            return true;
        const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(declaration);
        if (record && record->hasDefinition() && has_undefined_member(record->getDefinition()))
            return true;
    }
    return false;
}

void SessionNames::forget_functions_of(const std::vector<std::string>& files) {
    std::map<std::string, bool> known;  // by the name that clang has for the file
    forget_functions_in(
        compiler_.getASTContext().getTranslationUnitDecl(), [&](const NamedDecl* declaration) {
            const auto place =
                compiler_.getSourceManager().getPresumedLoc(declaration->getLocation());
            if (place.isInvalid()) return false;
            const auto [entry, is_new] = known.try_emplace(place.getFilename(), false);
            if (is_new) {
                std::error_code none;
                entry->second = llvm::is_contained(
                    files, std::filesystem::canonical(entry->first, none).string());
            }
            return entry->second;
        });
}

void SessionNames::forget_functions_in(const clang::DeclContext* context,
                                       const std::function<bool(const NamedDecl*)>& meant) {
    std::vector<NamedDecl*> gone;
    for (auto* declaration :
         context->noload_decls()) {  // what is still in the precompiled header is nobody's own
        if (auto* space = llvm::dyn_cast<clang::NamespaceDecl>(declaration);
            space && !space->isFromASTFile())
            forget_functions_in(space, meant);
        auto* named = llvm::dyn_cast<NamedDecl>(declaration);
        if (!named || !llvm::isa<clang::FunctionDecl, clang::FunctionTemplateDecl>(named) ||
            llvm::isa<clang::CXXMethodDecl>(named))
            continue;
        if (named->isFromASTFile() || !named->getAsFunction()->isDefined() ||
            named->getAsFunction()->isExternC() || !meant(named))
            continue;
        gone.push_back(named);
    }
    for (NamedDecl* named : gone) {
        remove_global(named);
        llvm::erase_if(live_[key(named)], [&](const CurrentDeclaration& one) {
            return one.declaration->getCanonicalDecl() == named->getCanonicalDecl();
        });
    }
}

void SessionNames::undefine_global(std::string_view name) const {
    for (const NamedDecl* declaration : globals(name))
        if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
            function && function->isExternC() && is_own_)
            forget_body(function);
}

struct SessionNames::Listener : clang::ASTMutationListener {
    explicit Listener(SessionNames& of) : names(of) {}
    void AddedVisibleDecl(const clang::DeclContext* context, const clang::Decl* added) override {
        const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(context);
        const auto* named = llvm::dyn_cast<NamedDecl>(added);
        if (space && named) names.declared_in(space, named);
    }
    SessionNames& names;
};

SessionNames::SessionNames(clang::CompilerInstance& compiler)
    : compiler_(compiler), listener_(std::make_unique<Listener>(*this)) {
    compiler.getASTContext().setASTMutationListener(listener_.get());
}

SessionNames::~SessionNames() { compiler_.getASTContext().setASTMutationListener(nullptr); }

void SessionNames::reopened(const std::vector<std::string>& inner_namespaces) {
    auto* space = llvm::dyn_cast_or_null<clang::NamespaceDecl>(sema().CurContext);
    if (!space) return;
    clang::NamespaceDecl* older = nullptr;
    for (auto* directive : space->using_directives())
        if (path_of(directive->getNominatedNamespace()) == path_of(space))
            older = directive->getNominatedNamespace();
    if (!older) return;
    if (older->isInline()) space->setInline(true);  // `inline` need not be said again
    const auto is_inner = [&](const NamedDecl* declaration) {
        return llvm::isa<clang::NamespaceDecl>(declaration) &&
               llvm::is_contained(inner_namespaces, key(declaration));
    };
    for (NamedDecl* declaration : names_in(space))
        if (is_inner(declaration) && !space->Encloses(declaration->getDeclContext()))
            remove_from_inline_set(declaration, space);
    for (NamedDecl* declaration : names_in(older))
        if (!is_inner(declaration) && !replacement_in(space, declaration))
            space->makeDeclVisibleInContext(declaration);
    reopened_.insert(space->getPrimaryContext());
}

// The namespace was opened again, and declares something: the older one goes at once, so that the
// new one can be called in its own body.
void SessionNames::declared_in(const clang::NamespaceDecl* space, const NamedDecl* newer) {
    if (reopened_.count(space->getPrimaryContext()) == 0 ||
        !space->Encloses(newer->getDeclContext()))
        return;
    const auto found = space->lookup(newer->getDeclName());
    const std::vector<NamedDecl*> all(found.begin(), found.end());
    for (NamedDecl* older : all)
        if (!space->Encloses(older->getDeclContext()) &&
            replaces(compiler_.getASTContext(), newer, older))
            remove_from_table(older, const_cast<clang::NamespaceDecl*>(space));
}

// The new namespace is read: it holds what it has not replaced of the old one, and so do the
// namespaces inside of it. Its using-directive goes: those of several generations would find the
// same name several times.
void SessionNames::merge_namespaces(clang::NamespaceDecl* newer, clang::NamespaceDecl* older) {
    for (NamedDecl* declaration : names_in(older)) {
        NamedDecl* replacement = replacement_in(newer, declaration);
        auto* inner_newer = llvm::dyn_cast_or_null<clang::NamespaceDecl>(replacement);
        auto* inner_older = llvm::dyn_cast<clang::NamespaceDecl>(declaration);
        if (!replacement)
            newer->makeDeclVisibleInContext(declaration);
        else if (inner_newer && inner_older && inner_newer->getParent()->Equals(newer)) {
            if (inner_newer->Equals(inner_older))
                merge_again(inner_newer);  // an earlier part of the cell has opened it
            else
                merge_namespaces(inner_newer, inner_older);
        }
    }
    auto& generations = generations_[path_of(newer)];
    if (generations.empty() || generations.back() != older) generations.push_back(older);
    spread(newer);
}

// The cell has opened it once more.
void SessionNames::merge_again(clang::NamespaceDecl* newer) {
    const auto found = generations_.find(path_of(newer));
    if (found == generations_.end()) return;
    merge_namespaces(newer, found->second.back());
}

// A using-directive of an earlier cell names an older namespace: through it, too, the new things
// are found.
void SessionNames::spread(clang::NamespaceDecl* newer) {
    const auto& older = generations_[path_of(newer)];
    if (older.empty()) return;
    std::vector<clang::UsingDirectiveDecl*> directives;
    for (auto* directive : newer->using_directives())
        if (path_of(directive->getNominatedNamespace()) == path_of(newer))
            directives.push_back(directive);
    for (auto* directive : directives) remove_from_table(directive, newer);
    std::vector<NamedDecl*> fresh;
    for (auto* part : newer->redecls())
        for (auto* declaration : part->decls())
            if (auto* mine = llvm::dyn_cast<NamedDecl>(declaration); mine && mine->getDeclName())
                fresh.push_back(mine);
    std::vector<clang::NamespaceDecl*> all = older;
    all.push_back(newer);  // it may hold what its first part took over and its second one replaces
    for (clang::NamespaceDecl* generation : all) {
        for (NamedDecl* mine : fresh) {
            const auto found = generation->lookup(mine->getDeclName());
            const std::vector<NamedDecl*> old(found.begin(), found.end());
            for (NamedDecl* other : old)
                if (!other->getDeclContext()->Equals(newer) &&
                    replaces(compiler_.getASTContext(), mine, other))
                    remove_from_inline_set(other, generation);
            if (generation != newer) generation->makeDeclVisibleInContext(mine);
        }
    }
}

}  // namespace xcpp_session
