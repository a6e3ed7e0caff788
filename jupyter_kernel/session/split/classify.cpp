#include "classify.hpp"

#include "grammar.hpp"
#include "session/text/directives.hpp"

#include <string>

namespace xcpp_session {
namespace {

bool is_type(NameKind kind) { return kind == NameKind::type || kind == NameKind::type_template; }

// (*p), (&r), (Foo::*p) with ( or [ after it: a declarator in parentheses.
bool is_pointer_declarator(const Tokens& tokens, std::size_t open) {
    std::size_t i = open + 1;
    while (tokens[i].is_word() || tokens[i].is("::")) ++i;
    return tokens[i].is_one_of({"*", "&", "&&"}) && (i == open + 1 || tokens[i - 1].is("::")) &&
           tokens[tokens.after(open)].is_one_of({"(", "["});
}

PieceClass classify_name(const Tokens& tokens, std::size_t at, const CellNames& names) {
    const QualifiedName name = read_name(tokens, at, names);
    if (name.destructor || name.operator_name)
        return PieceClass::declaration;  // members defined outside of their class
    if (name.path.empty()) return PieceClass::expression;
    const Token& next = tokens[name.next];
    if (next.is(":")) return PieceClass::statement;  // label
    const NameKind kind = names.kind_of(name.path);
    const bool type = is_type(kind);
    bool declares = false;
    if (next.is_word()) {  // Foo bar, Foo const&, Foo operator+
        declares = !next.is_one_of(
            {"and", "or", "xor", "bitand", "bitor", "and_eq", "or_eq", "xor_eq", "not_eq"});
    } else if (next.is_one_of({"*", "&", "&&"})) {
        // Neither reading compiles: Foo* p = … reads better as a declaration with an unknown type.
        std::size_t i = name.next;
        while (tokens[i].is_one_of({"*", "&", "const"})) ++i;
        declares = type || (kind == NameKind::unknown && !next.is("&&") && tokens[i].is_word() &&
                            tokens[i + 1].is_one_of({"=", "{"}));
    } else if (next.is("...")) {
        declares = true;
    } else if (next.is("[")) {
        declares = type && tokens[name.next + 1].is("[");
    } else if (next.is("(")) {
        const std::size_t behind = tokens.after(name.next);
        // Foo::Foo(…) { … }, Foo::Foo() : x(1) { … }, TEST(a, b) { … }, Foo::Foo() = default;
        declares =
            tokens[behind].is_one_of({"{", ":", "try", "noexcept"}) ||
            (tokens[behind].is("=") && tokens[behind + 1].is_one_of({"default", "delete"})) ||
            (type && tokens[behind].is("->")) ||  // deduction guide
            (type && is_pointer_declarator(tokens, name.next));
    }
    return declares ? PieceClass::declaration : PieceClass::expression;
}

PieceClass classify_builtin(const Tokens& tokens, std::size_t at) {
    while (builtin_type(tokens[at])) ++at;
    if (tokens[at].is("{")) return PieceClass::expression;
    // int(x) is a conversion, int (*p)(int) and int (&r)[3] declare. int (x) = 5; is not an
    // assignment: nothing can be assigned to a conversion.
    const bool declares =
        !tokens[at].is("(") || is_pointer_declarator(tokens, at) ||
        (tokens[at + 1].is_word() && tokens[at + 2].is(")") && tokens[at + 3].is("="));
    return declares ? PieceClass::declaration : PieceClass::expression;
}

PieceClass classify_macro(const Macro& macro, const Tokens& tokens, std::size_t at,
                          const CellNames& names) {
    const bool called = tokens[at + 1].is("(");
    const std::size_t close = called ? tokens.closing(at + 1) : at;
    if (called && tokens[close + 1].is("{")) return PieceClass::declaration;  // TEST(a, b) { … }
    if (called && macro.first_parameter >= 0) {  // DECLARE(std::vector<int>, name)
        std::size_t argument = at + 2;
        for (int i = 0; i < macro.first_parameter; ++i)
            argument = tokens.find(argument, {",", ")"}) + 1;
        if (argument < close) {
            if (starts_declaration(tokens[argument]) || builtin_type(tokens[argument]))
                return PieceClass::declaration;
            const QualifiedName name = read_name(tokens, argument, names);
            if (!name.path.empty() && (name.next == close || tokens[name.next].is(",")) &&
                is_type(names.kind_of(name.path)))
                return PieceClass::declaration;
        }
    }
    const Tokens words = tokenize(macro.start);
    const Token& first = words[0];
    if (starts_declaration(first) || builtin_type(first) ||
        (first.is_word() && names.kind_of({first.text}) == NameKind::type))
        return PieceClass::declaration;
    if (starts_statement(first)) return PieceClass::statement;
    return called && !words.empty() ? PieceClass::expression : classify_name(tokens, at, names);
}

}  // namespace

NameKind CellNames::kind_of(const std::vector<std::string_view>& path) const {
    const auto own = own_.find(path.front());
    if (own == own_.end()) return session_.kind_of(path);
    if (path.size() == 1) return own->second;
    return NameKind::unknown;
}

void CellNames::learn_macro(const Token& directive) {
    const auto [name, rest] = directive_of(directive);
    const Tokens words = tokenize(rest);
    if (name != "define" || !words[0].is_word()) return;
    const bool has_parameters = words[1].is("(") && words[1].begin == words[0].end();
    const std::size_t body = has_parameters ? words.after(1) : 1;
    Macro macro;
    if (body < words.size()) {
        macro.start = words[body].text;
        macro.end = words.back().text;
        int parameters = 0;
        for (std::size_t i = 2; i < body && macro.first_parameter < 0; ++i)
            if (words[i].is_word() && words[i].text == macro.start)
                macro.first_parameter = parameters;
            else if (words[i].is_word())
                ++parameters;
    }
    macros_[words[0].text] = macro;
}

std::optional<Macro> CellNames::macro(std::string_view name, int depth) const {
    const auto own = macros_.find(name);
    if (own == macros_.end()) return gone_.count(name) == 0 ? session_.macro(name) : std::nullopt;
    Macro found = own->second;
    if (depth < 16)  // two macros may name each other
        if (const auto inner = macro(found.start, depth + 1)) found.start = inner->start;
    return found;
}

bool CellNames::macro_gives_way(std::string_view name, bool called) const {
    return macros_.count(name) == 0 && gone_.count(name) == 0 &&
           session_.macro_gives_way(name, called);
}

void CellNames::learn(const Declaration& declaration) {
    for (const auto& [name, kind] : declaration.declares) own_[name] = kind;
}

PieceClass classify(const Tokens& tokens, std::size_t at, const CellNames& names) {
    const Token& start = tokens[at];
    if (start.kind == TokenKind::none) return PieceClass::statement;
    if (start.kind == TokenKind::literal) return PieceClass::expression;
    if (start.is("[") && tokens[at + 1].is("[")) return classify(tokens, tokens.after(at), names);
    if (starts_statement(start)) return PieceClass::statement;
    if (starts_declaration(start)) return PieceClass::declaration;
    if (start.is("decltype"))
        return tokens[tokens.after(at + 1)].is_one_of({"(", "{", "::"}) ? PieceClass::expression
                                                                        : PieceClass::declaration;
    if (builtin_type(start)) return classify_builtin(tokens, at);
    if (is_keyword_of_expression(start)) return PieceClass::expression;
    if (const auto macro = start.is_word() ? names.macro(start.text) : std::nullopt)
        return classify_macro(*macro, tokens, at, names);
    return start.is_word() || start.is("::") ? classify_name(tokens, at, names)
                                             : PieceClass::expression;
}

}  // namespace xcpp_session
