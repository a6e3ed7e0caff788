#include "notebook_program.hpp"

#include "session/base/cell_names.hpp"
#include "session/clang/reuse/skipped_instantiations.hpp"
#include "session/split/generate_unit.hpp"
#include "session/text/completeness.hpp"
#include "session/text/directives.hpp"
#include "session/text/magic_lines.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <regex>
#include <stdexcept>
#include <utility>

namespace xcpp_session {
namespace {

using Json = nlohmann::json;

constexpr const char* space = "notebook";

std::string label(const std::string& name, int cell) {
    return name + ", code cell " + std::to_string(cell);
}

// A JSON string is a C++ string, but for bytes that are not ASCII, which both leave alone.
std::string quoted(const std::string& text) {
    return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Errors of type std::runtime_error say what is wrong and in which cell.
class ProgramWriter {
public:
    ProgramWriter(Interpreter& interpreter, const std::string& name)
        : interpreter_(interpreter), name_(name) {
        text_ = "// Made from " + name +
                ": its cells in their order. To change something, change the notebook.\n"
                "#include \"xcpp/program.hpp\"\n\n"
                "static const bool __xcpp_started = ::xcpp::program::start(" +
                quoted(name) + ");\n\n";
    }

    // Compiles a code cell to learn what its names stand for, does not run it, and adds it.
    // fails_on_purpose: it has nbval's and nbclient's tag raises-exception; a program would end
    // there.
    void add(const std::string& source, bool fails_on_purpose) {
        ++number_;
        if (fails_on_purpose) {
            std::cerr << label(name_, number_)
                      << " has the tag raises-exception and is left out.\n";
            return;
        }
        for (Segment& segment : split_magics(source)) {
            if (!segment.magic.is_cpp())
                add_magic(segment.magic, source);
            else if (!segment.source.tokens().empty())
                add_cpp(std::move(segment.source), source, segment.line);
        }
    }

    std::string text() const { return text_ + "int main() { return ::xcpp::program::end(); }\n"; }

private:
    void add_magic(const Magic& magic, const std::string& source) {
        if (!magic.kind || !magic.kind->cpp || !magic.error.empty()) {
            std::cerr << label(name_, number_) << ": " << magic.name << " is left out.\n";
            return;
        }
        MagicCode code;
        try {
            code = magic.kind->cpp(magic);
        } catch (const std::runtime_error& refused) {
            throw std::runtime_error(label(name_, number_) + ": " + refused.what());
        }
        add_cpp(SourceText(std::move(code.text)), source, code.line);
    }

    void add_cpp(SourceText code, const std::string& source, unsigned line) {
        const Completeness completeness = check_completeness(code);
        if (!completeness.may_be_parsed)
            throw std::runtime_error(label(name_, number_) + ", line " +
                                     std::to_string(completeness.line + line - 1) + ": " +
                                     completeness.message);
        try {
            ++unit_;
            const LineOrigins origins(cell_file_name(number_), line);
            auto& names = interpreter_.names();
            blank_other_branches(code, origins, [&](const std::string& probe) {
                return interpreter_.branches_taken(probe, number_, source);
            });
            const Cell cell(std::move(code), names);
            for (const Piece& piece : cell.pieces)
                for (const auto& path : piece.redefines) names.undefine(path);
            const std::string generated =
                generate_unit(cell, unit_, origins,
                              [&names](std::string_view name) { return names.is_function(name); });
            std::vector<CodeLine> lines;
            interpreter_.compile(generated, unit_, number_, source, {}, runs_once(cell.tokens),
                                 lines);
            refuse_second_definitions(names);
            text_ += "// code cell " + std::to_string(number_) + "\n";
            write(cell, line);
            text_ += "\n";
        } catch (const CompileFailed& failed) {
            throw std::runtime_error(label(name_, number_) + " does not compile: " +
                                     render_errors(failed.findings, source, number_).evalue);
        } catch (const LinkFailed& failed) {
            throw std::runtime_error(label(name_, number_) + " does not link: " + failed.what());
        }
    }

    // The text of one cell's C++ in the program.
    void write(const Cell& cell, unsigned first_line) {
        std::string& text = text_;
        const std::string open = std::string("inline namespace ") + space + " {\n";
        const std::string file = quoted(label(name_, number_));
        const auto place = [&](const Piece& piece) {
            const Token& start = cell.tokens[piece.first];
            text += "#line " + std::to_string(start.line + first_line - 1) + " " + file + "\n";
            text.append(start.column - 1, ' ');
            // a namespace of a cell that was put into the text
            static const std::regex of_a_cell("\\b" + std::string(cell_namespace_prefix) +
                                              "[0-9]+\\b");
            text += std::regex_replace(cell.text_of(piece.first, piece.last), of_a_cell, space);
            text += '\n';
        };
        bool in_function = false;
        const auto close_function = [&] {
            if (!std::exchange(in_function, false)) return;
            const std::string function = std::to_string(functions_);
            text += "}\nstatic const bool __xcpp_r" + function + " = ::xcpp::program::run(" +
                    std::to_string(number_) + ", __xcpp_s" + function + ");\n}\n";
        };
        for (const Piece& piece : cell.pieces) {
            if (piece.kind == PieceKind::statement || piece.kind == PieceKind::value) {
                if (!std::exchange(in_function, true))
                    text += open + "static void __xcpp_s" + std::to_string(++functions_) + "() {\n";
                const bool shown = piece.kind == PieceKind::value;
                if (shown)
                    text += "::xcpp::detail::Show<" + std::to_string(functions_) + ">(), (\n";
                place(piece);
                if (shown) text += ");\n";
                continue;
            }
            close_function();
            const bool inside = piece.kind == PieceKind::declaration || !piece.space.empty();
            if (inside) text += open;
            place(piece);
            const bool directive = cell.tokens[piece.first].kind == TokenKind::directive;
            if (!directive && piece.body == 0) text += ";\n";
            if (inside) text += "}\n";
        }
        close_function();
    }

    void refuse_second_definitions(const SessionNames& names) const {
        for (const auto& [name, cell] : names.replaced())
            throw std::runtime_error(
                name_ + ": code cells " + std::to_string(cell) + " and " + std::to_string(number_) +
                " both define '" + name +
                "'. A program has each name once: give one of them another name, or "
                "delete the older cell.");
    }

    Interpreter& interpreter_;
    const std::string name_;
    std::string text_;
    int number_ = 0, unit_ = 0;
    int functions_ = 0;  // counts over the whole program
};

Json cells_of(const std::string& file) {
    std::ifstream stream(file);
    if (!stream) throw std::runtime_error(file + ": cannot be read");
    const Json notebook = Json::parse(stream, nullptr, false);
    if (!notebook.is_object() || !notebook.contains("cells") || !notebook["cells"].is_array())
        throw std::runtime_error(file +
                                 ": not a notebook (JSON with a list \"cells\", nbformat 4)");
    return notebook["cells"];
}

void add_cell(ProgramWriter& writer, const Json& cell) {
    if (!cell.is_object() || cell.value("cell_type", "") != "code") return;
    std::string source;
    const Json lines = cell.value("source", Json());
    for (const auto& line : lines)  // a list of lines, or one text
        if (line.is_string()) source += line.get<std::string>();
    const Json tags = cell.value("/metadata/tags"_json_pointer, Json());
    writer.add(source, std::find(tags.begin(), tags.end(), "raises-exception") != tags.end());
}

}  // namespace

int write_program(const InterpreterOptions& options, const std::string& notebook,
                  const std::string& file) {
    namespace fs = std::filesystem;
    try {
        const Json cells = cells_of(notebook);
        const fs::path target = file.empty() ? fs::path() : fs::absolute(file);
        const fs::path home = fs::absolute(notebook).parent_path();
        fs::current_path(
            home);  // where Jupyter runs its cells: an #include "…" is looked for there
        static Interpreter* interpreter = nullptr;  // never taken down: that would compile what has
                                                    // not run, and the process ends now
        interpreter = new Interpreter(options);
        ProgramWriter writer(*interpreter, fs::path(notebook).filename().string());
        for (const Json& cell : cells) add_cell(writer, cell);
        if (target.empty()) {
            std::cout << writer.text() << std::flush;
            return std::cout ? 0 : 1;
        }
        std::ofstream out(target);
        out << writer.text() << std::flush;
        if (!out) throw std::runtime_error(target.string() + ": cannot be written");
        return 0;
    } catch (const std::exception& error) {
        std::cerr << "xcpp17 --program: " << error.what() << "\n";
        return 1;
    }
}

}  // namespace xcpp_session
