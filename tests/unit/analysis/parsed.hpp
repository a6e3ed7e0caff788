// The syntax tree of a text, and functions of it by name.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Frontend/ASTUnit.h>
#include <clang/Tooling/Tooling.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace analysis_test {

class Parsed {
public:
    explicit Parsed(const std::string& code)
        : unit_(clang::tooling::buildASTFromCodeWithArgs(code, {"-std=c++17", "-fopenmp", "-w"})) {
        if (!unit_ || unit_->getDiagnostics().hasErrorOccurred())
            throw std::runtime_error("the text of the test does not compile:\n" + code);
    }

    clang::ASTContext& context() { return unit_->getASTContext(); }

    // The functions of that name that have a body, in the order of the text.
    std::vector<const clang::FunctionDecl*> functions(const std::string& name) {
        Finder finder(name);
        finder.TraverseDecl(context().getTranslationUnitDecl());
        return finder.found;
    }
    const clang::FunctionDecl* function(const std::string& name) { return functions(name).at(0); }

private:
    struct Finder : clang::RecursiveASTVisitor<Finder> {
        explicit Finder(std::string wanted) : name(std::move(wanted)) {}
        bool VisitFunctionDecl(clang::FunctionDecl* function) {
            if (function->hasBody() && function->getNameAsString() == name)
                found.push_back(function);
            return true;
        }
        std::string name;
        std::vector<const clang::FunctionDecl*> found;
    };
    std::unique_ptr<clang::ASTUnit> unit_;
};

}  // namespace analysis_test
