// A compiler for tests, without the interpreter: parses `before`, then what the code under test
// asks for.
#pragma once

#include <clang/Basic/FileManager.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Parse/ParseAST.h>
#include <clang/Tooling/Tooling.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace xcpp_test {

using Parse = std::function<void(const std::string& text)>;
using Use = std::function<void(clang::CompilerInstance& compiler, const Parse& parse)>;

class Action : public clang::ASTFrontendAction {
public:
    Action(std::string before, Use use) : before_(std::move(before)), use_(std::move(use)) {}

    std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance&,
                                                          llvm::StringRef) override {
        return std::make_unique<clang::ASTConsumer>();
    }

protected:
    void ExecuteAction() override {
        clang::CompilerInstance& compiler = getCompilerInstance();
        compiler.createSema(getTranslationUnitKind(), nullptr);
        use_(compiler, [&](const std::string& text) {
            const std::string all = before_ + "\n" + text;
            const auto file = compiler.getFileManager().getVirtualFileRef(
                "/late.cpp", static_cast<off_t>(all.size()), 0);
            compiler.getSourceManager().overrideFileContents(
                file, llvm::MemoryBuffer::getMemBufferCopy(all, "/late.cpp"));
            clang::ParseAST(compiler.getSema());
        });
    }

private:
    std::string before_;
    Use use_;
};

inline void with_compiler(const std::string& before, const Use& use) {
    clang::tooling::runToolOnCodeWithArgs(std::make_unique<Action>(before, use),
                                          "#include \"/late.cpp\"\n", {"-std=c++17", "-w"});
}

}  // namespace xcpp_test
