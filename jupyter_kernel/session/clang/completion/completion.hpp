// What could be written at the cursor (Tab), and what is known about the name under it (Shift-Tab,
// ?name).
//
// Both ask the compiler by a parse that it abandons at the cursor. Afterwards it is good for
// nothing: call these only in a forked copy of the session that is thrown away. `parse` hands one
// text to the interpreter (errors do not matter).
#pragma once

#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace clang {
class CompilerInstance;
}

namespace xcpp_session {

struct Match {
    std::string text;
    std::string type;       // for the client's icons: "function", "class", "instance", "keyword",
                            // "module", "magic", "path", …
    std::string signature;  // "(const int &value) -> void", or empty
    std::string documentation;  // the comment at its declaration, or empty
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Match, text, type, signature, documentation)

struct Completions {
    std::vector<Match> matches;  // best first, without duplicates
    std::size_t start = 0;       // bytes of the code that a match replaces: [start, end)
    std::size_t end = 0;
};

struct Inspection {
    bool found = false;
    std::string text;  // plain
    std::string html;
};

using ParseText = std::function<void(const std::string& text)>;

Completions complete(clang::CompilerInstance& compiler, const ParseText& parse,
                     std::string_view code, std::size_t cursor);

// detail 0: signature or type, one sentence, where it is declared; 1: all of it.
Inspection inspect(clang::CompilerInstance& compiler, const ParseText& parse, std::string_view code,
                   std::size_t cursor, int detail = 0);

}  // namespace xcpp_session
