#include "include_names.hpp"

#include "session/text/directives.hpp"

#include <filesystem>

namespace xcpp_session {
namespace {

namespace fs = std::filesystem;

std::string find(const std::string& name, const std::vector<std::string>& folders) {
    std::error_code none;
    for (const std::string& folder : folders)
        if (const fs::path file = fs::canonical(fs::path(folder) / name, none);
            !none && fs::is_regular_file(file, none))
            return file.string().find('"') == std::string::npos ? file.string() : std::string();
    return {};
}

}  // namespace

SourceText with_absolute_names(SourceText cell, const std::vector<std::string>& folders,
                               const std::function<bool(const std::string& name)>& elsewhere) {
    std::string text;
    std::size_t at = 0;  // of the cell, up to where it is in `text`
    const auto replace = [&](std::size_t begin, std::size_t end, const std::string& by) {
        text += cell.code().substr(at, begin - at) + by;
        at = end;
    };
    for (const Token& token : cell.tokens()) {
        if (const auto include = include_of(token); include && include->quoted) {
            const std::size_t begin = token.begin + include->begin;
            if (const std::string file = find(include->name, folders); !file.empty())
                replace(begin, begin + include->name.size(), file);
        }
        const auto [directive, condition] = directive_of(token);
        if (directive != "if" && directive != "elif") continue;
        const std::size_t offset = token.end() - condition.size();
        const Tokens words = tokenize(condition);
        for (std::size_t i = 0; i < words.size(); ++i) {
            const std::string_view quoted = words[i + 2].text;  // __has_include("name")
            if (!words[i].is("__has_include") || !words[i + 1].is("(") ||
                quoted.substr(0, 1) != "\"" || !words[i + 3].is(")"))
                continue;
            const std::string name(quoted.substr(1, quoted.size() - 2));
            if (const std::string file = find(name, folders); !file.empty())
                replace(offset + words[i + 2].begin + 1, offset + words[i + 2].end() - 1, file);
            else if (!elsewhere(name))
                replace(offset + words[i].begin, offset + words[i + 3].end(), "0");
        }
    }
    return at == 0 ? std::move(cell) : SourceText(text + cell.code().substr(at));
}

}  // namespace xcpp_session
