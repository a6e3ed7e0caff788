// Initialisers that were detached from variables once they had run (see
// SymbolVersions::share_variables): the analysis still needs them.
#pragma once

namespace clang {
class Expr;
class VarDecl;
}  // namespace clang

namespace xcpp_session {

void detach_initialiser(clang::VarDecl* variable);
// Null where none was detached.
clang::Expr* detached_initialiser(const clang::VarDecl* variable);

}  // namespace xcpp_session
