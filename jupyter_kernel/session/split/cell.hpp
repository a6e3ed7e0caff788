// A cell taken apart: which pieces of it declare something, which are run, and which is the value
// to be shown. C++ wants declarations outside of functions and statements inside of one; a
// notebook's author wants both in any order.
//
// Nothing here knows the compiler: what a name stands for is asked through Names.
#pragma once

#include "session/text/tokens.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xcpp_session {

enum class NameKind { unknown, type, type_template, name_space, function, variable };

struct Macro {
    std::string start, end;    // the first and the last word of what it expands to
    int first_parameter = -1;  // where the first one is a parameter, its number from 0
};

// What earlier cells and headers have made of a name. `path` is "A::B" as {"A", "B"}. As it is
// here, it knows nothing: pieces are then classified by their looks.
class Names {
public:
    virtual ~Names() = default;
    virtual NameKind kind_of(const std::vector<std::string_view>& /*path*/) const {
        return NameKind::unknown;
    }
    virtual std::optional<Macro> macro(std::string_view /*name*/) const { return {}; }
    // A declaration of that name cannot mean the macro: `const int SIZE = 3;` after `#define SIZE
    // 5`. called: '(' follows the name.
    virtual bool macro_gives_way(std::string_view /*name*/, bool /*called*/) const { return false; }
    // "__c5": the namespace of the cell that declared the name, else empty.
    virtual std::string cell_space(std::string_view /*name*/) const { return {}; }
    // The path of a namespace that an earlier cell opened, else empty.
    virtual std::string cell_namespace(std::string_view /*name*/) const { return {}; }
};

enum class PieceKind {
    directive,    // #define, #pragma …: stays between the other pieces
    outside,      // belongs at global scope: #include, using namespace, members defined outside of
                  // their class, specialisations, namespace std
    declaration,  // belongs into the cell's own namespace
    statement,    // is run
    value,        // an expression without ';' at the end of the cell: is run, and its value shown
};

// Put `text` in the place of [begin, end) of the cell.
struct Edit {
    std::size_t begin = 0, end = 0;
    std::string text;
};

struct Piece {
    PieceKind kind = PieceKind::statement;
    std::size_t first = 0, last = 0;  // tokens, last included
    std::string_view name;            // function definitions: the function's name
    std::size_t body =
        0;  // function definitions: the token that opens the body (or the ':' before it), else 0
    bool variable = false;  // declares variables, with or without initialiser
    std::string space;      // outside: the namespace to reopen, empty for the global one
    std::vector<std::string_view> declares;  // names
    // Functions that keep their identity, each as the path "A", "f": see SessionNames::undefine.
    std::vector<std::vector<std::string_view>> redefines;
};

struct Cell {
    Cell(SourceText text, const Names& names);
    Cell(std::string text, const Names& names) : Cell(SourceText(std::move(text)), names) {}
    Cell(const Cell&) = delete;
    Cell& operator=(const Cell&) = delete;

    const SourceText source;
    const std::string& code = source.code();
    const Tokens& tokens = source.tokens();
    std::vector<Piece> pieces;
    std::vector<Edit> edits;                  // sorted, without overlap
    std::vector<std::string_view> undefines;  // macros of earlier cells whose names it declares

    // The text of tokens first..last as the user wrote it, and with the edits done.
    std::string_view original(std::size_t first, std::size_t last) const;
    std::string text_of(std::size_t first, std::size_t last) const;
    // The user's column for a column of the edited line.
    unsigned user_column(unsigned line, unsigned column) const;
};

}  // namespace xcpp_session
