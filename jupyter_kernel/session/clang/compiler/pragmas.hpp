// Pragmas that reach the session: `#pragma cling …` of the dialect, and `#pragma xcpp …` by which
// the generated text speaks to us while it is parsed.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace clang {
class Preprocessor;
}

namespace xcpp_session {

struct PragmaActions {
    // verb: "load", "add_include_path", "add_library_path". An answer that is not empty is shown as
    // an error.
    std::function<std::string(const std::string& verb, const std::string& argument)> cling;
    // word: "declared", "step", "branch", …; number: what stands after it, 0 if there is none;
    // names: or the names that stand after it
    std::function<void(const std::string& word, int number, const std::vector<std::string>& names)>
        xcpp;
};

// The preprocessor owns the handlers; they call `actions`, which must outlive it.
void add_pragmas(clang::Preprocessor& preprocessor, const PragmaActions& actions);

}  // namespace xcpp_session
