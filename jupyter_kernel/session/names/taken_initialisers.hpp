// Initialisers that were taken from variables once they had run (see
// SymbolVersions::share_variables): who asks what a variable is made of still finds them.
#pragma once

namespace clang {
class Expr;
class VarDecl;
}  // namespace clang

namespace xcpp_session {

void take_initialiser(clang::VarDecl* variable);
// Null where none was taken.
clang::Expr* taken_initialiser(const clang::VarDecl* variable);

}  // namespace xcpp_session
