// From the C++ text of a cell to compiled code. compile() shows the steps in their order; each is a
// private function below. What a step needs to know of earlier cells (names, headers, declarations)
// is kept here and in SessionNames, so that the Session only passes cells on.
#pragma once

#include "session/clang/compiler/interpreter.hpp"
#include "session/headers/own_headers.hpp"
#include "xcpp/analysis.hpp"

#include <string>
#include <vector>

namespace xcpp_session {

// A part of a cell that is C++.
struct CellText {
    SourceText source;
    unsigned first_line;       // of the cell, from 1
    int number;                // of the cell, as the user sees it
    const std::string& whole;  // all of the cell, for messages
};

class CellPipeline {
public:
    explicit CellPipeline(Interpreter& interpreter);
    CellPipeline(const CellPipeline&) = delete;
    CellPipeline& operator=(const CellPipeline&) = delete;

    // The text is complete (text/completeness.hpp). Throws CompileFailed, HeaderBroken or
    // LinkFailed. lines: which code comes from which line.
    Interpreter::Entry compile(CellText cell, std::vector<CodeLine>& lines);

    bool has_compiled() const { return unit_ > 0; }
    // Of all cells, for %%executable and xcpp_references.
    const std::vector<xcpp::CellDeclaration>& declarations() const { return declarations_; }
    // What a cell declares, by its text alone, and what the last one that was compiled has
    // declared.
    std::vector<std::string> names_in(const std::string& cell) const;
    std::vector<std::string> newest_names() const;
    bool is_own_header(const std::string& file) const { return headers_.has_read(file); }

private:
    // The steps.
    // 1. Headers of the user that were edited become part of the text.
    ExpandedCell expand_headers(CellText& cell);
    // 2. Include guards and the branches of #if that do not hold are blanked out.
    void choose_branches(ExpandedCell& expanded, const CellText& cell);
    // 3. The text is split into pieces (split/cell.hpp).
    // 4. What edited headers declared before is replaced.
    void replace_headers(Cell& cell, const ExpandedCell& expanded);
    // 5. Names of earlier cells that the cell declares again give way. Gives the text that must
    //    precede the cell's own.
    std::string prepare_names(const Cell& cell);
    // 6. One text for the compiler is made of the pieces (split/generate_unit.hpp), and compiled.
    // 7. What the cell declares is remembered.
    void remember_declarations(const Cell& cell, const ExpandedCell& expanded, int number);

    // Their parts.
    bool is_in_include_folders(const std::string& name) const;
    bool declares_again(const std::string& header);
    bool defines(const std::string& header);
    void keep_what_libraries_hold(Cell& cell, const ExpandedCell& expanded);

    Interpreter& interpreter_;
    std::vector<std::string> configured_folders_;
    OwnHeaders headers_;
    std::vector<xcpp::CellDeclaration> declarations_;
    int unit_ = 0;
};

}  // namespace xcpp_session
