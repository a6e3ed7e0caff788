// Which functions a piece of code calls, directly or through others, and whether any of it repeats.
#pragma once

#include <functional>
#include <unordered_set>
#include <vector>

namespace clang {
class Decl;
class DeclContext;
class FunctionDecl;
class QualType;
class Stmt;
}  // namespace clang

namespace xcpp_session {

class ReachableCalls {
public:
    // enter: whether to look into a function's body, too.
    explicit ReachableCalls(std::function<bool(const clang::FunctionDecl*)> enter)
        : enter_(std::move(enter)) {}

    void walk_declarations(
        const clang::DeclContext* context);  // functions and variables, also in namespaces inside

    bool found_loop() const { return found_loop_; }
    const std::vector<const clang::FunctionDecl*>& without_body() const { return without_body_; }

private:
    void walk_function(const clang::FunctionDecl* function);
    void walk_code(const clang::Stmt* code);
    void walk_destructor(clang::QualType type);

    std::function<bool(const clang::FunctionDecl*)> enter_;
    std::unordered_set<const clang::FunctionDecl*> seen_;
    std::vector<const clang::FunctionDecl*> without_body_;
    bool found_loop_ = false;
};

}  // namespace xcpp_session
