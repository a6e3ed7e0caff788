#include "cell_pipeline.hpp"

#include "session/base/cell_names.hpp"
#include "session/clang/compiler/watch_files.hpp"
#include "session/clang/reuse/skipped_instantiations.hpp"
#include "session/split/generate_unit.hpp"
#include "session/text/completeness.hpp"
#include "session/text/directives.hpp"
#include "session/text/magic_lines.hpp"

#include <algorithm>
#include <filesystem>

namespace xcpp_session {

CellPipeline::CellPipeline(Interpreter& interpreter)
    : interpreter_(interpreter),
      configured_folders_(include_folders(interpreter.compiler())),
      headers_([this] {  // those of #pragma cling add_include_path
          std::vector<std::string> folders;
          for (std::string& folder : include_folders(interpreter_.compiler()))
              if (std::find(configured_folders_.begin(), configured_folders_.end(), folder) ==
                  configured_folders_.end())
                  folders.push_back(std::move(folder));
          return folders;
      }) {
    watch_files(interpreter_.compiler(), [this](const std::string& file, std::string_view text) {
        headers_.note_read(file, text);
    });
}

Interpreter::Entry CellPipeline::compile(CellText cell, std::vector<CodeLine>& lines) {
    ++unit_;
    ExpandedCell expanded = expand_headers(cell);
    choose_branches(expanded, cell);
    Cell parts(std::move(expanded.source), interpreter_.names());
    replace_headers(parts, expanded);
    const std::string before = prepare_names(parts);
    const std::string generated = generate_unit(
        parts, unit_, expanded.lines,
        [this](std::string_view name) { return interpreter_.names().is_function(name); });
    const auto map_column = [&](unsigned line, unsigned column) {
        const unsigned at = expanded.lines.of_cell_line(line);
        return at == 0 ? column : parts.user_column(at, column);
    };
    Interpreter::Entry entry =
        interpreter_.compile(before + generated, unit_, cell.number, cell.whole, map_column,
                             runs_once(parts.tokens), lines);
    remember_declarations(parts, expanded, cell.number);
    return entry;
}

ExpandedCell CellPipeline::expand_headers(CellText& cell) {
    ExpandedCell expanded =
        headers_.expand(std::move(cell.source), cell_file_name(cell.number), cell.first_line, unit_,
                        {[this](const std::string& header) { return declares_again(header); },
                         [this](const std::string& header) { return defines(header); },
                         [this](const std::string& name) { return is_in_include_folders(name); }});
    interpreter_.names().read_again(
        expanded.headers.empty()
            ? std::function<bool(const std::string&)>()
            : [this](const std::string& file) { return headers_.has_read(file); });
    return expanded;
}

void CellPipeline::choose_branches(ExpandedCell& expanded, const CellText& cell) {
    blank_guards(expanded.source, [this](std::string_view name) {
        return interpreter_.names().macro(name).has_value();
    });
    blank_other_branches(expanded.source, expanded.lines, [&](const std::string& probe) {
        return interpreter_.branches_taken(probe, cell.number, cell.whole);
    });
}

void CellPipeline::replace_headers(Cell& cell, const ExpandedCell& expanded) {
    if (expanded.headers.empty()) return;
    keep_what_libraries_hold(cell, expanded);
    std::vector<std::string> files;
    files.reserve(expanded.headers.size());
    for (const auto& header : expanded.headers) files.push_back(header.file);
    interpreter_.names().forget_functions_of(files);
}

std::string CellPipeline::prepare_names(const Cell& cell) {
    auto& names = interpreter_.names();
    std::string before;
    bool preferred = false;
    for (const Token& token : cell.tokens)
        preferred = (token.kind == TokenKind::word && names.prefer_own(token.text)) || preferred;
    if (preferred)
        before +=
            "inline namespace " + cell_namespace_name(unit_) + " {\n;\n#pragma xcpp preferred\n}\n";
    for (const std::string_view macro : cell.undefines)
        before += "#undef " + std::string(macro) + "\n";
    for (const Piece& piece : cell.pieces) {
        for (const auto& path : piece.redefines) names.undefine(path);
        for (const std::string_view name : piece.declares)
            if (const std::string alias = names.old_namespace(name);
                before.find(alias) == std::string::npos)
                before += alias;
    }
    return before;
}

bool CellPipeline::is_in_include_folders(const std::string& name) const {
    const auto folders = include_folders(interpreter_.compiler());
    return std::any_of(folders.begin(), folders.end(), [&](const std::string& folder) {
        std::error_code none;
        return std::filesystem::exists(std::filesystem::path(folder) / name, none);
    });
}

std::vector<std::string> CellPipeline::names_in(const std::string& cell) const {
    std::vector<std::string> found;
    for (Segment& segment : split_magics(cell)) {
        if (!segment.magic.is_cpp() || !check_completeness(segment.source).may_be_parsed) continue;
        const Cell parts(std::move(segment.source), interpreter_.names());
        for (const Piece& piece : parts.pieces)
            found.insert(found.end(), piece.declares.begin(), piece.declares.end());
    }
    return found;
}

std::vector<std::string> CellPipeline::newest_names() const {
    std::vector<std::string> found;
    for (auto declared = declarations_.rbegin();
         declared != declarations_.rend() && declared->unit == unit_; ++declared)
        found.insert(found.end(), declared->names.begin(), declared->names.end());
    return found;
}

// Read by clang alone, it would stand beside what a cell or another header has declared, and a use
// would be ambiguous: the newest counts, as in cells.
bool CellPipeline::declares_again(const std::string& header) {
    SourceText source(header);
    if (!check_completeness(source).may_be_parsed) return false;
    const auto& names = interpreter_.names();
    const Cell cell(std::move(source), names);
    return std::any_of(cell.pieces.begin(), cell.pieces.end(), [&](const Piece& piece) {
        return piece.kind == PieceKind::declaration &&
               std::any_of(piece.declares.begin(), piece.declares.end(),
                           [&](std::string_view name) {
                               return names.is_the_users(name, [this](const std::string& file) {
                                   return headers_.has_read(file);
                               });
                           });
    });
}

// Prototypes, aliases and extern variables may be declared again and again, anything else once.
bool CellPipeline::defines(const std::string& header) {
    SourceText source(header);
    if (!check_completeness(source).may_be_parsed) return false;
    const Cell cell(std::move(source), interpreter_.names());
    const Tokens& tokens = cell.tokens;
    return std::any_of(cell.pieces.begin(), cell.pieces.end(), [&](const Piece& piece) {
        if (piece.kind != PieceKind::declaration && piece.kind != PieceKind::outside) return false;
        std::size_t open = piece.first;
        while (open <= piece.last && !tokens[open].is("{")) ++open;
        if (open > piece.last) return piece.variable && !tokens[piece.first].is("extern");
        const std::size_t close = tokens.closing(open);
        const bool block = tokens[piece.first].is("namespace") ||
                           tokens[open - 1].kind == TokenKind::literal;  // extern "C" {
        if (!block || close >= tokens.size()) return true;
        return defines(header.substr(tokens[open].end(), tokens[close].begin - tokens[open].end()));
    });
}

// A header that is read again declares again what a library holds. The new declarations would be
// others, in the cell's namespace, and nothing would define them.
void CellPipeline::keep_what_libraries_hold(Cell& cell, const ExpandedCell& expanded) {
    const auto stays = [&](Piece& piece) {
        const Token& first = cell.tokens[piece.first];
        if (expanded.lines.in_cell(first.line) || piece.kind != PieceKind::declaration ||
            (piece.variable && !first.is("extern")) || piece.body != 0 ||
            piece.declares.size() != 1 ||
            !interpreter_.names().is_only_declared(piece.declares.front()))
            return false;
        const std::string_view text = cell.original(piece.first, piece.last);
        if (text.find('{') == std::string_view::npos) {
            piece.kind = PieceKind::outside;
            return false;
        }
        const std::string& file = expanded.lines.of(first.line).file;
        return std::any_of(
            expanded.headers.begin(), expanded.headers.end(), [&](const auto& header) {
                return header.file == file && header.old_text.find(text) != std::string::npos;
            });
    };
    cell.pieces.erase(std::remove_if(cell.pieces.begin(), cell.pieces.end(), stays),
                      cell.pieces.end());
}

// For %%executable, for xcpp_references and for later cells that include the same headers.
void CellPipeline::remember_declarations(const Cell& cell, const ExpandedCell& expanded,
                                         int number) {
    for (const auto& header : expanded.headers) {
        headers_.note_read(header.file, header.text);
        if (header.once) mark_as_read(interpreter_.compiler(), header.file);
    }
    const auto remember = [this](xcpp::CellDeclaration declared) {
        const bool include = declared.text.compare(0, 1, "#") == 0 &&
                             declared.text.find("include") != std::string::npos;
        if (include && std::any_of(declarations_.begin(), declarations_.end(),
                                   [&](const xcpp::CellDeclaration& other) {
                                       return other.text == declared.text;
                                   }))
            return;
        declarations_.push_back(std::move(declared));
    };
    for (const std::string_view macro : cell.undefines)
        remember({unit_, number, 0, {}, {}, "#undef " + std::string(macro)});
    for (const std::string& include : expanded.includes)
        remember({unit_, number, 0, {}, {}, include});
    for (const Piece& piece : cell.pieces) {
        const Token& first = cell.tokens[piece.first];
        const bool ours =
            first.kind == TokenKind::directive && first.text.compare(0, 6, "#line ") == 0;
        if (piece.kind == PieceKind::statement || piece.kind == PieceKind::value || ours ||
            !expanded.lines.in_cell(first.line))
            continue;
        std::vector<std::string> redefines;
        for (const auto& path : piece.redefines)
            redefines.insert(redefines.end(), path.begin(), path.end());
        remember({unit_,
                  number,
                  expanded.lines.of(first.line).line,
                  std::move(redefines),
                  {piece.declares.begin(), piece.declares.end()},
                  std::string(cell.original(piece.first, piece.last))});
    }
}

}  // namespace xcpp_session
