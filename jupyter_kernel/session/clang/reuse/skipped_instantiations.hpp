// Functions that clang need not look at, because the process holds them compiled: from an earlier
// cell or from the library of instantiations.
//
// KnownTemplates drops the bodies that a cell need not compile again, but by then clang has
// instantiated them and made IR of them: half a second for the first `a + 1` of an array type. Here
// clang is told before. A function that waits to be instantiated is taken off the list; one that
// has a body is treated as if its header had declared it `extern template` and noinline, so that no
// code is made of it. That holds for good for functions of a library that are large or start
// threads. In a cell that repeats nothing it holds for everything that is known; where there is a
// loop, in the cell or in what it calls and nobody has compiled yet, small functions are inlined as
// ever.
#pragma once

#include "known_templates.hpp"

#include "clang/Basic/SourceLocation.h"

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace clang {
class FunctionDecl;
class MangleContext;
class Sema;
class ValueDecl;
}  // namespace clang

namespace xcpp_session {

class Tokens;

// No loop, no lambda, no function, no type in a cell: nothing in it can run twice.
bool runs_once(const Tokens& tokens);

class SkippedInstantiations {
public:
    SkippedInstantiations(clang::Sema& sema, const KnownTemplates& known);
    ~SkippedInstantiations();
    SkippedInstantiations(const SkippedInstantiations&) = delete;
    SkippedInstantiations& operator=(const SkippedInstantiations&) = delete;

    void begin_unit(bool once);

    // A definition came out of the precompiled header, or was instantiated; no code was made of it
    // yet.
    void add(clang::FunctionDecl* function);

    // At the end of a unit's text, before clang instantiates what the text needs: does it instead,
    // without what is known. Code is made after this.
    void instantiate_the_rest();

private:
    using Names = std::vector<std::string>;  // a constructor or destructor has several
    struct Candidate {
        clang::FunctionDecl* function;
        Names names;
    };

    bool may_be_skipped(const clang::FunctionDecl* function) const;
    bool is_never_inlined(const Names& names) const;
    bool is_skipped(const Names& names) const;
    void skip(clang::FunctionDecl* function);
    void forget_skipped();
    void instantiate_pending();
    bool has_loop() const;  // in the unit, or in what it calls and is not skipped
    void repeats();
    Names names_of(const clang::FunctionDecl* function) const;

    clang::Sema& sema_;
    const KnownTemplates& known_;
    std::unique_ptr<clang::MangleContext> mangler_;
    std::vector<Candidate> candidates_;  // with a body; a library or an earlier cell may hold them
    std::vector<Candidate> skipped_;     // with a body that is hidden while a cell without loops
                                         // is compiled
    std::vector<clang::FunctionDecl*> postponed_;  // not instantiated yet
    std::deque<std::pair<clang::ValueDecl*, clang::SourceLocation>> others_;
    std::unordered_set<const clang::FunctionDecl*> seen_;
    bool once_ = false;
};

}  // namespace xcpp_session
