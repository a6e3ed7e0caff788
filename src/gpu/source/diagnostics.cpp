#include "diagnostics.hpp"

#include "lexer.hpp"
#include "spelling.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

namespace lanes::gpu {

namespace {

constexpr std::size_t most_shown = 5;
constexpr int lines_before = 2;

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        lines.push_back(line);
    }
    return lines;
}

std::string numbered(int number, const std::string& line) {
    const std::string digits = number > 0 ? std::to_string(number) : "";
    return "\n" + std::string(digits.size() < 5 ? 5 - digits.size() : 0, ' ') + digits + " | " +
           line;
}

// Blanks as wide as the text before the column (tabs are kept), so that the caret is below its
// place.
std::string caret_below(const std::string& line, int column) {
    std::string blanks = line.substr(0, static_cast<std::size_t>(column - 1));
    for (char& c : blanks)
        if (c != '\t') c = ' ';
    return blanks + "^";
}

std::string line_at(const std::vector<std::string>& lines, const CompileMessage& error,
                    const std::string& name) {
    const bool known = error.file == name && error.line > 0 &&
                       static_cast<std::size_t>(error.line) <= lines.size();
    return known ? lines[static_cast<std::size_t>(error.line - 1)] : "";
}

// Both compilers come with these headers, but a program must include them.
std::string missing_header(const std::string& message) {
    const auto says = [&](const char* part) { return message.find(part) != std::string::npos; };
    if (!says("undeclared") && !says("undefined") && !says("unknown type name") &&
        !says("was not declared") && !says("has not been declared") &&
        !says("does not name a type") && !says("has no member") && !says("no member named"))
        return {};
    const std::size_t begin = message.find_first_of("'\"");
    if (begin == std::string::npos) return {};
    const std::string name =
        message.substr(begin + 1, message.find(message[begin], begin + 1) - begin - 1);
    static const std::map<std::string, const char*> headers = {
        {"INFINITY", "cmath"},
        {"NAN", "cmath"},
        {"M_PI", "cmath"},
        {"FLT_MAX", "cfloat"},
        {"FLT_MIN", "cfloat"},
        {"FLT_EPSILON", "cfloat"},
        {"DBL_MAX", "cfloat"},
        {"DBL_MIN", "cfloat"},
        {"INT_MAX", "climits"},
        {"INT_MIN", "climits"},
        {"UINT_MAX", "climits"},
        {"CHAR_BIT", "climits"},
        {"INT32_MAX", "cstdint"},
        {"INT32_MIN", "cstdint"},
        {"UINT32_MAX", "cstdint"},
        {"half", "cuda_fp16.h"},
        {"half2", "cuda_fp16.h"},
        {"__half", "cuda_fp16.h"},
        {"__half2", "cuda_fp16.h"},
        {"__float2half", "cuda_fp16.h"},
        {"__half2float", "cuda_fp16.h"},
        {"cooperative_groups", "cooperative_groups.h"},
        {"reduce", "cooperative_groups/reduce.h"},
        {"plus", "cooperative_groups/reduce.h"},
        {"inclusive_scan", "cooperative_groups/scan.h"},
        {"exclusive_scan", "cooperative_groups/scan.h"}};
    const auto found = headers.find(name);
    return found == headers.end() ? std::string()
                                  : "\nhint: " + name + " comes with #include <" + found->second +
                                        "> in the program's text.";
}

}  // namespace

void rename_file(std::vector<CompileMessage>& errors, const std::string& file,
                 const std::string& name) {
    for (CompileMessage& error : errors)
        if (error.file == file) error.file = name;
}

std::optional<CompileMessage> unclosed_brace(const std::string& name, const std::string& text) {
    std::vector<int> open;  // their lines
    for (const Token& token : tokenize(text)) {
        if (token.is("{")) open.push_back(token.line);
        if (token.is("}") && !open.empty()) open.pop_back();
    }
    if (open.empty()) return std::nullopt;
    return CompileMessage{name, open.back(), 0, "this { is never closed: a } is missing"};
}

std::string show_errors(const std::string& name, const std::string& text,
                        const std::vector<CompileMessage>& errors) {
    const std::vector<std::string> lines = lines_of(text);
    // By line; those of one line in their original order.
    std::vector<const CompileMessage*> in_order;
    in_order.reserve(errors.size());
    for (const CompileMessage& error : errors) in_order.push_back(&error);
    std::sort(in_order.begin(), in_order.end(), [](const auto* a, const auto* b) {
        return a->line != b->line ? a->line < b->line : a < b;
    });
    std::string shown;
    std::set<std::string> hints;  // each once
    for (std::size_t i = 0; i < errors.size() && i < most_shown; ++i) {
        const CompileMessage& error = *in_order[i];
        shown += (shown.empty() ? "" : "\n") + (error.file.empty() ? name : error.file) +
                 (error.line > 0 ? ":" + std::to_string(error.line) : "") +
                 ": error: " + error.text;
        if (error.file == name && error.line > 0 &&
            static_cast<std::size_t>(error.line) <= lines.size()) {
            for (int line = std::max(1, error.line - lines_before); line <= error.line; ++line)
                shown += numbered(line, lines[static_cast<std::size_t>(line - 1)]);
            const std::string& last = lines[static_cast<std::size_t>(error.line - 1)];
            if (error.column > 0 && static_cast<std::size_t>(error.column) <= last.size() + 1)
                shown += numbered(0, caret_below(last, error.column));
        }
        if (const std::string hint = missing_header(error.text); hints.insert(hint).second)
            shown += hint;
        if (const std::string hint =
                spelling_hint(error.text, line_at(lines, error, name), error.column);
            !hint.empty() && hints.insert(hint).second)
            shown += "\nhint: " + hint;
    }
    if (errors.size() > most_shown)
        shown += "\nand " + std::to_string(errors.size() - most_shown) + " more";
    return shown;
}

}  // namespace lanes::gpu
