// Declaration, statement or expression? By keywords where they decide, by what the first name stands for where they do not.
#pragma once

#include "cell.hpp"

#include <map>

namespace xcpp_session {

enum class Sort { declaration, statement, expression };

struct Declaration {
    std::size_t last = 0;  // its last token
    bool outside = false;  // must stand at global scope
    bool variable = false;
    std::string_view function_name;  // of a function definition
    std::size_t body = 0;
    std::vector<Edit> edits;
    std::vector<std::pair<std::string_view, NameKind>> declares;  // what later pieces of the cell may ask for
};

// The session's names, and over them those that the cell itself has declared so far.
class CellNames {
public:
    explicit CellNames(const Names& session) : session_(session) {}
    NameKind kind_of(const std::vector<std::string_view>& path) const;
    const Names& session() const { return session_; }
    void learn(const Declaration& declaration);

private:
    const Names& session_;
    std::map<std::string_view, NameKind> own_;
};

Sort classify(const std::vector<Token>& tokens, std::size_t at, const CellNames& names);
Declaration read_declaration(const std::vector<Token>& tokens, std::size_t at, const CellNames& names);

}  // namespace xcpp_session
