#include "needs.hpp"

#include "lanes/base/error.hpp"

#include <sstream>

namespace lanes::exercises {

void add_needs(notebook::ExerciseText& text, const std::string& needs, const std::string& file) {
    std::istringstream lines(needs);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line.substr(0, line.find('#')));
        std::string kind, name;
        if (!(words >> kind)) continue;
        LANES_REQUIRE(words >> name, file, ": nothing follows '", kind, "'.");
        if (kind == "allow") {
            text.allowed.push_back(name);
        } else if (kind == "forbid") {
            text.forbidden.push_back(name);
        } else if (kind == "never") {
            text.never_allowed.push_back(name);
        } else if (kind == "list") {
            const auto list = needs_files().find(name);
            LANES_REQUIRE(list != needs_files().end(), file, ": there is no list '", name,
                          "'. Lists are the files exercises/common/*.txt.");
            add_needs(text, list->second, name);
        } else {
            LANES_REQUIRE(kind == "header", file, ": unknown word '", kind,
                          "'. Use header, allow, forbid, never or list.");
        }
    }
}

notebook::ExerciseText with_needs(const std::string& folder, notebook::ExerciseText text) {
    const auto needs = needs_files().find(folder);
    LANES_REQUIRE(needs != needs_files().end(), "exercises/", folder, ": needs.txt is missing.");
    add_needs(text, needs->second, "exercises/" + folder + "/needs.txt");
    add_needs(text, "list every_answer", "");
    return text;
}

}  // namespace lanes::exercises
