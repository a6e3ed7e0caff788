#include "split.hpp"

#include <fstream>
#include <map>
#include <regex>
#include <sstream>

namespace lanes::gpu::whole_program {

namespace {

std::vector<std::string> lines_of_file(const std::string& path) {
    std::vector<std::string> lines;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
}

}  // namespace

std::string with_source_places(const std::string& message, const std::string& name,
                               const std::vector<SourcePlace>& lines) {
    std::map<std::string, std::vector<std::string>> files;
    const auto place_of = [&](const std::string& number) {
        const std::size_t line = std::stoul(number);
        return line >= 1 && line <= lines.size() ? lines[line - 1] : SourcePlace{};
    };
    std::string escaped;
    for (const char c : name) {
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') escaped += '\\';
        escaped += c;
    }
    const std::regex numbered(R"(^( *)(\d+)( \| )(.*)$)"),
        mention("(" + escaped + ":|\\bline )(\\d+)");
    std::istringstream in(message);
    std::string result;
    bool expanded = false;  // the last line shown differs from the file's: macros were replaced
    for (std::string text; std::getline(in, text);) {
        const std::size_t caret = text.find_first_not_of(" |");
        if (expanded && caret != std::string::npos && caret + 1 == text.size() &&
            text[caret] == '^')
            continue;  // it points into the other line
        if (!result.empty()) result += '\n';
        std::smatch found;
        if (std::regex_match(text, found, numbered)) {
            const SourcePlace place = place_of(found[2]);
            auto known = files.find(place.file);
            if (known == files.end())
                known = files.emplace(place.file, lines_of_file(place.file)).first;
            const auto& content = known->second;
            const bool shown = place.line > 0 && place.line <= static_cast<int>(content.size());
            const std::string number = place.line > 0 ? std::to_string(place.line) : found[2].str();
            const std::size_t width =
                static_cast<std::size_t>(found[1].length() + found[2].length());
            const std::string line =
                shown ? content[static_cast<std::size_t>(place.line) - 1] : found[4].str();
            expanded = line != found[4].str();
            result.append(width > number.size() ? width - number.size() : 0, ' ');
            result.append(number).append(found[3].str()).append(line);
            continue;
        }
        while (std::regex_search(text, found, mention)) {
            const SourcePlace place = place_of(found[2]);
            result += found.prefix().str();
            if (place.line == 0)
                result += found.str();
            else if (found[1] == "line ")
                result +=
                    (place.file == name ? "line " : place.file + ":") + std::to_string(place.line);
            else
                result += place.file + ":" + std::to_string(place.line);
            text = found.suffix();
        }
        result += text;
    }
    return result;
}

}  // namespace lanes::gpu::whole_program
