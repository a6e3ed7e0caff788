#include "classify.hpp"

#include "grammar.hpp"

#include <algorithm>
#include <string>

namespace xcpp_session {
namespace {

PieceClass classify_name(const std::vector<Token>& tokens, std::size_t at, const CellNames& names) {
    const QualifiedName name = read_name(tokens, at, names);
    if (name.destructor || name.operator_name)
        return PieceClass::declaration;  // members defined outside of their class
    if (name.path.empty()) return PieceClass::expression;
    if (name.next >= tokens.size()) return PieceClass::expression;
    const Token& next = tokens[name.next];
    if (next.is(":")) return PieceClass::statement;  // label
    const NameKind kind = names.kind_of(name.path);
    const bool type = kind == NameKind::type || kind == NameKind::type_template;
    if (next.kind == TokenKind::word) {
        if (one_of(next,
                   {"and", "or", "xor", "bitand", "bitor", "and_eq", "or_eq", "xor_eq", "not_eq"}))
            return PieceClass::expression;
        return PieceClass::declaration;  // Foo bar, Foo const&, Foo operator+
    }
    if (one_of(next, {"*", "&", "&&"})) {
        if (type) return PieceClass::declaration;
        if (kind != NameKind::unknown || next.is("&&")) return PieceClass::expression;
        // Neither reading compiles: Foo* p = … reads better as a declaration with an unknown type.
        std::size_t i = name.next;
        while (i < tokens.size() && one_of(tokens[i], {"*", "&", "const"})) ++i;
        const bool declares = i + 1 < tokens.size() && tokens[i].kind == TokenKind::word &&
                              one_of(tokens[i + 1], {"=", "{"});
        return declares ? PieceClass::declaration : PieceClass::expression;
    }
    if (next.is("...")) return PieceClass::declaration;
    if (next.is("[") && type && name.next + 1 < tokens.size() && tokens[name.next + 1].is("["))
        return PieceClass::declaration;
    if (next.is("(")) {
        const std::size_t close = closing(tokens, name.next);
        if (close + 1 < tokens.size() && tokens[close + 1].is("->") && type)
            return PieceClass::declaration;  // deduction guide
        // Foo::Foo(…) { … }, Foo::Foo() : x(1) { … }, TEST(a, b) { … }
        if (close + 1 < tokens.size() && one_of(tokens[close + 1], {"{", ":", "try", "noexcept"}))
            return PieceClass::declaration;
        // Foo::Foo() = default;
        if (close + 2 < tokens.size() && tokens[close + 1].is("=") &&
            one_of(tokens[close + 2], {"default", "delete"}))
            return PieceClass::declaration;
        // Foo (*p)(int) = …, Foo (&r)[3] = …: a declarator in parentheses
        std::size_t star = name.next + 1;  // (Gear::*p)
        while (star < close && (tokens[star].kind == TokenKind::word || tokens[star].is("::")))
            ++star;
        if (type && star < close && one_of(tokens[star], {"*", "&"}) &&
            (star == name.next + 1 || tokens[star - 1].is("::")) && close + 1 < tokens.size() &&
            one_of(tokens[close + 1], {"(", "["}))
            return PieceClass::declaration;
    }
    return PieceClass::expression;
}

}  // namespace

NameKind CellNames::kind_of(const std::vector<std::string_view>& path) const {
    const auto own = own_.find(path.front());
    if (own == own_.end()) return session_.kind_of(path);
    if (path.size() == 1) return own->second;
    return NameKind::unknown;
}

void CellNames::learn_macro(std::string_view directive) {
    const std::size_t begin = directive.find_first_not_of("# \t");
    if (begin == std::string_view::npos || directive.compare(begin, 6, "define") != 0) return;
    const std::vector<Token> words = tokenize(directive.substr(begin + 6));
    if (words.empty() || words[0].kind != TokenKind::word) return;
    std::size_t body = 1;
    std::vector<std::string_view> parameters;
    if (words.size() > 1 && words[1].is("(") && words[1].begin == words[0].end()) {
        const std::size_t close = closing(words, 1);
        for (std::size_t i = 2; i < close; ++i)
            if (words[i].kind == TokenKind::word) parameters.push_back(words[i].text);
        body = close + 1;
    }
    Macro macro;
    if (body < words.size()) {
        macro.start = words[body].text;
        macro.end = words.back().text;
        const auto found = std::find(parameters.begin(), parameters.end(), words[body].text);
        if (found != parameters.end())
            macro.first_parameter = static_cast<int>(found - parameters.begin());
    }
    macros_[words[0].text] = macro;
}

bool CellNames::is_macro(std::string_view name) const {
    return macros_.count(name) > 0 || (gone_.count(name) == 0 && session_.is_macro(name));
}

bool CellNames::macro_gives_way(std::string_view name, bool called) const {
    return macros_.count(name) == 0 && gone_.count(name) == 0 &&
           session_.macro_gives_way(name, called);
}

std::string CellNames::macro_start(std::string_view name) const {
    const auto own = macros_.find(name);
    if (own == macros_.end()) return session_.macro_start(name);
    return own->second.start != name && is_macro(own->second.start) ? macro_start(own->second.start)
                                                                    : own->second.start;
}

std::string CellNames::macro_end(std::string_view name) const {
    const auto own = macros_.find(name);
    return own == macros_.end() ? session_.macro_end(name) : own->second.end;
}

int CellNames::macro_first_parameter(std::string_view name) const {
    const auto own = macros_.find(name);
    return own == macros_.end() ? session_.macro_first_parameter(name)
                                : own->second.first_parameter;
}

void CellNames::learn(const Declaration& declaration) {
    for (const auto& [name, kind] : declaration.declares) own_[name] = kind;
}

PieceClass classify(const std::vector<Token>& tokens, std::size_t at, const CellNames& names) {
    if (at >= tokens.size()) return PieceClass::statement;
    const Token& start = tokens[at];
    if (start.kind == TokenKind::literal) return PieceClass::expression;
    if (start.is("[") && at + 1 < tokens.size() && tokens[at + 1].is("["))
        return classify(tokens, closing(tokens, at) + 1, names);
    if (starts_statement(start)) return PieceClass::statement;
    if (starts_declaration(start)) return PieceClass::declaration;
    if (start.is("decltype")) {
        const std::size_t close = at + 1 < tokens.size() ? closing(tokens, at + 1) : at;
        return close + 1 < tokens.size() && one_of(tokens[close + 1], {"(", "{", "::"})
                   ? PieceClass::expression
                   : PieceClass::declaration;
    }
    if (builtin_type(start)) {
        std::size_t i = at;
        while (i < tokens.size() && builtin_type(tokens[i])) ++i;
        if (i < tokens.size() && tokens[i].is("{")) return PieceClass::expression;
        if (i < tokens.size() &&
            tokens[i].is("(")) {  // int(x) is a conversion, int (*p)(int) and int (&r)[3] declare
            const std::size_t close = closing(tokens, i);
            bool pointer = false;  // (*p), (&r), (Foo::*p)
            for (std::size_t k = i + 1; k < close && !pointer; ++k) {
                pointer = one_of(tokens[k], {"*", "&", "&&"});
                if (!pointer && tokens[k].kind != TokenKind::word && !tokens[k].is("::")) break;
            }
            if (pointer && close + 1 < tokens.size() && one_of(tokens[close + 1], {"(", "["}))
                return PieceClass::declaration;
            // int (x) = 5; is no assignment: nothing can be assigned to a conversion.
            return close == i + 2 && tokens[i + 1].kind == TokenKind::word &&
                           close + 1 < tokens.size() && tokens[close + 1].is("=")
                       ? PieceClass::declaration
                       : PieceClass::expression;
        }
        return PieceClass::declaration;
    }
    if (is_keyword_of_expression(start)) return PieceClass::expression;
    if (start.kind == TokenKind::word || start.is("::")) {
        if (start.kind == TokenKind::word && names.is_macro(start.text)) {
            const std::string expansion = names.macro_start(start.text);
            const bool called = at + 1 < tokens.size() && tokens[at + 1].is("(");
            const std::size_t close = called ? closing(tokens, at + 1) : at;
            if (called && close + 1 < tokens.size() && tokens[close + 1].is("{"))
                return PieceClass::declaration;  // TEST(a, b) { … }
            const int parameter = names.macro_first_parameter(start.text);
            if (called && parameter >= 0) {  // DECLARE(std::vector<int>, name)
                std::size_t argument = at + 2;
                for (int skipped = 0; argument < close && skipped < parameter; ++argument) {
                    if (tokens[argument].is("(")) argument = closing(tokens, argument);
                    if (tokens[argument].is(",")) ++skipped;
                }
                if (argument < close &&
                    (starts_declaration(tokens[argument]) || builtin_type(tokens[argument])))
                    return PieceClass::declaration;
                const QualifiedName name = read_name(tokens, argument, names);
                if (argument < close && !name.path.empty() &&
                    (name.next == close || tokens[name.next].is(","))) {
                    const NameKind kind = names.kind_of(name.path);
                    if (kind == NameKind::type || kind == NameKind::type_template)
                        return PieceClass::declaration;
                }
            }
            const std::vector<Token> first = tokenize(expansion);
            if (!first.empty()) {
                if (starts_declaration(first[0]) || builtin_type(first[0]))
                    return PieceClass::declaration;
                if (starts_statement(first[0])) return PieceClass::statement;
                if (first[0].kind == TokenKind::word &&
                    names.kind_of({first[0].text}) == NameKind::type)
                    return PieceClass::declaration;
                if (called) return PieceClass::expression;
            }
        }
        return classify_name(tokens, at, names);
    }
    return PieceClass::expression;
}

}  // namespace xcpp_session
