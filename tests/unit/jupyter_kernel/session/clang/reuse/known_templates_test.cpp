// The pass that cuts what the process already has, on IR written by hand.
#include "session/clang/reuse/known_templates.hpp"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace {

using xcpp_session::KnownTemplates;

constexpr const char* first_cell = R"(
    $big = comdat any
    @state = linkonce_odr global i32 7, comdat($big)
    define linkonce_odr i32 @small(i32 %x) { %y = add i32 %x, 1  ret i32 %y }
    define linkonce_odr i32 @big(i32 %x) comdat {
        %a = load i32, ptr @state
        %b = mul i32 %a, %x
        %c = add i32 %b, %a
        store i32 %c, ptr @state
        ret i32 %c
    }
    define internal i32 @own() { %r = call i32 @only_used_by_own() ret i32 %r }
    define linkonce_odr i32 @only_used_by_own() { ret i32 5 }
    define i32 @cell() {
        %s = call i32 @small(i32 1)
        %b = call i32 @big(i32 %s)
        %o = call i32 @own()
        %r = add i32 %b, %o
        ret i32 %r
    }
)";

class KnownTemplatesTest : public testing::Test {
protected:
    std::unique_ptr<llvm::Module> parse(const char* text) {
        llvm::SMDiagnostic problem;
        auto module = llvm::parseAssemblyString(text, problem, context_);
        EXPECT_TRUE(module) << problem.getMessage().str();
        return module;
    }

    static void expect_valid(const llvm::Module& module) {
        EXPECT_FALSE(llvm::verifyModule(module, &llvm::errs()));
    }

    llvm::LLVMContext context_;
};

TEST_F(KnownTemplatesTest, AnUnknownFunctionStays) {
    KnownTemplates known(2);
    auto module = parse(first_cell);
    known.cut(*module);
    expect_valid(*module);
    EXPECT_TRUE(module->getFunction("big")->hasLinkOnceODRLinkage());
    EXPECT_FALSE(module->getFunction("big")->isDeclaration());
    EXPECT_TRUE(module->getNamedGlobal("state")->hasInitializer());
}

TEST_F(KnownTemplatesTest, ASecondCellHasNoBodyAndNoSecondVariable) {
    KnownTemplates known(2);
    auto first = parse(first_cell);
    known.cut(*first);
    known.learn(*first);
    first.reset();

    auto second = parse(first_cell);
    known.cut(*second);
    expect_valid(*second);
    EXPECT_TRUE(second->getFunction("small")
                    ->hasAvailableExternallyLinkage());  // two instructions: kept for inlining
    EXPECT_TRUE(second->getFunction("big")->isDeclaration());
    EXPECT_EQ(second->getFunction("big")->getComdat(), nullptr);
    auto* state = second->getNamedGlobal("state");
    EXPECT_TRUE(!state || state->isDeclaration());
    EXPECT_FALSE(second->getFunction("cell")->isDeclaration());
    EXPECT_FALSE(second->getFunction("own")->isDeclaration());  // internal: every cell has its own
}

TEST_F(KnownTemplatesTest, WhatOnlyLostBodiesCallGoesToo) {
    constexpr const char* text = R"(
        define linkonce_odr i32 @outer() { %x = call i32 @inner() %y = add i32 %x, 1 %z = add i32 %y, 1 ret i32 %z }
        define linkonce_odr i32 @inner() { ret i32 5 }
        define i32 @cell() { %x = call i32 @outer() ret i32 %x }
    )";
    KnownTemplates known(0);
    auto first = parse(R"(
        define linkonce_odr i32 @outer() { ret i32 1 }
        define i32 @cell() { %x = call i32 @outer() ret i32 %x }
    )");
    known.learn(*first);
    auto second = parse(text);
    known.cut(*second);
    expect_valid(*second);
    EXPECT_EQ(second->getFunction("inner"), nullptr);
}

TEST_F(KnownTemplatesTest, ALibraryOfSomebodyElseGivesItsVariablesOnly) {
    // puts and environ stand for a function and a variable that a library holds.
    constexpr const char* text = R"(
        @environ = linkonce_odr global ptr null
        define linkonce_odr i32 @puts(ptr %x) { ret i32 5 }
        define i32 @cell() { %x = call i32 @puts(ptr @environ) ret i32 %x }
    )";
    void* libc = dlopen("libc.so.6", RTLD_NOW | RTLD_GLOBAL);
    ASSERT_TRUE(libc);
    KnownTemplates variables(0), everything(0);
    everything.add_library(libc);

    auto module = parse(text);
    variables.cut(*module);
    expect_valid(*module);
    EXPECT_TRUE(module->getNamedGlobal("environ")->isDeclaration());
    EXPECT_FALSE(module->getFunction("puts")->isDeclaration());

    module = parse(text);
    everything.cut(*module);
    expect_valid(*module);
    EXPECT_TRUE(module->getFunction("puts")->isDeclaration());
}

// _ZN4__c19__xcpp_s1Ev is a statement of a cell, _ZZ…clEv a lambda in it.
constexpr const char* cell_with_lambda = R"(
    define linkonce_odr i32 @_ZSt3oneIiET_v() { ret i32 1 }
    define linkonce_odr i32 @_ZSt3twoIiET_v() { ret i32 2 }
    define internal i32 @_ZZN4__c19__xcpp_s1EvENK3$_0clEv() {
        %x = call i32 @_ZSt3oneIiET_v()
        ret i32 %x
    }
    define i32 @_ZN4__c19__xcpp_s1Ev() {
        %x = call i32 @_ZSt3twoIiET_v()
        %y = call i32 @_ZZN4__c19__xcpp_s1EvENK3$_0clEv()
        ret i32 %y
    }
)";

TEST_F(KnownTemplatesTest, InlinesIntoALambdaAndNotIntoAStatement) {
    KnownTemplates known;
    known.learn(*parse("define linkonce_odr i32 @_ZSt3oneIiET_v() { ret i32 1 }"));
    known.learn(*parse("define linkonce_odr i32 @_ZSt3twoIiET_v() { ret i32 2 }"));
    auto module = parse(cell_with_lambda);
    known.cut(*module);
    expect_valid(*module);
    EXPECT_FALSE(module->getFunction("_ZSt3oneIiET_v")->isDeclaration());
    EXPECT_TRUE(module->getFunction("_ZSt3twoIiET_v")->isDeclaration());
}

TEST_F(KnownTemplatesTest, WhatIsCompiledToRunOnceIsCompiledAgainForALoop) {
    KnownTemplates known;
    auto first = parse(cell_with_lambda);
    known.cut(*first);
    known.learn(*first);
    EXPECT_TRUE(known.knows_function("_ZSt3oneIiET_v"));
    EXPECT_FALSE(known.knows_function("_ZSt3twoIiET_v"));
    EXPECT_TRUE(known.knows_function("_ZSt3twoIiET_v", true));
}

// The address of _M_run is in a vtable, so that anybody may call it; a thread that calls it once
// takes far longer to start.
TEST_F(KnownTemplatesTest, InlinesNothingIntoTheStartOfAThread) {
    constexpr const char* text = R"(
        @table = constant [2 x ptr] [ptr @_ZNSt6thread6_StateI4__c1E6_M_runEv, ptr @_ZNSt8functionI4__c1E3runEv]
        define linkonce_odr i32 @_ZSt3oneIiET_v() { ret i32 1 }
        define linkonce_odr i32 @_ZSt3twoIiET_v() { ret i32 2 }
        define linkonce_odr i32 @_ZNSt6thread6_StateI4__c1E6_M_runEv() {
            %x = call i32 @_ZSt3oneIiET_v()
            ret i32 %x
        }
        define linkonce_odr i32 @_ZNSt8functionI4__c1E3runEv() {
            %x = call i32 @_ZSt3twoIiET_v()
            ret i32 %x
        }
    )";
    KnownTemplates known;
    known.learn(*parse("define linkonce_odr i32 @_ZSt3oneIiET_v() { ret i32 1 }"));
    known.learn(*parse("define linkonce_odr i32 @_ZSt3twoIiET_v() { ret i32 2 }"));
    auto module = parse(text);
    known.cut(*module);
    expect_valid(*module);
    EXPECT_TRUE(module->getFunction("_ZSt3oneIiET_v")->isDeclaration());
    EXPECT_FALSE(module->getFunction("_ZSt3twoIiET_v")->isDeclaration());
}

TEST_F(KnownTemplatesTest, TheWrapperOfAThreadLocalIsNeverInlined) {
    constexpr const char* text = R"(
        @tls = thread_local global i32 0
        define linkonce_odr ptr @_ZTW3tls() { ret ptr @tls }
        define ptr @cell() { %x = call ptr @_ZTW3tls() ret ptr %x }
    )";
    KnownTemplates known;
    auto first = parse(text);
    known.learn(*first);
    auto second = parse(text);
    known.cut(*second);
    EXPECT_TRUE(second->getFunction("_ZTW3tls")->isDeclaration());
}

}  // namespace
