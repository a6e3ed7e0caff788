#include "tokens.hpp"

#include "completeness_scan.hpp"

namespace xcpp_session {

std::vector<Token> tokenize(std::string_view code) {
    std::vector<Token> tokens;
    Scanner scanner(code);
    for (ScanToken found = scanner.next();
         found.kind != ScanKind::end && found.kind != ScanKind::open_comment;
         found = scanner.next()) {
        Token token;
        token.text = found.text;
        token.begin = found.offset;
        token.line = found.line;
        token.column = found.column;
        if (found.kind == ScanKind::word)
            token.kind = TokenKind::word;
        else if (found.kind == ScanKind::number || found.kind == ScanKind::string)
            token.kind = TokenKind::literal;
        else if (found.kind == ScanKind::directive)
            token.kind = TokenKind::directive;
        tokens.push_back(token);
    }
    return tokens;
}

std::size_t closing(const std::vector<Token>& tokens, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < tokens.size(); ++i) {
        const Token& token = tokens[i];
        if (token.kind != TokenKind::mark) continue;
        if (token.text == "(" || token.text == "[" || token.text == "{") ++depth;
        if ((token.text == ")" || token.text == "]" || token.text == "}") && --depth == 0) return i;
    }
    return tokens.size();
}

std::size_t closing_angle(const std::vector<Token>& tokens, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < tokens.size(); ++i) {
        const Token& token = tokens[i];
        if (token.kind != TokenKind::mark) continue;
        if (token.text == "(" || token.text == "[" || token.text == "{") {
            i = closing(tokens, i);
            continue;
        }
        if (token.text == "<") ++depth;
        if (token.text == ">" && --depth == 0) return i;
        if (token.text == ";" || token.text == ")" || token.text == "]" || token.text == "}" ||
            token.text == "||")
            return open;
        const bool reference =
            i + 1 < tokens.size() &&
            (tokens[i + 1].is(",") || tokens[i + 1].is(">") || tokens[i + 1].is("..."));
        if (token.text == "&&" && !reference) return open;
    }
    return open;
}

}  // namespace xcpp_session
