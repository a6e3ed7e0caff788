#include "taken_initialisers.hpp"

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

#include <unordered_map>

namespace xcpp_session {
namespace {

std::unordered_map<const clang::VarDecl*, clang::Expr*>& taken() {
    static std::unordered_map<const clang::VarDecl*, clang::Expr*> initialisers;
    return initialisers;
}

}  // namespace

void take_initialiser(clang::VarDecl* variable) {
    if (clang::Expr* initialiser = variable->getInit()) taken()[variable] = initialiser;
    variable->setInit(nullptr);
    variable->dropAttr<clang::UsedAttr>();  // of SessionNames::declared
}

clang::Expr* taken_initialiser(const clang::VarDecl* variable) {
    const auto found = taken().find(variable);
    return found == taken().end() ? nullptr : found->second;
}

}  // namespace xcpp_session
