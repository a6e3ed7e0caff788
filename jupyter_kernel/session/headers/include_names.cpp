#include "include_names.hpp"

#include "session/text/directives.hpp"
#include "session/text/tokens.hpp"

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

class IncludeResolver {
public:
    IncludeResolver(const std::vector<std::string>& folders,
                    const std::function<bool(const std::string&)>& elsewhere)
        : folders_(folders), elsewhere_(elsewhere) {}

    std::string line(std::string_view text) const {
        std::string result(text);
        if (const auto include = include_of(text)) {
            if (const std::string file =
                    include->quoted ? find(include->name, folders_) : std::string();
                !file.empty())
                result.replace(include->begin, include->name.size(), file);
            return result;
        }
        const std::string_view name = directive_of(text).name;
        return name == "if" || name == "elif" ? condition(std::move(result)) : result;
    }

private:
    // __has_include ( "name" ), any number of them
    std::string condition(std::string text) const {
        constexpr std::string_view word = "__has_include";
        for (std::size_t at = text.find(word); at != std::string::npos;
             at = text.find(word, at + 1)) {
            const std::size_t open = text.find_first_not_of(" \t", at + word.size());
            if (open == std::string::npos || text[open] != '(') continue;
            const std::size_t quote = text.find_first_not_of(" \t", open + 1);
            if (quote == std::string::npos || text[quote] != '"') continue;
            const std::size_t end = text.find('"', quote + 1);
            const std::size_t close = end == std::string::npos ? end : text.find(')', end);
            if (close == std::string::npos) continue;
            const std::string name = text.substr(quote + 1, end - quote - 1);
            if (const std::string file = find(name, folders_); !file.empty())
                text.replace(quote + 1, name.size(), file);
            else if (!elsewhere_(name))
                text.replace(at, close + 1 - at, "0");
        }
        return text;
    }

    const std::vector<std::string>& folders_;
    const std::function<bool(const std::string&)>& elsewhere_;
};

}  // namespace

std::string with_absolute_names(const std::string& code, const std::vector<std::string>& folders,
                                const std::function<bool(const std::string& name)>& elsewhere) {
    if (code.find("include") == std::string::npos) return code;
    const IncludeResolver resolver(folders, elsewhere);
    std::string result;
    std::size_t at = 0;
    for (const Token& token : tokenize(code)) {
        if (token.kind != TokenKind::directive) continue;
        result += code.substr(at, token.begin - at) + resolver.line(token.text);
        at = token.end();
    }
    return result + code.substr(at);
}

}  // namespace xcpp_session
