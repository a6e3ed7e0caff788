#include "lambdas.hpp"

#include <set>

namespace xcpp_session {
namespace {

// A '[' that starts a lambda: not a subscript, not an attribute, not an array's bound, not a
// structured binding.
bool starts_lambda(const std::vector<Token>& tokens, std::size_t at) {
    if (!tokens[at].is("[")) return false;
    if (at + 1 < tokens.size() && tokens[at + 1].is("[")) return false;
    if (at == 0) return true;
    const Token& before = tokens[at - 1];
    if (before.is("[") || before.is("]") || before.is(")") || before.kind == TokenKind::literal ||
        before.is("auto") || before.is("delete") || before.is("&&")) {
        return before.is("&&") && !(at >= 2 && tokens[at - 2].is("auto"));
    }
    if (before.is("&") && at >= 2 && tokens[at - 2].is("auto")) return false;
    if (before.kind == TokenKind::word)
        return before.is("return") || before.is("throw") || before.is("case") ||
               before.is("else") || before.is("do");
    return true;
}

class CaptureMender {
public:
    CaptureMender(Cell& cell, const Names& names)
        : cell_(cell), tokens_(cell.tokens), names_(names) {}

    void run() {
        for (const Piece& piece : cell_.pieces) {
            if (piece.kind == PieceKind::directive) continue;
            const bool global = piece.variable && piece.kind != PieceKind::statement;
            scan(piece.first, piece.last, global);
            if (piece.variable)
                for (std::size_t i = piece.first; i <= piece.last; ++i)
                    if (tokens_[i].kind == TokenKind::word) declared_.insert(tokens_[i].text);
        }
    }

private:
    // global: names here are all globals, a default capture has nothing to capture.
    void scan(std::size_t first, std::size_t last, bool global) {
        for (std::size_t i = first; i <= last; ++i) {
            if (!starts_lambda(tokens_, i)) continue;
            const std::size_t close = closing(tokens_, i);
            if (close > last) return;
            mend(i + 1, close, global);
            // inside the body of a lambda there are locals again
            std::size_t body = close + 1;
            while (body <= last && !tokens_[body].is("{") && !tokens_[body].is(";"))
                body = tokens_[body].is("(") ? closing(tokens_, body) + 1 : body + 1;
            if (body > last || !tokens_[body].is("{")) continue;
            const std::size_t end = closing(tokens_, body);
            if (end > last) return;
            scan(body + 1, end, false);
            i = end;
        }
    }

    void mend(std::size_t first, std::size_t close, bool global) {
        std::size_t i = first;
        while (i < close) {
            std::size_t end = i;
            while (end < close && !tokens_[end].is(","))
                end = tokens_[end].is("(") || tokens_[end].is("{") ? closing(tokens_, end) + 1
                                                                   : end + 1;
            const std::size_t length = end - i;
            const bool by_default = length == 1 && (tokens_[i].is("&") || tokens_[i].is("="));
            const bool reference =
                length == 2 && tokens_[i].is("&") && tokens_[i + 1].kind == TokenKind::word;
            const bool value =
                length == 1 && tokens_[i].kind == TokenKind::word && !tokens_[i].is("this");
            if (by_default && global) {
                const std::size_t until =
                    end < close ? tokens_[end].end() : tokens_[i].end();  // with its comma
                cell_.edits.push_back(
                    {tokens_[i].begin, until, std::string(until - tokens_[i].begin, ' ')});
            } else if ((reference || value) && is_session_variable(tokens_[end - 1].text)) {
                cell_.edits.push_back({tokens_[end - 1].end(), tokens_[end - 1].end(),
                                       " = " + std::string(tokens_[end - 1].text)});
            }
            i = end + 1;
        }
    }

    bool is_session_variable(std::string_view name) const {
        return declared_.count(name) > 0 || names_.kind_of({name}) == NameKind::variable;
    }

    Cell& cell_;
    const std::vector<Token>& tokens_;
    const Names& names_;
    std::set<std::string_view> declared_;  // by earlier pieces of this cell
};

}  // namespace

void mend_captures(Cell& cell, const Names& names) { CaptureMender(cell, names).run(); }

}  // namespace xcpp_session
