#include "pragmas.hpp"

#include "clang/Basic/Diagnostic.h"
#include "clang/Lex/LiteralSupport.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"

namespace xcpp_session {
namespace {

void report(clang::Preprocessor& preprocessor, clang::SourceLocation place,
            const std::string& text) {
    auto& diagnostics = preprocessor.getDiagnostics();
    diagnostics.Report(place, diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0"))
        << text;
}

class ClingPragma : public clang::PragmaHandler {
public:
    explicit ClingPragma(const PragmaActions& actions)
        : PragmaHandler("cling"), actions_(actions) {}

    void HandlePragma(clang::Preprocessor& preprocessor, clang::PragmaIntroducer,
                      clang::Token& first) override {
        std::vector<clang::Token> tokens;  // verb ( "a" , "b" )
        clang::Token token;
        for (preprocessor.Lex(token); token.isNot(clang::tok::eod); preprocessor.Lex(token))
            tokens.push_back(token);
        const std::string verb = tokens.empty() ? "" : preprocessor.getSpelling(tokens[0]);
        if (!llvm::is_contained({"load", "add_include_path", "add_library_path"}, verb))
            return report(preprocessor, first.getLocation(),
                          "#pragma cling " + verb +
                              " is unknown; there are load(\"library\"), "
                              "add_include_path(\"folder\") and add_library_path(\"folder\")");
        const auto place = tokens[0].getLocation();
        const auto wrong = [&] {
            report(preprocessor, place, "write #pragma cling " + verb + "(\"…\")");
        };
        if (tokens.size() < 4 || tokens.size() % 2 != 0 || tokens[1].isNot(clang::tok::l_paren))
            return wrong();
        for (std::size_t i = 2; i < tokens.size(); i += 2) {
            const bool last = i + 2 == tokens.size();
            if (tokens[i].isNot(clang::tok::string_literal) ||
                tokens[i + 1].isNot(last ? clang::tok::r_paren : clang::tok::comma))
                return wrong();
            const clang::StringLiteralParser text(tokens[i], preprocessor);
            if (text.hadError) return;
            const std::string answer = actions_.cling(verb, text.GetString().str());
            if (!answer.empty()) report(preprocessor, place, answer);
        }
    }

private:
    const PragmaActions& actions_;
};

class OwnPragma : public clang::PragmaHandler {
public:
    explicit OwnPragma(const PragmaActions& actions) : PragmaHandler("xcpp"), actions_(actions) {}

    void HandlePragma(clang::Preprocessor& preprocessor, clang::PragmaIntroducer,
                      clang::Token&) override {
        clang::Token token;
        preprocessor.LexUnexpandedToken(token);
        if (token.is(clang::tok::eod)) return;
        const std::string word = preprocessor.getSpelling(token);
        preprocessor.LexUnexpandedToken(token);
        const int number = token.is(clang::tok::numeric_constant)
                               ? std::atoi(preprocessor.getSpelling(token).c_str())
                               : 0;
        std::vector<std::string> names;
        for (; token.isNot(clang::tok::eod); preprocessor.LexUnexpandedToken(token))
            if (token.getIdentifierInfo()) names.push_back(preprocessor.getSpelling(token));
        actions_.xcpp(word, number, names);
    }

private:
    const PragmaActions& actions_;
};

}  // namespace

void add_pragmas(clang::Preprocessor& preprocessor, const PragmaActions& actions) {
    preprocessor.AddPragmaHandler(
        new ClingPragma(actions));  // owned by the preprocessor, as clang has it
    preprocessor.AddPragmaHandler(new OwnPragma(actions));
}

}  // namespace xcpp_session
