// clang's lookup tables, from which names are taken that newer ones replace.
#pragma once

#include <string>

namespace clang {
class ASTContext;
class DeclContext;
class FunctionDecl;
class NamedDecl;
}  // namespace clang

namespace xcpp_session {

// "f", "operator+"
std::string key(const clang::NamedDecl* declaration);

// Overloads live side by side; everything else of the same name is replaced. Of function templates
// the canonical types compare by position, so two that differ only in their parameters' types are
// overloads too.
bool replaces(clang::ASTContext& context, const clang::NamedDecl* newer,
              const clang::NamedDecl* older);

void remove_from_table(clang::NamedDecl* declaration, clang::DeclContext* context);
// From those of all contexts around it.
void remove_from_tables(clang::NamedDecl* declaration);

// The function may be defined again.
void forget_body(const clang::FunctionDecl* function);

}  // namespace xcpp_session
