// Declaration, statement or expression? By keywords where they decide, by what the first name
// stands for where they do not.
#pragma once

#include "cell.hpp"

#include <map>
#include <set>

namespace xcpp_session {

enum class PieceClass { declaration, statement, expression };

struct Declaration {
    Piece piece;
    std::vector<Edit> edits;
    std::vector<std::pair<std::string_view, NameKind>>
        declares;  // what later pieces of the cell may ask for
};

// The session's names, and over them those that the cell itself has declared so far.
class CellNames {
public:
    explicit CellNames(const Names& session) : session_(session) {}
    NameKind kind_of(const std::vector<std::string_view>& path) const;
    const Names& session() const { return session_; }
    void learn(const Declaration& declaration);
    // "#define NAME(a, b) text": the cell's own macros are not the compiler's yet.
    void learn_macro(const Token& directive);
    std::optional<Macro> macro(std::string_view name, int depth = 0) const;
    bool macro_gives_way(std::string_view name, bool called) const;
    void forget_macro(std::string_view name) { gone_.insert(name); }
    bool declares(std::string_view name) const { return own_.count(name) > 0; }

private:
    const Names& session_;
    std::map<std::string_view, NameKind> own_;
    std::map<std::string_view, Macro> macros_;
    std::set<std::string_view>
        gone_;  // macros of the session that the cell has given another meaning
};

PieceClass classify(const Tokens& tokens, std::size_t at, const CellNames& names);
Declaration read_declaration(const Tokens& tokens, std::size_t at, const CellNames& names);

}  // namespace xcpp_session
