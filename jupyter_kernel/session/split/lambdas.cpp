#include "lambdas.hpp"

#include <algorithm>
#include <set>

namespace xcpp_session {
namespace {

// A '[' that starts a lambda: not a subscript, not an attribute, not an array's bound, not a
// structured binding.
bool starts_lambda(const Tokens& tokens, std::size_t at) {
    if (!tokens[at].is("[") || tokens[at + 1].is("[")) return false;
    const Token& before = tokens[at - 1];
    if (before.is_one_of({"&", "&&"})) return !tokens[at - 2].is("auto");
    if (before.is_word()) return before.is_one_of({"return", "throw", "case", "else", "do"});
    return before.kind != TokenKind::literal && !before.is_one_of({"[", "]", ")"});
}

class CaptureEditor {
public:
    CaptureEditor(Cell& cell, const Names& names)
        : cell_(cell), tokens_(cell.tokens), names_(names) {}

    void run() {
        for (const Piece& piece : cell_.pieces) {
            if (piece.kind == PieceKind::directive) continue;
            const bool global = piece.variable && piece.kind != PieceKind::statement;
            scan(piece.first, piece.last, global);
            if (piece.variable)
                for (std::size_t i = piece.first; i <= piece.last; ++i)
                    if (tokens_[i].is_word()) declared_.insert(tokens_[i].text);
        }
    }

private:
    // global: names here are all globals, a default capture has nothing to capture.
    void scan(std::size_t first, std::size_t last, bool global) {
        for (std::size_t i = first; i <= last; ++i) {
            if (!starts_lambda(tokens_, i)) continue;
            const std::size_t close = tokens_.closing(i);
            if (close > last) return;
            edit(i + 1, close, global);
            // inside the body of a lambda there are locals again
            const std::size_t body = tokens_.find(close + 1, {"{", ";"});
            if (body > last || !tokens_[body].is("{")) continue;
            const std::size_t end = tokens_.closing(body);
            if (end > last) return;
            scan(body + 1, end, false);
            i = end;
        }
    }

    void edit(std::size_t first, std::size_t close, bool global) {
        for (std::size_t i = first, end = 0; i < close; i = end + 1) {
            end = std::min(tokens_.find(i, {","}), close);
            const Token& name = tokens_[end - 1];
            const std::size_t length = end - i;
            const bool by_default = length == 1 && tokens_[i].is_one_of({"&", "="});
            const bool by_name = (length == 1 || (length == 2 && tokens_[i].is("&"))) &&
                                 name.is_word() && !tokens_[i].is("this");
            if (by_default && global) {
                const std::size_t until = tokens_[end < close ? end : i].end();  // with its comma
                cell_.edits.push_back(
                    {tokens_[i].begin, until, std::string(until - tokens_[i].begin, ' ')});
            } else if (by_name && is_session_variable(name.text)) {
                cell_.edits.push_back({name.end(), name.end(), " = " + std::string(name.text)});
            }
        }
    }

    bool is_session_variable(std::string_view name) const {
        return declared_.count(name) > 0 || names_.kind_of({name}) == NameKind::variable;
    }

    Cell& cell_;
    const Tokens& tokens_;
    const Names& names_;
    std::set<std::string_view> declared_;  // by earlier pieces of this cell
};

}  // namespace

void edit_captures(Cell& cell, const Names& names) { CaptureEditor(cell, names).run(); }

}  // namespace xcpp_session
