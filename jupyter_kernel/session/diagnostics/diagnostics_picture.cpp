#include "diagnostics_picture.hpp"

#include "session/base/cell_names.hpp"

#include <algorithm>

namespace xcpp_session {
namespace {

constexpr const char* reset = "\x1b[0m";
constexpr const char* bold = "\x1b[1m";
constexpr const char* red = "\x1b[1;31m";
constexpr const char* magenta = "\x1b[1;35m";
constexpr const char* green = "\x1b[1;32m";
constexpr const char* cyan = "\x1b[36m";
constexpr const char* grey = "\x1b[90m";

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

}  // namespace

std::string line_of(std::string_view text, unsigned number) {
    for (unsigned line = 1; line < number; ++line) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) return {};
        text.remove_prefix(end + 1);
    }
    std::string line(text.substr(0, text.find('\n')));
    if (!line.empty() && line.back() == '\r') line.pop_back();
    return line;
}

std::string short_place(const SourcePlace& place) {
    const std::string name = place.file.substr(place.file.find_last_of('/') + 1);
    return place.line > 0 ? name + ":" + std::to_string(place.line) : name;
}

std::string headline(const SourcePlace& place, Level level, std::string_view message) {
    std::string text = bold;
    if (!place.file.empty()) {
        text += short_place(place) +
                (place.column > 0 && cell_of_file_name(place.file) > 0
                     ? ":" + std::to_string(place.column)
                     : "") +
                ": ";
    }
    switch (level) {
        case Level::note:
            text += std::string(reset) + cyan + "note: ";
            break;
        case Level::warning:
            text += std::string(magenta) + "warning: ";
            break;
        default:
            text += std::string(red) + "error: ";
    }
    return text + reset + (level == Level::note ? "" : bold) + std::string(message) + reset;
}

std::vector<std::string> draw(std::string_view source_line, const Finding& finding) {
    if (finding.place.line == 0 || source_line.find_first_not_of(" \t") == std::string_view::npos)
        return {};
    std::string line(source_line);
    const std::size_t caret =
        finding.place.column > 0 ? std::min<std::size_t>(finding.place.column - 1, line.size()) : 0;
    std::string marks(line.size() + 1, ' ');
    for (const ColumnRange& range : finding.ranges) {
        if (range.line != finding.place.line || range.first == 0) continue;
        for (std::size_t at = range.first - 1; at < std::min<std::size_t>(range.last, line.size());
             ++at)
            marks[at] = '~';
    }
    marks[caret] = '^';
    std::string fixes(line.size() + 1, ' ');
    bool has_fixes = false;
    std::size_t fixes_end = 0;
    for (const FixIt& fix : finding.fixits) {
        if (fix.range.line != finding.place.line || fix.text.empty() || fix.range.first == 0 ||
            fix.text.find('\n') != std::string::npos)
            continue;
        const std::size_t at = fix.range.first - 1;
        if (at < fixes_end) {  // two in one place cannot be drawn
            has_fixes = false;
            break;
        }
        fixes_end = at + fix.text.size();
        if (fixes.size() < at + fix.text.size()) fixes.resize(at + fix.text.size(), ' ');
        fixes.replace(at, fix.text.size(), fix.text);
        has_fixes = true;
    }
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
    const std::string margin = std::string(number.size() < 5 ? 5 - number.size() : 0, ' ');
    const std::string empty_margin = std::string(margin.size() + number.size(), ' ');
    std::vector<std::string> lines = {margin + number + " | " + line,
                                      empty_margin + " | " + green + under(line, marks) + reset};
    if (has_fixes) lines.push_back(empty_margin + " | " + green + under(line, fixes) + reset);
    return lines;
}

std::string hint_line(std::string_view hint) {
    return std::string(cyan) + "hint: " + std::string(hint) + reset;
}

std::string faint(std::string_view text) { return std::string(grey) + std::string(text) + reset; }

}  // namespace xcpp_session
