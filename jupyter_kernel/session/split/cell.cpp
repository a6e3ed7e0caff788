#include "cell.hpp"

#include "classify.hpp"
#include "lambdas.hpp"
#include "session/text/directives.hpp"

#include <algorithm>

namespace xcpp_session {
namespace {

std::size_t skip_directives(const Tokens& tokens, std::size_t at) {
    while (tokens[at].kind == TokenKind::directive) ++at;
    return at;
}

// The last token of the simple statement or declaration at `at`: its ';', or the last token there
// is.
std::size_t semicolon(const Tokens& tokens, std::size_t at) {
    return std::min(tokens.find(at, {";"}), tokens.size() - 1);
}

// The last token of the statement at `at`.
std::size_t statement_end(const Tokens& tokens, std::size_t at) {
    const auto after_parentheses = [&](std::size_t i) {  // if constexpr (…)
        while (i < tokens.size() && !tokens[i].is_one_of({"(", "{", ";"})) ++i;
        return tokens[i].is("(") ? tokens.after(i) : i;
    };
    at = skip_directives(tokens, at);
    const Token& start = tokens[at];
    if (start.is("{")) return std::min(tokens.closing(at), tokens.size() - 1);
    if (start.is("[") && tokens[at + 1].is("[")) return statement_end(tokens, tokens.after(at));
    if (start.is("if")) {
        const std::size_t then = statement_end(tokens, after_parentheses(at));
        const std::size_t next = skip_directives(tokens, then + 1);
        return tokens[next].is("else") ? statement_end(tokens, next + 1) : then;
    }
    if (start.is_one_of({"for", "while", "switch"}))
        return statement_end(tokens, after_parentheses(at));
    if (start.is("do")) return semicolon(tokens, statement_end(tokens, at + 1) + 1);
    if (start.is("try")) {
        std::size_t end = statement_end(tokens, at + 1);
        while (tokens[end + 1].is("catch")) end = statement_end(tokens, after_parentheses(end + 1));
        return end;
    }
    const bool label = start.is_word() && tokens[at + 1].is(":") && !start.is("default");
    return label ? statement_end(tokens, at + 2) : semicolon(tokens, at);
}

// Pragmas that speak of the statement after them.
bool belongs_to_next(const Token& token) {
    const auto [name, rest] = directive_of(token);
    if (name != "pragma") return false;
    const Tokens words = tokenize(rest);
    if (words[0].is("omp")) return !words[1].is_one_of({"declare", "threadprivate", "requires"});
    return words[0].is_one_of({"unroll", "nounroll"}) ||
           (words[0].is("GCC") && words[1].is_one_of({"unroll", "ivdep"})) ||
           (words[0].is("clang") && words[1].is("loop"));
}

class Splitter {
public:
    Splitter(Cell& cell, const Names& names) : cell_(cell), tokens_(cell.tokens), names_(names) {}

    void run() {
        for (std::size_t at = 0; at < tokens_.size(); ++at)
            // A header that was pasted speaks of a file, and a cell is none; clang 19 crashes on
            // #pragma once here.
            if (!tokens_[at].is(";") && !is_pragma_once(tokens_[at])) at = take(at);
    }

private:
    // Takes the piece that starts at `at` and gives its last token.
    std::size_t take(std::size_t at) {
        const std::size_t code = skip_directives(tokens_, at);
        if (code != at && !belongs_to_next(tokens_[at])) {
            names_.learn_macro(tokens_[at]);
            const std::string_view name = directive_of(tokens_[at]).name;
            const bool outside = name == "include" || name == "import";
            return add(outside ? PieceKind::outside : PieceKind::directive, at, at);
        }
        const PieceClass kind = classify(tokens_, code, names_);
        if (kind == PieceClass::declaration) return take_declaration(at, code);
        if (kind == PieceClass::statement || code != at)
            return add(PieceKind::statement, at, statement_end(tokens_, at));
        const std::size_t last = semicolon(tokens_, at);
        return add(tokens_[last].is(";") ? PieceKind::statement : PieceKind::value, at, last);
    }

    std::size_t take_declaration(std::size_t at, std::size_t code) {
        Declaration declaration = read_declaration(tokens_, code, names_);
        declaration.piece.first = at;
        for (const auto& [name, kind] : declaration.declares)
            declaration.piece.declares.push_back(name);
        undefine_shadowed_macros(at, declaration);
        names_.learn(declaration);
        if (declaration.piece.kind == PieceKind::declaration)
            cell_.edits.insert(cell_.edits.end(), declaration.edits.begin(),
                               declaration.edits.end());
        cell_.pieces.push_back(std::move(declaration.piece));
        return cell_.pieces.back().last;
    }

    void undefine_shadowed_macros(std::size_t first, const Declaration& declaration) {
        for (std::size_t i = first; i <= declaration.piece.last; ++i) {
            const bool declared = std::any_of(
                declaration.declares.begin(), declaration.declares.end(),
                [&](const auto& one) { return one.first.data() == tokens_[i].text.data(); });
            if (!declared || !names_.macro_gives_way(tokens_[i].text, tokens_[i + 1].is("(")))
                continue;
            cell_.undefines.push_back(tokens_[i].text);
            names_.forget_macro(tokens_[i].text);
        }
    }

    std::size_t add(PieceKind kind, std::size_t first, std::size_t last) {
        Piece piece;
        piece.kind = kind;
        piece.first = first;
        piece.last = last;
        cell_.pieces.push_back(piece);
        return last;
    }

    Cell& cell_;
    const Tokens& tokens_;
    CellNames names_;
};

}  // namespace

std::string_view Cell::original(std::size_t first, std::size_t last) const {
    const std::size_t begin = tokens[first].begin;
    return std::string_view(code).substr(begin, tokens[last].end() - begin);
}

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
    for (unsigned i = 1; i < line; ++i) {
        line_begin = code.find('\n', line_begin) + 1;
        if (line_begin == 0) return column;
    }
    const std::size_t line_end = std::min(code.find('\n', line_begin), code.size());
    std::size_t place = line_begin + column - 1;  // with the edits before it undone so far
    for (const Edit& edit : edits) {
        if (edit.begin < line_begin) continue;
        if (edit.begin >= line_end || place < edit.begin) break;
        if (place < edit.begin + edit.text.size())  // in what was put there
            return static_cast<unsigned>(edit.begin - line_begin) + 1;
        place = place - edit.text.size() + (edit.end - edit.begin);
    }
    return static_cast<unsigned>(place - line_begin) + 1;
}

Cell::Cell(SourceText text, const Names& names) : source(std::move(text)) {
    Splitter(*this, names).run();
    edit_captures(*this, names);
    std::stable_sort(edits.begin(), edits.end(),
                     [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
}

}  // namespace xcpp_session
