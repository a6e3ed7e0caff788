// What must hold for any text of a cell, C++ or not: the checks behind the fuzz targets lexer and
// splitter, and behind the unit test that replays their corpus. A broken rule throws.
#pragma once

#include "session/split/cell.hpp"
#include "session/split/generate_unit.hpp"
#include "session/text/completeness.hpp"
#include "session/text/magic_arguments.hpp"
#include "session/text/parsed_cell.hpp"

#include <stdexcept>
#include <string>
#include <string_view>

namespace xcpp_session::fuzz {
inline void require(bool holds, const char* rule) {
    if (!holds) throw std::logic_error(rule);
}

// A magic per way of reading arguments, as the session has them.
inline void add_magics() {
    const auto add = [](const char* name, void (*read)(Magic&, std::string_view)) {
        if (find_magic(name) != nullptr) return;  // the session's own
        MagicKind kind;
        kind.name = name;
        kind.read = read;
        add_magic(kind);
    };
    add("%timeit", read_timeit_statement);
    add("%%timeit", read_timeit_of_cell);
    add("%%file", read_file_name);
    add("%%executable", read_program_name);
    add("%%run", read_command);
    add("%%bash", use_body);
    add("%who", nullptr);
    add("!", nullptr);
    add("?", nullptr);
    add("??", nullptr);
}

inline void check_tokens(std::string_view code, const Tokens& tokens) {
    std::size_t end = 0, counted = 0, line_start = 0;
    unsigned line = 1;
    for (const Token& token : tokens) {
        require(token.kind != TokenKind::none, "a token has a kind");
        require(!token.text.empty(), "a token has text");
        require(token.begin >= end && token.end() <= code.size(), "tokens stand in their order");
        require(token.text == code.substr(token.begin, token.text.size()),
                "a token's text is that of the cell");
        end = token.end();
        for (; counted < token.begin; ++counted) {
            if (code[counted] != '\n') continue;
            ++line;
            line_start = counted + 1;
        }
        require(token.line == line, "a token knows its line");
        require(token.column == token.begin - line_start + 1, "a token knows its column");
    }
}

// The lexer, the completeness of brackets, the magics.
inline void check_lexer(std::string_view code) {
    check_tokens(code, tokenize(code));
    check_tokens(code, tokenize_cell(code));
    const Completeness answer = check_completeness(std::string(code));
    const bool complete = answer.status == CompletenessStatus::complete;
    require(complete == answer.message.empty(), "what is not complete says why");
    require(answer.may_be_parsed || !complete, "what is complete may be parsed");
    const ParsedCell cell{std::string(code)};
    require(!cell.segments.empty(), "a cell has a segment");
    for (const Segment& segment : cell.segments)
        require(segment.line >= 1, "a segment knows its line");
}

// A session in which some names have a meaning.
class KnownNames : public Names {
public:
    NameKind kind_of(const std::vector<std::string_view>& path) const override {
        const std::string_view name = path.back();
        if (name == "std") return NameKind::name_space;
        if (name == "vector" || name == "Older") return NameKind::type_template;
        if (name == "string" || name == "Matrix") return NameKind::type;
        if (name == "f" || name == "sort") return NameKind::function;
        if (name == "x" || name == "cout") return NameKind::variable;
        return NameKind::unknown;
    }
    std::optional<Macro> macro(std::string_view name) const override {
        if (name == "DECLARE") return Macro{"int", ""};
        if (name == "GETTER") return Macro{"int", "}"};
        if (name == "OF_TYPE") return Macro{"", "", 0};
        if (name == "CHECK") return Macro{};
        return {};
    }
    bool macro_gives_way(std::string_view name, bool called) const override {
        return name == "CHECK" && !called;
    }
    std::string cell_space(std::string_view name) const override {
        return name == "Older" ? "__c3" : "";
    }
    std::string cell_namespace(std::string_view name) const override {
        return name == "mine" ? "::__c4::mine" : "";
    }
};

// The splitter, and the text for the compiler. Completion splits text that is not complete, too.
inline void check_splitter(std::string_view code) {
    const KnownNames names;
    const Cell cell(std::string(code), names);
    std::size_t next = 0;
    for (const Piece& piece : cell.pieces) {
        require(piece.first >= next && piece.last >= piece.first, "pieces stand in their order");
        require(piece.last < cell.tokens.size(), "a piece ends in the cell");
        require(piece.body == 0 || (piece.body > piece.first && piece.body <= piece.last),
                "a function's body is in its piece");
        next = piece.last + 1;
    }
    std::size_t end = 0;
    for (const Edit& edit : cell.edits) {
        require(edit.begin >= end && edit.end >= edit.begin, "edits do not overlap");
        require(edit.end <= code.size(), "an edit is in the cell");
        end = edit.end;
    }
    for (const Piece& piece : cell.pieces) {
        require(!cell.original(piece.first, piece.last).empty(), "a piece has text");
        (void)cell.text_of(piece.first, piece.last);
    }
    for (unsigned column = 1; column <= 40; column += 3) (void)cell.user_column(2, column);
    const std::string unit = generate_unit(cell, 5, LineOrigins("In[5]", 1),
                                           [](std::string_view name) { return name == "f"; });
    require(!code.empty() == !unit.empty() || cell.pieces.empty(), "pieces become text");
}

}  // namespace xcpp_session::fuzz
