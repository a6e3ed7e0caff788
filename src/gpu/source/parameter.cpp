#include "parameter.hpp"

#include "type_names.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace lanes::gpu {

namespace {

using Tokens = std::vector<Token>;

bool is_qualifier(const Token& token) {
    static const std::set<std::string> words{
        "const",  "volatile", "__restrict__", "__restrict", "restrict", "__grid_constant__",
        "struct", "typename", "class",        "enum",       "register"};
    return token.is_identifier() && words.count(token.text) > 0;
}

bool is_type_word(const Token& token) {
    static const std::set<std::string> words{"void", "bool",  "char",   "short",  "int",
                                             "long", "float", "double", "signed", "unsigned"};
    return token.is_identifier() && words.count(token.text) > 0;
}

// Replaces a name that the text defines for a pointer type, so that the pointer is visible.
Tokens with_pointer_aliases(const Tokens& tokens, const Aliases& aliases) {
    Tokens made;
    for (const Token& token : tokens) {
        const auto alias = token.is_identifier() ? aliases.find(token.text) : aliases.end();
        if (alias != aliases.end() && alias->second.find('*') != std::string::npos)
            for (Token& inner : tokenize(alias->second)) made.push_back(std::move(inner));
        else
            made.push_back(token);
    }
    return made;
}

std::string without_aliases(std::string type, const Aliases& aliases) {
    for (int step = 0; step < 20; ++step) {
        const auto alias = aliases.find(type);
        if (alias == aliases.end()) break;
        type = alias->second;
    }
    return type;
}

std::string declaration_of(const Tokens& tokens) {
    std::string text;
    for (const Token& token : tokens) {
        const bool glue = text.empty() || token.is("*") || token.is("&") || token.is(",") ||
                          token.is("::") || token.is("<") || token.is(">") || token.is("[") ||
                          token.is("]") || token.is(".") || text.back() == ':' ||
                          text.back() == '<' || text.back() == '[';
        text += (glue ? "" : " ") + token.text;
    }
    return text;
}

}  // namespace

std::vector<std::size_t> at_top(const Tokens& tokens, std::size_t first, std::size_t last,
                                const char* what) {
    std::vector<std::size_t> places;
    int depth = 0;
    for (std::size_t i = first; i < last; ++i) {
        if (tokens[i].is(")") || tokens[i].is("]") || tokens[i].is("}") || tokens[i].is(">"))
            --depth;
        if (depth == 0 && tokens[i].is(what)) places.push_back(i);
        if (tokens[i].is("(") || tokens[i].is("[") || tokens[i].is("{") || tokens[i].is("<"))
            ++depth;
    }
    return places;
}

std::vector<Tokens> split_at_commas(const Tokens& tokens, std::size_t first, std::size_t last) {
    std::vector<Tokens> pieces;
    if (first >= last) return pieces;
    const auto at = [&](std::size_t i) { return tokens.begin() + static_cast<std::ptrdiff_t>(i); };
    for (std::size_t comma : at_top(tokens, first, last, ",")) {
        pieces.emplace_back(at(first), at(comma));
        first = comma + 1;
    }
    pieces.emplace_back(at(first), at(last));
    return pieces;
}

Parameter read_parameter(const Tokens& written, const Aliases& aliases) {
    Parameter parameter;
    Tokens tokens = with_pointer_aliases(written, aliases);
    const auto defaults = at_top(tokens, 0, tokens.size(), "=");
    if (!defaults.empty()) tokens.resize(defaults.front());
    parameter.declaration = declaration_of(tokens);

    // int (*f)(int): a pointer to a function or an array; a launch cannot pass these.
    const auto brackets = at_top(tokens, 0, tokens.size(), "(");
    if (!brackets.empty()) {
        parameter.type = spelled(tokens, 0, tokens.size());
        parameter.pointer = true;
        return parameter;
    }

    const auto arrays = at_top(tokens, 0, tokens.size(), "[");
    if (!arrays.empty()) tokens.resize(arrays.front());
    parameter.pack = !at_top(tokens, 0, tokens.size(), ".").empty();
    parameter.reference = !at_top(tokens, 0, tokens.size(), "&").empty() ||
                          !at_top(tokens, 0, tokens.size(), "&&").empty();
    const auto is_star = [](const Token& token) { return token.is("*"); };
    const auto star = std::find_if(tokens.begin(), tokens.end(), is_star);
    parameter.pointer = star != tokens.end() || !arrays.empty();
    const bool is_const =
        std::any_of(tokens.begin(), star, [](const Token& token) { return token.is("const"); });
    parameter.pointee_const = parameter.pointer && is_const;

    // All stars but the last belong to the type that is pointed to; a name comes last.
    Tokens type;
    auto stars = std::count_if(tokens.begin(), tokens.end(), is_star) - (arrays.empty() ? 1 : 0);
    for (const Token& token : tokens) {
        if (is_qualifier(token) || token.is("&") || token.is("&&") || token.is(".")) continue;
        if (token.is("*") && stars-- <= 0) continue;
        type.push_back(token);
    }
    const bool after_star =
        star != tokens.end() && tokens.back().is_identifier() && !is_qualifier(tokens.back());
    const bool after_type = type.size() > 1 && type.back().is_identifier() &&
                            !is_type_word(type.back()) && !type[type.size() - 2].is("::");
    if (!type.empty() && (after_star || after_type)) {
        parameter.name = type.back().text;
        type.pop_back();
    }
    parameter.type = spelled(type, 0, type.size());
    parameter.tag = tag_of_spelling(without_aliases(parameter.type, aliases));
    return parameter;
}

}  // namespace lanes::gpu
