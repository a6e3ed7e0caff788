#include "lookup_tables.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclContextInternals.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"

namespace xcpp_session {
namespace {

using clang::NamedDecl;

bool same_parameters(clang::ASTContext& context, const clang::FunctionDecl* a,
                     const clang::FunctionDecl* b) {
    return a->isVariadic() == b->isVariadic() &&
           llvm::equal(a->parameters(), b->parameters(), [&](const auto* one, const auto* other) {
               return context.hasSameUnqualifiedType(one->getType(), other->getType());
           });
}

}  // namespace

std::string key(const NamedDecl* declaration) { return declaration->getDeclName().getAsString(); }

bool replaces(clang::ASTContext& context, const NamedDecl* newer, const NamedDecl* older) {
    const auto* a = newer->getAsFunction();
    const auto* b = older->getAsFunction();
    if (!a || !b) return true;
    const auto* a_template = llvm::dyn_cast<clang::FunctionTemplateDecl>(newer);
    const auto* b_template = llvm::dyn_cast<clang::FunctionTemplateDecl>(older);
    if ((a_template != nullptr) != (b_template != nullptr)) return false;
    if (a_template &&
        a_template->getTemplateParameters()->size() != b_template->getTemplateParameters()->size())
        return false;
    return same_parameters(context, a, b);
}

void remove_from_table(NamedDecl* declaration, clang::DeclContext* context) {
    auto* table = context->getPrimaryContext()->getLookupPtr();
    if (!table) return;
    auto entry = table->find(declaration->getDeclName());
    if (entry == table->end()) return;
    const auto found = entry->second.getLookupResult();
    if (!llvm::is_contained(found, declaration)) return;
    entry->second.remove(declaration);
    // An empty entry says "not here"; without it clang would ask the precompiled header again.
    if (entry->second.isNull() && !context->hasExternalVisibleStorage()) table->erase(entry);
}

void remove_from_tables(NamedDecl* declaration) {
    for (clang::DeclContext* context = declaration->getDeclContext(); context;
         context = context->getParent())
        remove_from_table(declaration, context);
}

void forget_body(const clang::FunctionDecl* function) {
    const clang::FunctionDecl* definition = nullptr;
    if (!function->isDefined(definition)) return;
    auto* defined = const_cast<clang::FunctionDecl*>(definition);
    if (defined->hasBody()) defined->setBody(nullptr);
    if (defined->isExplicitlyDefaulted()) {  // Foo::Foo() = default;
        defined->setDefaulted(false);
        defined->setExplicitlyDefaulted(false);
    }
}

}  // namespace xcpp_session
