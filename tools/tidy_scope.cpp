// A plug-in of clang-tidy 19 that makes it walk over the project's own declarations alone. Without
// it every check looks at every template of the standard library, xtensor and LLVM, only to throw
// away what it finds there: minutes a file. (Later versions of clang-tidy do so by themselves.)
// tools/tidy compiles and loads it.
#include <clang-tidy/ClangTidyCheck.h>
#include <clang-tidy/ClangTidyModule.h>
#include <clang-tidy/ClangTidyModuleRegistry.h>
#include <clang/AST/ASTContext.h>
#include <clang/ASTMatchers/ASTMatchFinder.h>

#include <vector>

namespace {

using namespace clang;

class OwnFiles : public tidy::ClangTidyCheck {
public:
    using ClangTidyCheck::ClangTidyCheck;

    void registerMatchers(ast_matchers::MatchFinder* finder) override {
        finder->addMatcher(ast_matchers::translationUnitDecl().bind("file"), this);
    }

    // Called at the root of the tree, before its children are looked up: from here on only these
    // are its children.
    void check(const ast_matchers::MatchFinder::MatchResult& found) override {
        std::vector<Decl*> own;
        for (Decl* declaration : found.Context->getTranslationUnitDecl()->decls()) {
            const SourceLocation place =
                found.SourceManager->getExpansionLoc(declaration->getLocation());
            if (place.isValid() && !found.SourceManager->getFilename(place).starts_with("/usr/"))
                own.push_back(declaration);
        }
        found.Context->setTraversalScope(own);
    }
};

class Module : public tidy::ClangTidyModule {
public:
    void addCheckFactories(tidy::ClangTidyCheckFactories& factories) override {
        factories.registerCheck<OwnFiles>("lanes-own-files");
    }
};

const tidy::ClangTidyModuleRegistry::Add<Module> registration(
    "lanes-module", "Walks over the project's own declarations alone.");

}  // namespace
