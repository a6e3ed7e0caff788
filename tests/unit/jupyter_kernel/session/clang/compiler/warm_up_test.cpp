#include "session/clang/compiler/warm_up.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Serialization/ASTDeserializationListener.h>
#include <clang/Serialization/ASTReader.h>
#include <clang/Tooling/Tooling.h>
#include <gtest/gtest.h>

#include <unistd.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>

namespace {

namespace fs = std::filesystem;
using xcpp_session::read_instantiations;

// Instantiations that were read from the precompiled header so far.
struct Counter : clang::ASTDeserializationListener {
    int read = 0;
    void DeclRead(clang::GlobalDeclID, const clang::Decl* declaration) override {
        read += llvm::isa<clang::ClassTemplateSpecializationDecl>(declaration) ? 1 : 0;
    }
};

struct Action : clang::ASTFrontendAction {
    explicit Action(std::function<void(clang::CompilerInstance&)> work) : use(std::move(work)) {}
    std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance&,
                                                          llvm::StringRef) override {
        return std::make_unique<clang::ASTConsumer>();
    }
    void EndSourceFileAction() override { use(getCompilerInstance()); }
    std::function<void(clang::CompilerInstance&)> use;
};

TEST(ReadAhead, ReadsAllInstantiationsOfTheTemplateThatIsNamedAndNoOthers) {
    const fs::path folder = fs::temp_directory_path() / ("read_ahead_" + std::to_string(getpid()));
    fs::create_directories(folder);
    std::ofstream(folder / "a.hpp")
        << "namespace outer { namespace inner { template <class T> struct Trait { T x; }; }\n"
           "template <class T> struct Other { T x; }; }\n"
           "inline int use() { outer::inner::Trait<int> a{1}; outer::inner::Trait<char> b{1}; "
           "outer::inner::Trait<long> c{1};\n"
           "outer::Other<int> d{1}; return a.x + b.x + int(c.x) + d.x; }\n";
    const std::string pch = (folder / "a.pch").string();
    ASSERT_EQ(std::system(("clang++-19 -std=c++17 -x c++-header " + (folder / "a.hpp").string() +
                           " -o " + pch)
                              .c_str()),
              0);
    bool used = false;
    const auto use = [&used](clang::CompilerInstance& compiler) {
        ASSERT_TRUE(compiler.getASTReader());
        Counter counter;
        compiler.getASTReader()->setDeserializationListener(&counter);
        for (const char* none :
             {"no::such", "outer", "outer::inner", "outer::inner::Missing", "::", ""})
            read_instantiations(compiler, none);
        EXPECT_EQ(counter.read, 0);
        read_instantiations(compiler, "outer::inner::Trait");
        EXPECT_EQ(counter.read, 3);
        read_instantiations(compiler, "outer::inner::Trait");
        EXPECT_EQ(counter.read, 3);
        compiler.getASTReader()->setDeserializationListener(nullptr);
        used = true;
    };
    clang::tooling::runToolOnCodeWithArgs(std::make_unique<Action>(use), "int x;\n",
                                          {"-std=c++17", "-include-pch", pch});
    fs::remove_all(folder);
    EXPECT_TRUE(used);
}

}  // namespace
