#include "warm_up.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclLookups.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"

#include "llvm/Support/ErrorHandling.h"

namespace xcpp_session {
namespace {

void (*on_crash_while_warming)() = nullptr;

void on_signal_while_warming(int) { on_crash_while_warming(); }
void on_llvm_error_while_warming(void*, const char*, bool) { on_crash_while_warming(); }

}  // namespace

void read_instantiations(clang::CompilerInstance& compiler, const std::string& name) {
    auto& identifiers = compiler.getPreprocessor().getIdentifierTable();
    clang::DeclContext* context = compiler.getASTContext().getTranslationUnitDecl();
    llvm::SmallVector<llvm::StringRef> path;
    llvm::StringRef(name).split(path, "::");
    for (const llvm::StringRef word : path) {
        const auto found = context->lookup(&identifiers.get(word));
        if (auto* pattern = found.find_first<clang::ClassTemplateDecl>())
            (void)pattern->specializations();
        context = found.find_first<clang::NamespaceDecl>();
        if (!context) return;
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
    const auto found = context->lookup(&preprocessor.getIdentifierTable().get(space));
    if (auto* named = found.find_first<clang::NamespaceDecl>())
        (void)named->getPrimaryContext()->lookups();
}

CrashGuard::CrashGuard(void (*on_crash)()) {
    on_crash_while_warming = on_crash;
    struct sigaction watched{};
    watched.sa_handler = on_signal_while_warming;
    watched.sa_flags = SA_ONSTACK;
    for (std::size_t i = 0; i < deadly.size(); ++i) sigaction(deadly[i], &watched, &before_[i]);
    llvm::install_fatal_error_handler(on_llvm_error_while_warming);
}

CrashGuard::~CrashGuard() {
    llvm::remove_fatal_error_handler();
    for (std::size_t i = 0; i < deadly.size(); ++i) sigaction(deadly[i], &before_[i], nullptr);
}

}  // namespace xcpp_session
