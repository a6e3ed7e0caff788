#include "warm_up.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclLookups.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"

#include "llvm/Support/ErrorHandling.h"

namespace xcpp_session {
namespace {

void (*on_crash_ahead)() = nullptr;

void on_signal_ahead(int) { on_crash_ahead(); }
void on_llvm_error_ahead(void*, const char*, bool) { on_crash_ahead(); }

}  // namespace

void read_instantiations(clang::CompilerInstance& compiler, const std::string& name) {
    auto& identifiers = compiler.getPreprocessor().getIdentifierTable();
    clang::DeclContext* context = compiler.getASTContext().getTranslationUnitDecl();
    for (std::size_t at = 0; context;) {
        const std::size_t end = std::min(name.find("::", at), name.size());
        const auto found = context->lookup(&identifiers.get(llvm::StringRef(name).slice(at, end)));
        context = nullptr;
        for (auto* declaration : found) {
            if (auto* space = llvm::dyn_cast<clang::NamespaceDecl>(declaration)) context = space;
            if (auto* pattern = llvm::dyn_cast<clang::ClassTemplateDecl>(declaration);
                pattern && end == name.size())
                (void)pattern->specializations();
        }
        if (end == name.size()) return;
        at = end + 2;
    }
}

void read_names(clang::CompilerInstance& compiler, const std::string& space) {
    clang::DeclContext* context = compiler.getASTContext().getTranslationUnitDecl();
    auto& preprocessor = compiler.getPreprocessor();
    if (space.empty()) {
        (void)context->lookups();
        (void)preprocessor.macros(true);
        return;
    }
    for (auto* declaration : context->lookup(&preprocessor.getIdentifierTable().get(space)))
        if (auto* found = llvm::dyn_cast<clang::NamespaceDecl>(declaration)) {
            (void)found->getPrimaryContext()->lookups();
            return;
        }
}

CrashGuard::CrashGuard(void (*on_crash)()) {
    on_crash_ahead = on_crash;
    struct sigaction watched{};
    watched.sa_handler = on_signal_ahead;
    watched.sa_flags = SA_ONSTACK;
    for (std::size_t i = 0; i < deadly.size(); ++i) sigaction(deadly[i], &watched, &before_[i]);
    llvm::install_fatal_error_handler(on_llvm_error_ahead);
}

CrashGuard::~CrashGuard() {
    llvm::remove_fatal_error_handler();
    for (std::size_t i = 0; i < deadly.size(); ++i) sigaction(deadly[i], &before_[i], nullptr);
}

}  // namespace xcpp_session
