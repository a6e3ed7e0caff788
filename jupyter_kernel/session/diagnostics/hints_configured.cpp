#include "hints_configured.hpp"

#include "session/text/tokens.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <fstream>

namespace xcpp_session {
namespace {

struct Configured {
    std::vector<std::string> words;
    std::string say;
};

std::vector<Configured>& all() {
    static std::vector<Configured> hints;
    return hints;
}

bool is_mark(const std::string& word) {
    return std::none_of(word.begin(), word.end(),
                        [](unsigned char c) { return c == '_' || std::isalnum(c) != 0; });
}

// Not inside a comment or a text.
bool stands_in(std::string_view line, const Tokens& tokens, const std::string& word) {
    if (!is_mark(word))
        return std::any_of(tokens.begin(), tokens.end(),
                           [&](const Token& token) { return token.is(word); });
    for (const Token& token : tokens)  // a mark may be cut into several tokens
        if (token.kind == TokenKind::mark && line.compare(token.begin, word.size(), word) == 0)
            return true;
    return false;
}

}  // namespace

void read_configured_hints(const std::string& file) {
    all().clear();
    std::ifstream stream(file);
    const auto list = nlohmann::json::parse(stream, nullptr, false);
    for (const auto& entry : list) {
        try {
            all().push_back({entry.at("words"), entry.at("say")});
        } catch (const nlohmann::json::exception&) {  // NOLINT(bugprone-empty-catch)
            // what does not look so is passed over
        }
    }
}

std::string configured_hint(const std::vector<std::string>& quoted, std::string_view line) {
    if (all().empty()) return {};
    const Tokens tokens = tokenize(line);
    for (const Configured& hint : all())
        for (const std::string& word : hint.words)
            if (std::find(quoted.begin(), quoted.end(), word) != quoted.end() ||
                stands_in(line, tokens, word))
                return hint.say;
    return {};
}

}  // namespace xcpp_session
