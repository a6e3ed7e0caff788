#include "pragmas.hpp"

#include "clang/Basic/Diagnostic.h"
#include "clang/Lex/LiteralSupport.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"

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
        clang::Token token;
        preprocessor.Lex(token);
        const std::string verb = token.is(clang::tok::eod) ? "" : preprocessor.getSpelling(token);
        const auto place = token.getLocation();
        if (verb != "load" && verb != "add_include_path" && verb != "add_library_path") {
            report(preprocessor, first.getLocation(),
                   "#pragma cling " + verb +
                       " is unknown; there are load(\"library\"), add_include_path(\"folder\") and "
                       "add_library_path(\"folder\")");
            return skip(preprocessor, token);
        }
        preprocessor.Lex(token);
        if (token.isNot(clang::tok::l_paren)) return wrong(preprocessor, place, verb, token);
        for (;;) {  // load("a", "b") is a list
            preprocessor.Lex(token);
            if (token.isNot(clang::tok::string_literal))
                return wrong(preprocessor, place, verb, token);
            clang::StringLiteralParser text(token, preprocessor);
            if (text.hadError) return skip(preprocessor, token);
            const std::string answer = actions_.cling(verb, text.GetString().str());
            if (!answer.empty()) report(preprocessor, place, answer);
            preprocessor.Lex(token);
            if (token.isNot(clang::tok::comma)) break;
        }
        if (token.isNot(clang::tok::r_paren)) return wrong(preprocessor, place, verb, token);
        skip(preprocessor, token);
    }

private:
    static void skip(clang::Preprocessor& preprocessor, clang::Token& token) {
        while (token.isNot(clang::tok::eod)) preprocessor.Lex(token);
    }

    static void wrong(clang::Preprocessor& preprocessor, clang::SourceLocation place,
                      const std::string& verb, clang::Token& token) {
        report(preprocessor, place, "write #pragma cling " + verb + "(\"…\")");
        skip(preprocessor, token);
    }

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
