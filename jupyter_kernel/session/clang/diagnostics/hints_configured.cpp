#include "hints_configured.hpp"

#include "session/text/tokens.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
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

// Not inside a comment or a text. A mark ("<<<") may be cut into several tokens.
bool stands_in(std::string_view line, const Tokens& tokens, const std::string& word) {
    return std::any_of(tokens.begin(), tokens.end(), [&](const Token& token) {
        return token.is(word) ||
               (token.kind == TokenKind::mark && line.compare(token.begin, word.size(), word) == 0);
    });
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
