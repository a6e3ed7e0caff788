#include "functions_of_cells.hpp"

#include "session/clang/diagnostics/diagnostics.hpp"
#include "session/clang/names/session_names.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"

namespace xcpp_session {
namespace {

using llvm::dyn_cast;

FunctionOfCell described(const clang::FunctionDecl* function) {
    clang::PrintingPolicy policy = function->getASTContext().getPrintingPolicy();
    policy.SuppressScope = false;
    std::string full_name, parameters;
    llvm::raw_string_ostream stream(full_name);
    function->getNameForDiagnostic(stream, policy, true);
    for (const clang::ParmVarDecl* parameter : function->parameters())
        parameters += (parameters.empty() ? "" : ", ") + parameter->getType().getAsString(policy);
    if (function->isVariadic()) parameters += parameters.empty() ? "..." : ", ...";
    full_name = without_generated_names(full_name);
    return {function, without_generated_names(function->getQualifiedNameAsString()), full_name,
            full_name + "(" + without_generated_names(parameters) + ")"};
}

void collect(const clang::Decl* declaration, std::vector<FunctionOfCell>& found) {
    const auto collect_members = [&](const clang::DeclContext* context) {
        for (const clang::Decl* member : context->decls()) collect(member, found);
    };
    if (const auto* function = dyn_cast<clang::FunctionDecl>(declaration)) {
        const clang::FunctionDecl* defined = function->getDefinition();
        const auto is_same = [&](const auto& one) { return one.declaration == defined; };
        if (!function->isTemplated() && defined && llvm::none_of(found, is_same))
            found.push_back(described(defined));
    } else if (const auto* functions = dyn_cast<clang::FunctionTemplateDecl>(declaration)) {
        for (const clang::FunctionDecl* one : functions->specializations()) collect(one, found);
    } else if (const auto* classes = dyn_cast<clang::ClassTemplateDecl>(declaration)) {
        for (const auto* one : classes->specializations()) collect_members(one);
    } else if (const auto* record = dyn_cast<clang::CXXRecordDecl>(declaration)) {
        if (record->isCompleteDefinition() && !record->isTemplated()) collect_members(record);
    } else if (const auto* space = dyn_cast<clang::NamespaceDecl>(declaration)) {
        collect_members(space);
    }
}

}  // namespace

std::vector<FunctionOfCell> functions_of_cells(const SessionNames& names) {
    std::vector<FunctionOfCell> found;
    for (const HeldName& held : names.held()) collect(held.declaration, found);
    return found;
}

}  // namespace xcpp_session
