#include "detached_initialisers.hpp"

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

#include <unordered_map>

namespace xcpp_session {
namespace {

std::unordered_map<const clang::VarDecl*, clang::Expr*>& detached() {
    static std::unordered_map<const clang::VarDecl*, clang::Expr*> initialisers;
    return initialisers;
}

}  // namespace

void detach_initialiser(clang::VarDecl* variable) {
    if (clang::Expr* initialiser = variable->getInit()) detached()[variable] = initialiser;
    variable->setInit(nullptr);
    variable->dropAttr<clang::UsedAttr>();  // of SessionNames::declared
}

clang::Expr* detached_initialiser(const clang::VarDecl* variable) {
    const auto found = detached().find(variable);
    return found == detached().end() ? nullptr : found->second;
}

}  // namespace xcpp_session
