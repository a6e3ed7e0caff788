#include "completion_ask.hpp"

#include "session/base/cell_names.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/RawCommentList.h>
#include <clang/Basic/FileManager.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Sema/SemaCodeCompletion.h>

#include <algorithm>
#include <cctype>
#include <exception>
#include <memory>

namespace xcpp_session {
namespace {

clang::CodeCompleteOptions options() {
    clang::CodeCompleteOptions wanted;
    wanted.IncludeMacros = 1;
    wanted.IncludeCodePatterns = 1;  // "while" is offered only as the pattern of a loop
    wanted.LoadExternal = 1;
    wanted.IncludeFixIts = 1;  // members of what a pointer points to, after a "."
    return wanted;
}

class Consumer : public clang::CodeCompleteConsumer {
public:
    explicit Consumer(const TakeResults& take)
        : clang::CodeCompleteConsumer(options()),
          info_(std::make_shared<clang::GlobalCodeCompletionAllocator>()),
          take_(take) {}

    void ProcessCodeCompleteResults(clang::Sema& sema, clang::CodeCompletionContext context,
                                    clang::CodeCompletionResult* results, unsigned count) override {
        take_(sema, context, results, count);
    }
    clang::CodeCompletionAllocator& getAllocator() override { return info_.getAllocator(); }
    clang::CodeCompletionTUInfo& getCodeCompletionTUInfo() override { return info_; }

private:
    clang::CodeCompletionTUInfo info_;
    const TakeResults& take_;
};

}  // namespace

void ask_compiler(clang::CompilerInstance& compiler, const ParseText& parse,
                  const CompletionContext& context, const TakeResults& take) {
    if (context.asked != AskedFor::code || !compiler.hasSema()) return;
    clang::SourceManager& sources = compiler.getSourceManager();
    const clang::FileEntryRef file = compiler.getFileManager().getVirtualFileRef(
        asked_file_name, static_cast<off_t>(context.text.size()), 0);
    sources.overrideFileContents(
        file, llvm::MemoryBuffer::getMemBufferCopy(context.text, asked_file_name));
    clang::Preprocessor& preprocessor = compiler.getPreprocessor();
    if (preprocessor.SetCodeCompletionPoint(file, context.line, context.column)) return;
    Consumer consumer(take);
    clang::SemaCodeCompletion& completion = compiler.getSema().CodeCompletion();
    completion.CodeCompleter = &consumer;
    try {
        parse(std::string("#include \"") + asked_file_name + "\"\n");
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch)
        // A parser that lost its way after the place asked for: what it said there holds.
    }
    completion.CodeCompleter = nullptr;
}

std::string name_of(const clang::CodeCompletionResult& result) {
    if (result.Declaration && !result.Declaration->getIdentifier()) return {};
    std::string buffer;
    return result.getOrderedName(buffer).str();
}

bool is_in_asked_text(clang::SourceLocation place, const clang::SourceManager& sources) {
    return sources.getFilename(sources.getExpansionLoc(place)) == asked_file_name;
}

bool is_in_asked_text(const clang::NamedDecl& declaration) {
    return !declaration.isFromASTFile() &&
           is_in_asked_text(declaration.getLocation(),
                            declaration.getASTContext().getSourceManager());
}

bool is_internal_name(std::string_view name) {
    return name.substr(0, 6) == "__xcpp" || unit_of_namespace_name(name) > 0;
}

bool is_reserved_name(std::string_view name) {
    return name.size() > 1 && name[0] == '_' &&
           (name[1] == '_' || std::isupper(static_cast<unsigned char>(name[1])));
}

std::string comment_of(clang::ASTContext& context, const clang::NamedDecl& declaration) {
    const clang::RawComment* raw = context.getRawCommentForAnyRedecl(&declaration);
    if (!raw) return {};
    const std::string formatted =
        raw->getFormattedText(context.getSourceManager(), context.getDiagnostics());
    const llvm::StringRef text = llvm::StringRef(formatted).trim();
    const bool says_something = std::any_of(text.begin(), text.end(), [](unsigned char c) {
        return std::isalnum(c) || c >= 0x80;  // no line of hyphens
    });
    return says_something ? text.str() : std::string();
}

}  // namespace xcpp_session
