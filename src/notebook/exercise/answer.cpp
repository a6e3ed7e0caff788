#include "answer.hpp"

#include "../front_end.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace lanes::notebook {

namespace {

namespace fs = std::filesystem;

bool is_meant(const std::string& pattern, const std::string& name) {
    const bool all = !pattern.empty() && (pattern.back() == '*' || pattern.back() == ':');
    const std::string start =
        !pattern.empty() && pattern.back() == '*' ? pattern.substr(0, pattern.size() - 1) : pattern;
    return all ? name.compare(0, start.size(), start) == 0 : name == pattern;
}

bool is_any_of(const std::vector<std::string>& patterns, const std::string& name) {
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](const std::string& pattern) { return is_meant(pattern, name); });
}

template <class Met>
std::string place_of(const Met& met, const std::string& exercise) {
    if (met.cell == 0) return "";
    const std::string place =
        "In[" + std::to_string(met.cell) + "], line " + std::to_string(met.line);
    return " (" + place + (met.in == exercise ? ")" : ", in " + met.in + ")");
}

std::string words(const Race& race, const std::string& exercise) {
    const std::string whose =
        race.pragma > 0  ? " of the #pragma in line " + std::to_string(race.pragma)
        : race.start > 0 ? " that line " + std::to_string(race.start) + " starts"
                         : "";
    const std::string threads = "the threads" + whose + " get in each other's way:\n  ",
                      where = place_of(race, exercise);
    if (race.undivided)
        return "the #pragma in line " + std::to_string(race.pragma) +
               " starts threads and does not divide the loop: each of them runs all of it, and all "
               "write\n  " +
               race.name + where + ". Write #pragma omp parallel for.";
    if (race.reference)
        return "the threads" + whose + " read " + race.name + " by reference" + where +
               ",\n  and the loop that starts them goes on and changes it. Give each a copy: [&, " +
               race.name + "] in place of [&].";
    if (!race.with.empty())
        return threads + "several of them write " + race.name + where + ".\n  With another " +
               race.with + ", the thread of another " + race.shared +
               " comes to the same element.\n  Turn it around: let each thread write what belongs "
               "to its own " +
               race.shared + " alone, and read what lies around it.";
    if (race.element)
        return threads + "all of them write " + race.name + where +
               (race.start > 0 ? ",\n  the same element: none of its indices depends on which "
                                 "thread it is. Give each thread elements of its own."
                               : ",\n  the same element. None of its indices depends on the loop "
                                 "that is shared among them.\n  "
                                 "Share a loop whose variable is an index of what is written.");
    const std::string one =
        threads + race.name + " is one variable for all of them, and each writes it" + where;
    if (race.start > 0)
        return one +
               ".\n  Declare it inside what a thread runs, so that each has its own, and put "
               "these together after join. If all\n  must "
               "write one variable, they take turns: std::mutex, or std::atomic.";
    return one +
           ".\n  Declare it inside the loop, so that each has its own. If all must add to "
           "one, write\n  reduction(+ : " +
           race.name + ") after the #pragma.";
}

// FNV-1a: shows whether a file is still the answer that passed. Not meant as protection.
std::string hash_of(const std::string& text) {
    std::uint64_t hash = 14695981039346656037ULL;
    for (const unsigned char byte : text) hash = (hash ^ byte) * 1099511628211ULL;
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
    return digits;
}

bool starts_with(const std::string& text, const std::string& start) {
    return text.compare(0, start.size(), start) == 0;
}

std::string read(const fs::path& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// The file of another exercise in the folder that holds the same definition; empty if there is
// none.
std::string kept_in(const fs::path& folder, const std::string& definition, const std::string& but) {
    std::error_code error;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder, error)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const fs::path& path : files) {
        const std::string name = path.stem().string();
        if (path.extension() == ".hpp" && name != but &&
            definition.find(name) != std::string::npos &&
            read(path).find(definition) != std::string::npos)
            return path.filename().string();
    }
    return "";
}

// Each definition has its own include guard: the same helper may be in the files of two answers.
std::string file_text(const std::string& name, const AnswerText& answer, const fs::path& folder) {
    std::string text;
    for (const std::string& definition : answer.definitions) {
        const bool directive = starts_with(definition, "#");
        if (directive && (definition.find("my/") != std::string::npos ||
                          definition.find("pragma") != std::string::npos))
            continue;
        if (directive || starts_with(definition, "using namespace")) {
            text += definition + "\n";
        } else if (const std::string other = kept_in(folder, definition, name); !other.empty()) {
            text += "#include \"" + other + "\"\n";
        } else {
            const std::string guard = "LANES_MY_" + hash_of(definition);
            text.append("#ifndef ")
                .append(guard)
                .append("\n#define ")
                .append(guard)
                .append("\n")
                .append(definition)
                .append("\n#endif\n");
        }
    }
    return "// Your answer to the exercise " + name + ", as it passed its check. Hash " +
           hash_of(text) + ".\n#pragma once\n" + text;
}

bool is_set(const char* variable) {
    const char* value = std::getenv(variable);
    return value && *value;
}

}  // namespace

AnswerText answer_text(const std::string& name, const void* address) {
    using Ask = const char* (*)(const char*, const void*);
    const auto ask = reinterpret_cast<Ask>(jupyter_kernel_function("xcpp_references"));
    AnswerText answer;
    if (!ask) return answer;
    answer.known = true;
    const char* text = ask(name.c_str(), address);
    if (!text) return answer;
    const auto report = nlohmann::json::parse(text);
    answer.matches = report.at("matches");
    for (const auto& one : report.at("references"))
        answer.uses.push_back(
            {one.at("name"), one.at("kind"), one.at("in"), one.at("cell"), one.at("line")});
    for (const auto& one : report.at("races"))
        answer.races.push_back({one.at("name"), one.at("in"), one.at("shared"), one.at("with"),
                                one.at("element"), one.at("reference"), one.at("cell"),
                                one.at("line"), one.at("pragma"), one.at("start"),
                                one.at("undivided")});
    for (const auto& one : report.at("two_steps"))
        answer.two_steps.push_back({one.at("name"), one.at("in"), one.at("cell"), one.at("line")});
    for (const auto& one : report.at("definitions")) answer.definitions.push_back(one.at("text"));
    return answer;
}

std::string objection_to(const ExerciseText& exercise, const AnswerText& answer) {
    if (!answer.known) return "";
    if (!answer.matches)
        return "the check was not given the function " + exercise.name +
               " of a cell of yours. Run the cell with your answer, then the check as it was.";
    for (const UsedName& used : answer.uses) {
        if (used.kind == "type" || is_any_of(exercise.allowed, used.name)) continue;
        const std::string what =
            "your answer uses " + used.name + place_of(used, exercise.name) + ". ";
        if (is_any_of(exercise.never_allowed, used.name)) return what + "No answer needs it.";
        if (starts_with(used.name, "lanes::"))
            return what + "Passing the work on to the library is no answer: write it yourself.";
        if (is_any_of(exercise.forbidden, used.name))
            return what + "Here the loops are yours to write.";
    }
    return answer.races.empty() ? "" : words(answer.races.front(), exercise.name);
}

std::string lost_counts_of(const AnswerText& answer) {
    if (answer.two_steps.empty()) return "";
    const TwoSteps& one = answer.two_steps.front();
    return "it went well this time, but " + one.in + " reads " + one.name +
           " and writes it in a second step" + place_of(one, one.in) +
           ".\n  Some counts are lost where another process counts in between. ++*count and "
           "--*count of a std::atomic are one step,\n"
           "  *count = *count - 1 is two.";
}

bool starts_threads(const AnswerText& answer) {
    static const std::vector<std::string> starts{"omp parallel",        "std::thread::join",
                                                 "std::thread::detach", "std::async",
                                                 "pthread_create",      "__pstl::execution::par*"};
    return std::any_of(answer.uses.begin(), answer.uses.end(),
                       [](const UsedName& used) { return is_any_of(starts, used.name); });
}

std::string keep_answer(const std::string& name, const AnswerText& answer) {
    if (!answer.known || !answer.matches || is_set("NBGRADER_EXECUTION") ||
        is_set("PYTEST_CURRENT_TEST"))
        return "";
    const fs::path folder = "my", path = folder / (name + ".hpp"),
                   fresh = folder / ("." + name + ".new");
    std::error_code error;
    fs::create_directory(folder, error);
    const std::string text = file_text(name, answer, folder);
    if (!error && read(path) == text) return "";
    std::ofstream file(fresh);
    file << text << std::flush;
    if (!file)
        return "my/" + name + ".hpp cannot be written: later notebooks use the library's " + name +
               " instead.";
    file.close();
    fs::rename(fresh, path, error);
    return error ? "my/" + name + ".hpp cannot be written (" + error.message() + ")." : "";
}

}  // namespace lanes::notebook
