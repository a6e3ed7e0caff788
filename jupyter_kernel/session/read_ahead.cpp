#include "read_ahead.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"

namespace xcpp_session {

void read_instantiations(clang::CompilerInstance& compiler, const std::string& name) {
    auto& identifiers = compiler.getPreprocessor().getIdentifierTable();
    clang::DeclContext* context = compiler.getASTContext().getTranslationUnitDecl();
    for (std::size_t at = 0; context;) {
        const std::size_t end = std::min(name.find("::", at), name.size());
        const auto found = context->lookup(&identifiers.get(llvm::StringRef(name).slice(at, end)));
        context = nullptr;
        for (auto* declaration : found) {
            if (auto* space = llvm::dyn_cast<clang::NamespaceDecl>(declaration)) context = space;
            if (auto* pattern = llvm::dyn_cast<clang::ClassTemplateDecl>(declaration); pattern && end == name.size()) (void)pattern->specializations();
        }
        if (end == name.size()) return;
        at = end + 2;
    }
}

}  // namespace xcpp_session
