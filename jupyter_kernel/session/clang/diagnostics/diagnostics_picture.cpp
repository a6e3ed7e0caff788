#include "diagnostics_picture.hpp"

#include "session/base/cell_names.hpp"

#include <llvm/ADT/StringRef.h>

#include <algorithm>

namespace xcpp_session {
namespace {

// No colours: JupyterLab shows errors on pink or on dark red, and none of its sixteen colours has a
// contrast of 4.5 with both.
constexpr const char* reset = "\x1b[0m";
constexpr const char* bold = "\x1b[1m";

constexpr std::size_t widest = 160;

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// What stands under `line`: `mark` at every byte, with the bytes of one character drawn once, and
// tabs kept so that both lines shift alike.
std::string under(std::string_view line, const std::string& marks) {
    std::string text;
    for (std::size_t i = 0; i < marks.size(); ++i) {
        if (i < line.size() && continues_character(line[i])) continue;
        text += marks[i] == ' ' && i < line.size() && line[i] == '\t' ? '\t' : marks[i];
    }
    text.erase(text.find_last_not_of(" \t") + 1);
    return text;
}

// What clang would write, under the place where it would; empty if it cannot be drawn there.
std::string fixes_of(const Finding& finding) {
    std::string fixes;
    for (const FixIt& fix : finding.fixits) {
        if (fix.text.empty() || fix.text.find('\n') != std::string::npos) continue;
        if (fix.range.first <= fixes.size()) return {};  // two in one place
        fixes.resize(fix.range.first - 1, ' ');
        fixes += fix.text;
    }
    return fixes;
}

}  // namespace

std::string line_of(std::string_view text, unsigned number) {
    llvm::StringRef rest = text;
    for (unsigned line = 1; line < number; ++line) rest = rest.split('\n').second;
    return rest.split('\n').first.rtrim('\r').str();
}

std::string short_place(const SourcePlace& place) {
    const std::string name = place.file.substr(place.file.find_last_of('/') + 1);
    return place.line > 0 ? name + ":" + std::to_string(place.line) : name;
}

std::string headline(const SourcePlace& place, Level level, std::string_view message) {
    std::string text = bold;
    if (!place.file.empty()) {
        text += short_place(place);
        if (place.column > 0 && cell_of_file_name(place.file) > 0)
            text += ":" + std::to_string(place.column);
        text += ": ";
    }
    if (level == Level::note) return text + reset + "note: " + std::string(message);
    text += level == Level::warning ? "warning: " : "error: ";
    return text + std::string(message) + reset;
}

std::vector<std::string> draw(std::string_view source_line, const Finding& finding) {
    if (finding.place.line == 0 || source_line.find_first_not_of(" \t") == std::string_view::npos)
        return {};
    std::string line(source_line);
    const std::size_t caret =
        finding.place.column > 0 ? std::min<std::size_t>(finding.place.column - 1, line.size()) : 0;
    std::string marks(line.size() + 1, ' ');
    for (const ColumnRange& range : finding.ranges)
        for (std::size_t at = range.first - 1; at < std::min<std::size_t>(range.last, line.size());
             ++at)
            marks[at] = '~';
    marks[caret] = '^';
    std::string fixes = fixes_of(finding);
    // Of a long line the part around the caret.
    if (line.size() > widest) {
        std::size_t start = caret > widest / 2 ? caret - widest / 2 : 0;
        while (start > 0 && continues_character(line[start])) --start;
        const auto cut = [&](std::string& text) {
            text = text.size() > start ? text.substr(start, widest) : std::string();
        };
        cut(line);
        cut(marks);
        cut(fixes);
    }
    const std::string number = std::to_string(finding.place.line);
    const std::size_t width = std::max<std::size_t>(number.size(), 5);
    const std::string margin = std::string(width, ' ') + " | " + bold;
    std::vector<std::string> lines = {
        std::string(width - number.size(), ' ') + number + " | " + line,
        margin + under(line, marks) + reset};
    if (!fixes.empty()) lines.push_back(margin + under(line, fixes) + reset);
    return lines;
}

std::string hint_line(std::string_view hint) {
    return std::string(bold) + "hint: " + std::string(hint) + reset;
}

}  // namespace xcpp_session
