#include "cell.hpp"

#include "classify.hpp"
#include "lambdas.hpp"
#include "session/text/guards.hpp"

#include <algorithm>

namespace xcpp_session {
namespace {

// Words that start a statement with parts of its own.
std::size_t statement_end(const std::vector<Token>& tokens, std::size_t at);

std::size_t after_parentheses(const std::vector<Token>& tokens, std::size_t at) {
    while (at < tokens.size() && !tokens[at].is("(") && !tokens[at].is("{") && !tokens[at].is(";"))
        ++at;  // if constexpr (
    return at < tokens.size() && tokens[at].is("(") ? closing(tokens, at) + 1 : at;
}

std::size_t skip_directives(const std::vector<Token>& tokens, std::size_t at) {
    while (at < tokens.size() && tokens[at].kind == TokenKind::directive) ++at;
    return at;
}

// The last token of the simple statement or declaration at `at`: its ';', or the last token there
// is.
std::size_t semicolon(const std::vector<Token>& tokens, std::size_t at) {
    for (; at < tokens.size(); ++at) {
        if (tokens[at].is("(") || tokens[at].is("[") || tokens[at].is("{")) {
            at = closing(tokens, at);
            if (at >= tokens.size()) break;
        } else if (tokens[at].is(";")) {
            return at;
        }
    }
    return tokens.size() - 1;
}

std::size_t statement_end(const std::vector<Token>& tokens, std::size_t at) {
    at = skip_directives(tokens, at);
    if (at >= tokens.size()) return tokens.size() - 1;
    const auto clip = [&tokens](std::size_t i) { return std::min(i, tokens.size() - 1); };
    const Token& start = tokens[at];
    if (start.is("{")) return clip(closing(tokens, at));
    if (start.is("[") && at + 1 < tokens.size() && tokens[at + 1].is("["))
        return statement_end(tokens, closing(tokens, at) + 1);
    if (start.is("if")) {
        const std::size_t then = statement_end(tokens, after_parentheses(tokens, at));
        const std::size_t next = skip_directives(tokens, then + 1);
        return next < tokens.size() && tokens[next].is("else") ? statement_end(tokens, next + 1)
                                                               : then;
    }
    if (start.is("for") || start.is("while") || start.is("switch"))
        return statement_end(tokens, after_parentheses(tokens, at));
    if (start.is("do")) return semicolon(tokens, statement_end(tokens, at + 1) + 1);
    if (start.is("try")) {
        std::size_t end = statement_end(tokens, at + 1);
        while (end + 1 < tokens.size() && tokens[end + 1].is("catch"))
            end = statement_end(tokens, after_parentheses(tokens, end + 1));
        return end;
    }
    if (start.is("case") || start.is("default")) return semicolon(tokens, at);
    if (start.kind == TokenKind::word && at + 1 < tokens.size() && tokens[at + 1].is(":"))
        return statement_end(tokens, at + 2);  // label
    return semicolon(tokens, at);
}

// Pragmas that speak of the statement behind them.
bool belongs_to_next(std::string_view directive) {
    const std::vector<Token> words =
        tokenize(directive.substr(directive.find_first_not_of("# \t")));
    if (words.size() < 2 || !words[0].is("pragma")) return false;
    if (words[1].is("omp"))
        return words.size() < 3 ||
               !(words[2].is("declare") || words[2].is("threadprivate") || words[2].is("requires"));
    if (words[1].is("GCC"))
        return words.size() > 2 && (words[2].is("unroll") || words[2].is("ivdep"));
    if (words[1].is("clang")) return words.size() > 2 && words[2].is("loop");
    return words[1].is("unroll") || words[1].is("nounroll");
}

bool is_include(std::string_view directive) {
    const std::size_t word = directive.find_first_not_of("# \t");
    return word != std::string_view::npos && (directive.compare(word, 7, "include") == 0 ||
                                              directive.compare(word, 6, "import") == 0);
}

class Splitter {
public:
    Splitter(Cell& cell, const Names& names) : cell_(cell), tokens_(cell.tokens), names_(names) {}

    void run() {
        std::size_t at = 0;
        while (at < tokens_.size()) {
            // A header that was pasted speaks of a file, and a cell is none; clang 19 crashes on it
            // here.
            if (tokens_[at].is(";") ||
                (tokens_[at].kind == TokenKind::directive && is_pragma_once(tokens_[at].text))) {
                ++at;
                continue;
            }
            at = take(at) + 1;
        }
    }

private:
    std::size_t take(std::size_t at) {
        if (tokens_[at].kind == TokenKind::directive) {
            if (!belongs_to_next(tokens_[at].text)) {
                names_.learn_macro(tokens_[at].text);
                add(is_include(tokens_[at].text) ? PieceKind::outside : PieceKind::directive, at,
                    at);
                return at;
            }
            const std::size_t code = skip_directives(tokens_, at);
            if (code >= tokens_.size() ||
                classify(tokens_, code, names_) != PieceClass::declaration)
                return take_statement(at);
        }
        const std::size_t code = skip_directives(tokens_, at);
        switch (classify(tokens_, code, names_)) {
            case PieceClass::statement:
                return take_statement(at);
            case PieceClass::expression:
                return take_expression(at);
            case PieceClass::declaration:
                break;
        }
        const Declaration declaration = read_declaration(tokens_, code, names_);
        Piece piece;
        piece.kind = declaration.outside ? PieceKind::outside : PieceKind::declaration;
        piece.first = at;
        piece.last = declaration.last;
        piece.name = declaration.function_name;
        piece.body = declaration.body;
        piece.variable = declaration.variable;
        piece.space = declaration.space;
        piece.redefines = declaration.redefines;
        for (const auto& [name, kind] : declaration.declares) piece.declares.push_back(name);
        give_up_macros(at, declaration);
        names_.learn(declaration);
        if (!declaration.outside)
            cell_.edits.insert(cell_.edits.end(), declaration.edits.begin(),
                               declaration.edits.end());
        cell_.pieces.push_back(piece);
        return piece.last;
    }

    void give_up_macros(std::size_t first, const Declaration& declaration) {
        for (std::size_t i = first; i <= declaration.last; ++i) {
            if (tokens_[i].kind != TokenKind::word) continue;
            const bool declared = std::any_of(
                declaration.declares.begin(), declaration.declares.end(),
                [&](const auto& one) { return one.first.data() == tokens_[i].text.data(); });
            if (declared && names_.macro_gives_way(tokens_[i].text, i + 1 < tokens_.size() &&
                                                                        tokens_[i + 1].is("("))) {
                cell_.undefines.push_back(tokens_[i].text);
                names_.forget_macro(tokens_[i].text);
            }
        }
    }

    std::size_t take_statement(std::size_t at) {
        const std::size_t last = statement_end(tokens_, at);
        add(PieceKind::statement, at, last);
        return last;
    }

    std::size_t take_expression(std::size_t at) {
        const std::size_t last = semicolon(tokens_, at);
        add(tokens_[last].is(";") ? PieceKind::statement : PieceKind::value, at, last);
        return last;
    }

    void add(PieceKind kind, std::size_t first, std::size_t last) {
        Piece piece;
        piece.kind = kind;
        piece.first = first;
        piece.last = last;
        cell_.pieces.push_back(piece);
    }

    Cell& cell_;
    const std::vector<Token>& tokens_;
    CellNames names_;
};

}  // namespace

std::string Cell::text_of(std::size_t first, std::size_t last) const {
    std::size_t at = tokens[first].begin;
    const std::size_t end = tokens[last].end();
    std::string text;
    for (const Edit& edit : edits) {
        if (edit.begin < at || edit.end > end) continue;
        text.append(code, at, edit.begin - at);
        text += edit.text;
        at = edit.end;
    }
    return text.append(code, at, end - at);
}

unsigned Cell::user_column(unsigned line, unsigned column) const {
    std::size_t line_begin = 0;
    for (unsigned i = 1; i < line && line_begin != std::string::npos; ++i) {
        line_begin = code.find('\n', line_begin);
        if (line_begin == std::string::npos) return column;
        ++line_begin;
    }
    const std::size_t line_end = std::min(code.find('\n', line_begin), code.size());
    long shift = 0;  // edited minus original, so far
    for (const Edit& edit : edits) {
        if (edit.begin < line_begin || edit.begin >= line_end) continue;
        const long edited_begin = static_cast<long>(edit.begin - line_begin) + 1 + shift;
        const long edited_end = edited_begin + static_cast<long>(edit.text.size());
        const long here = static_cast<long>(column);
        if (here < edited_begin) break;
        if (here < edited_end) return static_cast<unsigned>(edit.begin - line_begin) + 1;
        shift += static_cast<long>(edit.text.size()) - static_cast<long>(edit.end - edit.begin);
    }
    return static_cast<unsigned>(std::max(1L, static_cast<long>(column) - shift));
}

Cell::Cell(std::string text, const Names& names) : code(std::move(text)), tokens(tokenize(code)) {
    Splitter(*this, names).run();
    mend_captures(*this, names);
    std::stable_sort(edits.begin(), edits.end(),
                     [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
}

}  // namespace xcpp_session
