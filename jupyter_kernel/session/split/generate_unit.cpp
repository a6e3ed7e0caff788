#include "generate_unit.hpp"

#include "session/base/cell_names.hpp"

#include <algorithm>

namespace xcpp_session {
namespace {

class UnitGenerator {
public:
    UnitGenerator(const Cell& cell, int unit, const LineOrigins& lines,
                  const std::function<bool(std::string_view)>& is_function)
        : cell_(cell),
          unit_(unit),
          open_("inline namespace " + cell_namespace_name(unit) + " {\n"),
          lines_(lines),
          is_function_(is_function) {}

    std::string run() {
        for (const Piece& piece : cell_.pieces) {
            if (piece.kind == PieceKind::statement || piece.kind == PieceKind::value) {
                statement(piece);
                continue;
            }
            close_function();
            const bool directive = cell_.tokens[piece.first].kind == TokenKind::directive;
            if (piece.kind == PieceKind::declaration)
                declaration(piece);
            else if (!piece.space.empty())
                reopen(piece);
            else
                place(piece.first, piece.last, directive ? "" : "\n;");
        }
        close_function();
        return std::move(text_);
    }

private:
    // The tokens first..last on their own line and column, with a declaration's doc comment.
    void place(std::size_t first, std::size_t last, const char* end = "") {
        begin_with_comment(first);
        text_ += cell_.text_of(first, last);
        text_ += end;
        text_ += '\n';
    }

    void begin_line(const Token& start) {
        const auto origin = lines_.of(start.line);
        text_ += "#line " + std::to_string(origin.line) + " \"" + origin.file + "\"\n";
        text_.append(start.column - 1, ' ');
    }

    // With the comments before the token: clang finds a doc comment only just before what it is
    // about.
    void begin_with_comment(std::size_t first) {
        const Token& start = cell_.tokens[first];
        const std::size_t before = cell_.tokens[first - 1].end();
        const std::string_view gap =
            std::string_view(cell_.code).substr(before, start.begin - before);
        const std::string_view comments = gap.substr(std::min(gap.find('/'), gap.size()));
        Token comment = start;
        comment.begin -= comments.size();
        comment.line -= static_cast<unsigned>(std::count(comments.begin(), comments.end(), '\n'));
        comment.column =
            static_cast<unsigned>(comment.begin - cell_.code.rfind('\n', comment.begin));
        const auto from = lines_.of(comment.line), to = lines_.of(start.line);
        if (from.file != to.file || to.line - from.line != start.line - comment.line)
            return begin_line(start);
        begin_line(comment);
        text_ += comments;
    }

    void declaration(const Piece& piece) {
        text_ += open_;
        if (piece.variable) step();
        if (piece.body != 0 && !piece.name.empty() && is_function_(piece.name)) {
            announce(piece);
            place_announced(piece);
        } else {
            place(piece.first, piece.last, "\n;");
        }
        text_ += own_line_;
        text_ += "#pragma xcpp declared\n";
        if (piece.variable) step();
        text_ += "}\n";
    }

    // When the cell is run: what stands before this is done.
    void step() {
        const std::string number = std::to_string(++step_);
        text_ += "char __xcpp_d" + number + " = (::xcpp_step(" + number + "), 0);\n";
        text_ += "#pragma xcpp step " + number + "\n";
    }

    void reopen(const Piece& piece) {
        text_ += "inline namespace " + piece.space + " {\n";
        place(piece.first, piece.last, "\n;");
        text_ += std::string(own_line_) + "}\n";
    }

    // The default arguments between first and body, from "=" to before the token at `end`. Those of
    // template parameters have depth 0, those of function parameters lie in brackets.
    struct Default {
        std::size_t equals, end;
        bool in_brackets;
    };
    std::vector<Default> defaults(const Piece& piece) const {
        const Tokens& tokens = cell_.tokens;
        std::vector<Default> found;
        int depth = 0;
        for (std::size_t i = piece.first; i < piece.body; ++i) {
            if (tokens[i].is("(")) ++depth;
            if (tokens[i].is(")")) --depth;
            if (!tokens[i].is("=")) continue;
            std::size_t end = i + 1;
            while (end < piece.body && !tokens[end].is_one_of({",", ")", ">"})) {
                const std::size_t angle = tokens[end].is("<") ? tokens.closing_angle(end) : end;
                end = tokens.after(angle);
            }
            if (depth == 0 && end >= piece.body) continue;
            found.push_back({i, end, depth > 0});
            i = end - 1;
        }
        return found;
    }

    // A default argument may be given only once: by the definition, or for the parameters of a
    // function template by its first declaration, which is the announcement.
    bool is_announced(const Piece& piece, const Default& one) const {
        return one.in_brackets && cell_.tokens[piece.first].is("template");
    }

    // int f(int a, int b = 3) { … }  ->  int f(int a, int b );
    void announce(const Piece& piece) {
        begin_line(cell_.tokens[piece.first]);
        std::size_t i = piece.first;
        const auto tokens_until = [&](std::size_t end) {
            for (; i < end; ++i) text_ += cell_.text_of(i, i) + ' ';
        };
        for (const Default& one : defaults(piece)) {
            if (is_announced(piece, one)) continue;
            tokens_until(one.equals);
            i = one.end;
        }
        tokens_until(piece.body);
        text_ += ";\n#pragma xcpp declared\n";
    }

    // The definition of what was announced, with blanks for the default arguments that were, so
    // that all else keeps its line and column.
    void place_announced(const Piece& piece) {
        const auto& tokens = cell_.tokens;
        begin_with_comment(piece.first);
        std::size_t first = piece.first;
        for (const Default& one : defaults(piece)) {
            if (!is_announced(piece, one)) continue;
            text_ += cell_.text_of(first, one.equals - 1);
            const std::size_t from = tokens[one.equals - 1].end();
            for (const char letter : cell_.code.substr(from, tokens[one.end].begin - from))
                text_ += letter == '\n' ? '\n' : ' ';
            first = one.end;
        }
        text_ += cell_.text_of(first, piece.last);
        text_ += "\n;\n";
    }

    void statement(const Piece& piece) {
        if (!in_function_) {
            in_function_ = true;
            ++function_;
            // A tail call would leave no frame that names the line of the call.
            text_ += open_ + "__attribute__((noinline, disable_tail_calls)) void __xcpp_s" +
                     std::to_string(function_) + "() {\n";
        }
        if (piece.kind == PieceKind::value) {
            text_ +=
                std::string(own_line_) + "::xcpp::detail::Show<" + std::to_string(unit_) + ">(),\n";
            begin_line(cell_.tokens[piece.first]);  // errors that speak of the whole value name the
                                                    // bracket around it
            text_ += "(\n";
        }
        place(piece.first, piece.last);
        if (piece.kind == PieceKind::value) text_ += ");\n";
    }

    void close_function() {
        if (!in_function_) return;
        in_function_ = false;
        const std::string number = std::to_string(function_);
        text_ += own_line_;
        text_ += "} char __xcpp_r" + number + " = (__xcpp_s" + number + "(), 0);\n}\n";
    }

    static constexpr const char* own_line_ =
        "#line 1 \"xcpp\"\n";  // what we add belongs to no line of the cell
    const Cell& cell_;
    const int unit_;
    const std::string open_;
    const LineOrigins& lines_;
    const std::function<bool(std::string_view)>& is_function_;
    std::string text_;
    int step_ = 0;
    int function_ = 0;
    bool in_function_ = false;
};

}  // namespace

std::string generate_unit(const Cell& cell, int unit, const LineOrigins& lines,
                          const std::function<bool(std::string_view)>& is_function) {
    return UnitGenerator(cell, unit, lines, is_function).run();
}

}  // namespace xcpp_session
