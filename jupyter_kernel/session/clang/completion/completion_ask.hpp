// One question to the compiler: what may stand at a place of a text?
#pragma once

#include "completion.hpp"
#include "completion_context.hpp"

#include <clang/Sema/CodeCompleteConsumer.h>
#include <clang/Sema/Sema.h>

#include <functional>

namespace xcpp_session {

using TakeResults =
    std::function<void(clang::Sema& sema, const clang::CodeCompletionContext& context,
                       clang::CodeCompletionResult* results, unsigned count)>;

// Calls `take` while the parser stands at the place; the results live no longer. The compiler's
// parser is spent afterwards.
void ask_compiler(clang::CompilerInstance& compiler, const ParseText& parse,
                  const CompletionContext& context, const TakeResults& take);

// The name of a declaration, macro or keyword; empty for operators, destructors, and what else
// nobody types.
std::string name_of(const clang::CodeCompletionResult& result);

// The comment at a declaration, without its slashes and stars; empty if there is none.
std::string comment_of(clang::ASTContext& context, const clang::NamedDecl& declaration);

// Declared by the text that is asked about.
bool is_in_asked_text(const clang::NamedDecl& declaration);
bool is_in_asked_text(clang::SourceLocation place, const clang::SourceManager& sources);

// Names that we generate, and those reserved for compiler and library.
bool is_internal_name(std::string_view name);
bool is_reserved_name(std::string_view name);

}  // namespace xcpp_session
