// The function that the session calls: what a function of a cell is made of, as JSON.
#include "references.hpp"

#include "clang/AST/DeclTemplate.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace lanes::analysis {
namespace {

using xcpp::CellDeclaration;
using Json = nlohmann::json;
using Roots = std::vector<const clang::NamedDecl*>;

// The functions that a name of the session stands for. What a lambda becomes as a plain function
// has no name that could be asked for.
std::vector<const clang::FunctionDecl*> functions_of(const clang::NamedDecl* declaration) {
    if (const auto* pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(declaration)) {
        std::vector<const clang::FunctionDecl*> functions;
        for (const auto* function : pattern->specializations()) functions.push_back(function);
        return functions;
    }
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) return {function};
    return {};
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

bool has_word(const std::string& text, const std::string& word) {
    if (word.empty()) return false;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const bool starts = at == 0 || !is_word(text[at - 1]),
                   ends = at + word.size() >= text.size() || !is_word(text[at + word.size()]);
        if (starts && ends) return true;
    }
    return false;
}

bool starts_with(const std::string& text, const std::string& start) {
    return text.compare(0, start.size(), start) == 0;
}

// NAME of "#define NAME(a) …" and "#undef NAME"; "" for any other line.
std::string macro_of(const std::string& text) {
    std::size_t at = text.find_first_not_of(" \t", 1);
    if (text.empty() || text[0] != '#' || at == std::string::npos) return {};
    const std::size_t length = text.compare(at, 6, "define") == 0  ? 6
                               : text.compare(at, 5, "undef") == 0 ? 5
                                                                   : 0;
    if (length == 0) return {};
    at = text.find_first_not_of(" \t", at + length);
    std::size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    return at == std::string::npos ? std::string() : text.substr(at, end - at);
}

// NAME of "namespace NAME = other;"; "" for any other declaration.
std::string namespace_alias_of(const std::string& text) {
    if (!starts_with(text, "namespace ") || text.find('{') != std::string::npos) return {};
    const std::size_t at = text.find_first_not_of(" \t\n", 9);
    std::size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    return text.find('=', end) == std::string::npos ? std::string() : text.substr(at, end - at);
}

// enum { first, second };, namespace { … }: names without a name around them.
bool holds_names(const std::string& text) {
    return starts_with(text, "enum") || starts_with(text, "namespace") ||
           starts_with(text, "union") || starts_with(text, "static union");
}

// Lines that bring names in. What they bring is not a declaration that the compiler would point to.
bool brings_names(const std::string& text) {
    const bool include = starts_with(text, "#") && text.find("include") != std::string::npos;
    return include || starts_with(text, "using namespace") ||
           (starts_with(text, "#") && text.find("pragma") != std::string::npos);
}

// In the order in which they were declared. Aliases, using declarations and macros are taken where
// their name stands in a text that is taken.
std::vector<const CellDeclaration*> texts_of(const std::set<std::pair<int, std::string>>& names,
                                             const std::vector<CellDeclaration>& declarations) {
    std::vector<char> taken(declarations.size(), 0);
    const auto is_needed = [&](const CellDeclaration& declared) {
        const auto needs = [&](const std::string& name) {
            return names.count({declared.unit, name}) > 0;
        };
        if (std::any_of(declared.names.begin(), declared.names.end(), needs)) return true;
        if (declared.names.empty() && starts_with(declared.text, "typedef "))
            return std::any_of(names.begin(), names.end(), [&](const auto& name) {
                return name.first == declared.unit && has_word(declared.text, name.second);
            });
        if (declared.names.empty() && holds_names(declared.text) && needs("")) return true;
        return !declared.redefines.empty() &&
               std::any_of(names.begin(), names.end(), [&](const auto& name) {
                   return name.second == declared.redefines.front();
               });
    };
    for (std::size_t i = 0; i < declarations.size(); ++i)
        taken[i] = brings_names(declarations[i].text) || is_needed(declarations[i]) ? 1 : 0;
    for (bool more = true; more;) {
        more = false;
        for (std::size_t i = 0; i < declarations.size(); ++i) {
            const CellDeclaration& declared = declarations[i];
            std::vector<std::string> brings;
            if (const std::string macro = macro_of(declared.text); !macro.empty()) brings = {macro};
            if (const std::string alias = namespace_alias_of(declared.text); !alias.empty())
                brings = {alias};
            if (starts_with(declared.text, "using ") || starts_with(declared.text, "typedef "))
                brings = declared.names;
            if (taken[i] || brings.empty()) continue;
            for (std::size_t other = 0; other < declarations.size() && !taken[i]; ++other)
                if (taken[other] && other > i)
                    taken[i] = std::any_of(brings.begin(), brings.end(),
                                           [&](const auto& name) {
                                               return has_word(declarations[other].text, name);
                                           })
                                   ? 1
                                   : 0;
            more = more || taken[i];
        }
    }
    std::vector<const CellDeclaration*> texts;
    for (std::size_t i = 0; i < declarations.size(); ++i)
        if (taken[i]) texts.push_back(&declarations[i]);
    return texts;
}

// False if no cell holds the name. matches: whether a function of that name is at the address.
bool find_roots(const xcpp::AnalysisInput& input, Roots& roots, bool& matches) {
    bool known = false;
    matches = input.address == nullptr;
    for (const xcpp::CellName& one : input.names) {
        if (one.name != input.name) continue;
        known = true;
        bool meant = input.address == nullptr;
        for (const auto* function : functions_of(one.declaration))
            meant = meant || input.address_of(function) == input.address;
        if (meant) roots.push_back(one.declaration);
        matches = matches || meant;
    }
    return known;
}

bool report_on(const xcpp::AnalysisInput& input, std::string& report) {
    Roots roots;
    bool matches = false;
    if (!find_roots(input, roots, matches)) return false;
    const References found = references_of(input, roots);
    Json names = Json::array(), definitions = Json::array();
    std::set<int> cells;
    for (const Reference& one : found.outside)
        names.push_back({{"name", one.name},
                         {"kind", one.kind},
                         {"cell", one.cell},
                         {"line", one.line},
                         {"in", one.in}});
    Json races = Json::array();
    for (const Race& one : found.races)
        races.push_back({{"name", one.name},
                         {"element", one.element},
                         {"shared", one.shared},
                         {"with", one.with},
                         {"reference", one.by_reference},
                         {"undivided", one.undivided},
                         {"cell", one.cell},
                         {"line", one.line},
                         {"pragma", one.pragma},
                         {"start", one.start},
                         {"in", one.in}});
    Json two_steps = Json::array();
    for (const TwoSteps& one : found.two_steps)
        two_steps.push_back(
            {{"name", one.name}, {"cell", one.cell}, {"line", one.line}, {"in", one.in}});
    for (const CellDeclaration* declared : texts_of(found.inside, input.declarations)) {
        definitions.push_back({{"names", declared->names},
                               {"cell", declared->cell},
                               {"line", declared->line},
                               {"text", declared->text}});
        if (!brings_names(declared->text)) cells.insert(declared->cell);
    }
    report = Json{{"matches", matches},     {"references", names}, {"races", races},
                  {"two_steps", two_steps}, {"cells", cells},      {"definitions", definitions}}
                 .dump(-1, ' ', false, Json::error_handler_t::replace);
    return true;
}

}  // namespace
}  // namespace lanes::analysis

bool xcpp_analyse(const xcpp::AnalysisInput& input, std::string& report) {
    return lanes::analysis::report_on(input, report);
}
