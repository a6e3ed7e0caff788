#include "needs.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>
#include <sstream>

namespace lanes::exercises {

void add_needs(notebook::ExerciseText& text, const std::string& needs, const std::string& file) {
    std::istringstream lines(needs);
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        const std::string place = file + ":" + std::to_string(++number) + ": ";
        std::istringstream words(line.substr(0, line.find('#')));
        std::string kind;
        std::string name;
        std::string third;
        if (!(words >> kind)) continue;
        LANES_REQUIRE(words >> name, place, "nothing follows '", kind,
                      "'. Write one word and one name per line.");
        LANES_REQUIRE(!(words >> third), place, "'", third, "' follows '", kind, " ", name,
                      "'. Write one word and one name per line.");
        if (kind == "allow") {
            text.allowed.push_back(name);
        } else if (kind == "forbid") {
            text.forbidden.push_back(name);
        } else if (kind == "never") {
            text.never_allowed.push_back(name);
        } else if (kind == "list") {
            const auto list = needs_files().find(name);
            LANES_REQUIRE(list != needs_files().end(), place, "there is no list '", name,
                          "'. Lists are the files exercises/common/*.txt.");
            add_needs(text, list->second, "exercises/common/" + name + ".txt");
        } else {
            // For grading alone: tools/grading/needs.py.
            LANES_REQUIRE(kind == "header" || kind == "answer" || kind == "ask", place,
                          "unknown word '", kind,
                          "'. Use header, allow, forbid, never, answer, ask or list.");
        }
    }
}

notebook::ExerciseText with_needs(const std::string& folder, notebook::ExerciseText text) {
    const auto needs = needs_files().find(folder);
    LANES_REQUIRE(needs != needs_files().end(), "exercises/", folder, ": needs.txt is missing.");
    add_needs(text, needs->second, "exercises/" + folder + "/needs.txt");
    add_needs(text, "list every_answer", "with_needs");
    // What an exercise forbids is not allowed to it even if every other answer may use it.
    const auto is_forbidden = [&](const std::string& name) {
        return std::find(text.forbidden.begin(), text.forbidden.end(), name) !=
               text.forbidden.end();
    };
    text.allowed.erase(std::remove_if(text.allowed.begin(), text.allowed.end(), is_forbidden),
                       text.allowed.end());
    return text;
}

}  // namespace lanes::exercises
