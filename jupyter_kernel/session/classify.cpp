#include "classify.hpp"

#include <algorithm>
#include <string>

namespace xcpp_session {
namespace {

bool one_of(const Token& token, std::initializer_list<std::string_view> words) {
    return token.kind != TokenKind::literal && std::find(words.begin(), words.end(), token.text) != words.end();
}

bool starts_statement(const Token& token) {
    return one_of(token, {"if", "else", "for", "while", "do", "switch", "return", "goto", "break", "continue", "try", "catch", "case", "default", "{", "throw",
                          "delete"});
}

bool starts_declaration(const Token& token) {
    return one_of(token,
                  {"template",      "struct",    "class",  "union",    "enum",         "namespace",     "using",    "typedef", "extern",   "static",
                   "inline",        "constexpr", "const",  "volatile", "thread_local", "static_assert", "alignas",  "auto",    "typename", "__attribute__",
                   "__extension__", "register",  "friend", "explicit", "virtual",      "asm",           "__thread", "mutable"});
}

bool builtin_type(const Token& token) {
    return one_of(token, {"void", "bool", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "wchar_t", "char16_t", "char32_t",
                          "__int128", "_Float16", "__bf16"});
}

bool is_keyword_of_expression(const Token& token) {
    return one_of(token, {"sizeof", "alignof", "noexcept", "typeid",   "static_cast", "dynamic_cast", "const_cast", "reinterpret_cast", "this", "nullptr",
                          "true",   "false",   "new",      "co_await", "co_yield",    "co_return",    "operator",   "requires",         "not",  "compl"});
}

// A name with its qualifiers: [::] a [<…>] (:: b [<…>])*.
struct QualifiedName {
    std::vector<std::string_view> path;
    std::size_t next = 0;  // the token behind it
    std::size_t last_word = 0;
    bool destructor = false;     // a::~a
    bool operator_name = false;  // a::operator…
    bool ends_in_arguments = false;
};

QualifiedName read_name(const std::vector<Token>& tokens, std::size_t at, const CellNames& names) {
    QualifiedName name;
    if (at < tokens.size() && tokens[at].is("::")) ++at;
    while (at < tokens.size() && tokens[at].kind == TokenKind::word) {
        if (tokens[at].is("template")) {
            ++at;
            continue;
        }
        if (tokens[at].is("operator")) {
            name.operator_name = true;
            break;
        }
        name.path.push_back(tokens[at].text);
        name.last_word = at++;
        name.ends_in_arguments = false;
        if (at < tokens.size() && tokens[at].is("<")) {
            const NameKind kind = names.kind_of(name.path);
            const std::size_t close = kind == NameKind::variable ? at : closing_angle(tokens, at);
            if (close != at) {
                // f<int>(x) and T<int> alike; a < b > c with unknown names is read as arguments too, as C++ would with a template
                at = close + 1;
                name.ends_in_arguments = true;
            }
        }
        if (at + 1 >= tokens.size() || !tokens[at].is("::")) break;
        if (tokens[at + 1].is("~")) {
            name.destructor = true;
            ++at;
            break;
        }
        if (tokens[at + 1].kind != TokenKind::word) break;
        ++at;
    }
    name.next = at;
    return name;
}

Sort classify_name(const std::vector<Token>& tokens, std::size_t at, const CellNames& names) {
    const QualifiedName name = read_name(tokens, at, names);
    if (name.destructor || name.operator_name) return Sort::declaration;  // members defined outside of their class
    if (name.path.empty()) return Sort::expression;
    if (name.next >= tokens.size()) return Sort::expression;
    const Token& next = tokens[name.next];
    if (next.is(":")) return Sort::statement;  // label
    const NameKind kind = names.kind_of(name.path);
    const bool type = kind == NameKind::type || kind == NameKind::type_template;
    if (next.kind == TokenKind::word) {
        if (one_of(next, {"and", "or", "xor", "bitand", "bitor", "and_eq", "or_eq", "xor_eq", "not_eq"})) return Sort::expression;
        return Sort::declaration;  // Foo bar, Foo const&, Foo operator+
    }
    if (one_of(next, {"*", "&", "&&"})) {
        if (type) return Sort::declaration;
        if (kind != NameKind::unknown || next.is("&&")) return Sort::expression;
        // Neither reading compiles: Foo* p = … reads better as a declaration with an unknown type.
        std::size_t i = name.next;
        while (i < tokens.size() && one_of(tokens[i], {"*", "&", "const"})) ++i;
        const bool declares = i + 1 < tokens.size() && tokens[i].kind == TokenKind::word && one_of(tokens[i + 1], {"=", "{"});
        return declares ? Sort::declaration : Sort::expression;
    }
    if (next.is("...")) return Sort::declaration;
    if (next.is("[") && type && name.next + 1 < tokens.size() && tokens[name.next + 1].is("[")) return Sort::declaration;
    if (next.is("(")) {
        const std::size_t close = closing(tokens, name.next);
        if (close + 1 < tokens.size() && tokens[close + 1].is("->") && type) return Sort::declaration;  // deduction guide
        // Foo::Foo(…) { … }, Foo::Foo() : x(1) { … }, TEST(a, b) { … }
        if (close + 1 < tokens.size() && one_of(tokens[close + 1], {"{", ":", "try", "noexcept"})) return Sort::declaration;
        // Foo (*p)(int) = …: a declarator in parentheses
        std::size_t star = name.next + 1;  // (Gear::*p)
        while (star < close && (tokens[star].kind == TokenKind::word || tokens[star].is("::"))) ++star;
        if (type && star < close && one_of(tokens[star], {"*", "&"}) && (star == name.next + 1 || tokens[star - 1].is("::")) && close + 1 < tokens.size() &&
            tokens[close + 1].is("("))
            return Sort::declaration;
    }
    return Sort::expression;
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
        if (found != parameters.end()) macro.first_parameter = static_cast<int>(found - parameters.begin());
    }
    macros_[words[0].text] = macro;
}

bool CellNames::is_macro(std::string_view name) const { return macros_.count(name) > 0 || session_.is_macro(name); }

std::string CellNames::macro_start(std::string_view name) const {
    const auto own = macros_.find(name);
    if (own == macros_.end()) return session_.macro_start(name);
    return own->second.start != name && is_macro(own->second.start) ? macro_start(own->second.start) : own->second.start;
}

std::string CellNames::macro_end(std::string_view name) const {
    const auto own = macros_.find(name);
    return own == macros_.end() ? session_.macro_end(name) : own->second.end;
}

int CellNames::macro_first_parameter(std::string_view name) const {
    const auto own = macros_.find(name);
    return own == macros_.end() ? session_.macro_first_parameter(name) : own->second.first_parameter;
}

void CellNames::learn(const Declaration& declaration) {
    for (const auto& [name, kind] : declaration.declares) own_[name] = kind;
}

Sort classify(const std::vector<Token>& tokens, std::size_t at, const CellNames& names) {
    if (at >= tokens.size()) return Sort::statement;
    const Token& start = tokens[at];
    if (start.kind == TokenKind::literal) return Sort::expression;
    if (start.is("[") && at + 1 < tokens.size() && tokens[at + 1].is("[")) return classify(tokens, closing(tokens, at) + 1, names);
    if (starts_statement(start)) return Sort::statement;
    if (starts_declaration(start)) return Sort::declaration;
    if (start.is("decltype")) {
        const std::size_t close = at + 1 < tokens.size() ? closing(tokens, at + 1) : at;
        return close + 1 < tokens.size() && one_of(tokens[close + 1], {"(", "{", "::"}) ? Sort::expression : Sort::declaration;
    }
    if (builtin_type(start)) {
        std::size_t i = at;
        while (i < tokens.size() && builtin_type(tokens[i])) ++i;
        if (i < tokens.size() && tokens[i].is("{")) return Sort::expression;
        if (i < tokens.size() && tokens[i].is("(")) {  // int(x) is a conversion, int (*p)(int) and int (&r)[3] declare
            const std::size_t close = closing(tokens, i);
            bool pointer = false;  // (*p), (&r), (Foo::*p)
            for (std::size_t k = i + 1; k < close && !pointer; ++k) {
                pointer = one_of(tokens[k], {"*", "&", "&&"});
                if (!pointer && tokens[k].kind != TokenKind::word && !tokens[k].is("::")) break;
            }
            return pointer && close + 1 < tokens.size() && one_of(tokens[close + 1], {"(", "["}) ? Sort::declaration : Sort::expression;
        }
        return Sort::declaration;
    }
    if (is_keyword_of_expression(start)) return Sort::expression;
    if (start.kind == TokenKind::word || start.is("::")) {
        if (start.kind == TokenKind::word && names.is_macro(start.text)) {
            const std::string expansion = names.macro_start(start.text);
            const bool called = at + 1 < tokens.size() && tokens[at + 1].is("(");
            const std::size_t close = called ? closing(tokens, at + 1) : at;
            if (called && close + 1 < tokens.size() && tokens[close + 1].is("{")) return Sort::declaration;  // TEST(a, b) { … }
            const int parameter = names.macro_first_parameter(start.text);
            if (called && parameter >= 0) {  // DECLARE(std::vector<int>, name)
                std::size_t argument = at + 2;
                for (int skipped = 0; argument < close && skipped < parameter; ++argument) {
                    if (tokens[argument].is("(")) argument = closing(tokens, argument);
                    if (tokens[argument].is(",")) ++skipped;
                }
                if (argument < close && (starts_declaration(tokens[argument]) || builtin_type(tokens[argument]))) return Sort::declaration;
                const QualifiedName name = read_name(tokens, argument, names);
                if (argument < close && !name.path.empty() && (name.next == close || tokens[name.next].is(","))) {
                    const NameKind kind = names.kind_of(name.path);
                    if (kind == NameKind::type || kind == NameKind::type_template) return Sort::declaration;
                }
            }
            const std::vector<Token> first = tokenize(expansion);
            if (!first.empty()) {
                if (starts_declaration(first[0]) || builtin_type(first[0])) return Sort::declaration;
                if (starts_statement(first[0])) return Sort::statement;
                if (first[0].kind == TokenKind::word && names.kind_of({first[0].text}) == NameKind::type) return Sort::declaration;
                if (called) return Sort::expression;
            }
        }
        return classify_name(tokens, at, names);
    }
    return Sort::expression;
}

namespace {

// Reads one declaration from its first token to its last.
class DeclarationReader {
public:
    DeclarationReader(const std::vector<Token>& tokens, std::size_t at, const CellNames& names) : tokens_(tokens), names_(names), first_(at), at_(at) {}

    Declaration read() {
        skip_attributes();
        if (at_ < tokens_.size() && tokens_[at_].kind == TokenKind::word && names_.is_macro(tokens_[at_].text) && is("(", 1)) {
            read_macro();
        } else if (is("template")) {
            read_template();
        } else if (is("namespace") || (is("inline") && is("namespace", 1))) {
            read_namespace();
        } else if (is("using") && is("namespace", 1)) {
            found_.outside = true;
            end_at_semicolon();
        } else if (is("using") || is("typedef")) {
            read_alias();
        } else if (is("extern") && at_ + 1 < tokens_.size() && tokens_[at_ + 1].kind == TokenKind::literal) {
            if (is("{", 2))
                end_at(closing(tokens_, at_ + 2));
            else
                read_declarators();
        } else {
            read_declarators();
        }
        return std::move(found_);
    }

private:
    bool is(std::string_view word, std::size_t ahead = 0) const { return at_ + ahead < tokens_.size() && tokens_[at_ + ahead].is(word); }

    void end_at(std::size_t token) { found_.last = std::min(token, tokens_.size() - 1); }

    void end_at_semicolon() {
        std::size_t i = at_;
        while (i < tokens_.size() && !tokens_[i].is(";")) i = is_open(i) ? closing(tokens_, i) + 1 : i + 1;
        end_at(i);
    }

    bool is_open(std::size_t i) const { return one_of(tokens_[i], {"(", "[", "{"}); }

    void skip_attributes() {
        for (;;) {
            if (is("[") && is("[", 1))
                at_ = closing(tokens_, at_) + 1;
            else if ((is("__attribute__") || is("alignas")) && is("(", 1))
                at_ = closing(tokens_, at_ + 1) + 1;
            else if (at_ < tokens_.size() && tokens_[at_].kind == TokenKind::directive)
                ++at_;
            else
                return;
        }
    }

    void read_template() {
        bool specialises = false;
        while (is("template")) {
            ++at_;
            if (!is("<")) {  // explicit instantiation
                found_.outside = true;
                return end_at_semicolon();
            }
            const std::size_t close = closing_angle(tokens_, at_);
            if (close == at_ + 1) specialises = true;
            if (close == at_) return end_at_semicolon();
            at_ = close + 1;
            if (is("requires")) ++at_;
        }
        specialises_ = specialises;
        is_template_ = true;
        read_declarators();
        if (specialises && found_.function_name.empty() && specialised_.empty()) found_.outside = true;
    }

    // A specialisation belongs into the namespace of what it specialises.
    void place_specialisation(std::string_view name) {
        specialised_ = name;
        found_.redefines = {name};
        found_.declares.clear();
        if (names_.declares(name)) return;
        found_.outside = true;
        found_.space = names_.session().cell_space(name);
    }

    // MAKE_GETTER(name, 7): ends with its parenthesis if the macro brings the end with it.
    void read_macro() {
        const std::size_t close = closing(tokens_, at_ + 1);
        const std::string end = names_.macro_end(tokens_[at_].text);
        found_.variable = end != "}";
        if (close + 1 < tokens_.size() && tokens_[close + 1].is("{")) return end_at(closing(tokens_, close + 1));  // TEST(a, b) { … }
        if ((end == "}" || end == ";") && !(close + 1 < tokens_.size() && tokens_[close + 1].is(";"))) return end_at(close);
        end_at_semicolon();
    }

    void read_namespace() {
        std::size_t i = at_;
        while (i < tokens_.size() && !one_of(tokens_[i], {"{", ";", "="})) ++i;
        if (i >= tokens_.size() || !tokens_[i].is("{")) return end_at_semicolon();  // alias
        end_at(closing(tokens_, i));
        const std::size_t word = is("inline") ? at_ + 2 : at_ + 1;
        if (word >= i || tokens_[word].kind != TokenKind::word) return;  // unnamed
        const std::string_view name = tokens_[word].text;
        found_.declares.emplace_back(name, NameKind::name_space);
        const std::string older = names_.session().cell_namespace(name);
        if (!older.empty()) {  // what it holds already stays visible under what is added
            if (word + 1 == i) found_.edits.push_back({tokens_[i].end(), tokens_[i].end(), " using namespace " + older + ";"});
        } else if (names_.session().kind_of({name}) == NameKind::name_space) {
            found_.outside = true;  // std, or a library's
        }
    }

    void read_alias() {
        if (is("using") && at_ + 2 < tokens_.size() && tokens_[at_ + 2].is("=")) found_.declares.emplace_back(tokens_[at_ + 1].text, NameKind::type);
        const bool alias_of_type = is("typedef");
        end_at_semicolon();
        std::size_t word = found_.last;
        if (tokens_[word].is(";") && word > 0) --word;
        if (alias_of_type && tokens_[word].kind == TokenKind::word) found_.declares.emplace_back(tokens_[word].text, NameKind::type);
        if (!alias_of_type && found_.declares.empty() && tokens_[word].kind == TokenKind::word)  // using std::vector;
            found_.declares.emplace_back(tokens_[word].text, kind_of_used_name(word));
    }

    NameKind kind_of_used_name(std::size_t last) const {
        std::vector<std::string_view> path;
        for (std::size_t i = at_ + 1; i <= last; ++i)
            if (tokens_[i].kind == TokenKind::word) path.push_back(tokens_[i].text);
        return path.empty() ? NameKind::unknown : names_.kind_of(path);
    }

    // `static` would give each later cell a variable of its own: the cell's namespace keeps names apart already. `inline` would leave the order of
    // initialisation open.
    void blank(std::size_t token) { found_.edits.push_back({tokens_[token].begin, tokens_[token].end(), std::string(tokens_[token].text.size(), ' ')}); }

    void read_class() {  // struct, class, union, enum at at_
        const bool enumeration = is("enum");
        std::size_t i = at_ + 1;
        if (enumeration && i < tokens_.size() && one_of(tokens_[i], {"class", "struct"})) ++i;
        while (i < tokens_.size() &&
               (one_of(tokens_[i], {"alignas", "__attribute__"}) || (tokens_[i].is("[") && i + 1 < tokens_.size() && tokens_[i + 1].is("["))))
            i = closing(tokens_, tokens_[i].is("[") ? i : i + 1) + 1;
        const QualifiedName name = read_name(tokens_, i, names_);
        if (!name.path.empty()) {
            if (name.path.size() == 1 && !name.ends_in_arguments)
                found_.declares.emplace_back(name.path.front(), is_template_ ? NameKind::type_template : NameKind::type);
            if (name.path.size() > 1) found_.outside = true;  // a member class defined outside
            i = name.next;
        }
        while (i < tokens_.size() && !one_of(tokens_[i], {"{", ";", "="})) {
            if (tokens_[i].is("(")) return;  // struct X f(…): a function that returns it
            if (tokens_[i].kind == TokenKind::word && i > name.next && !is_template_ && tokens_[i - 1].kind == TokenKind::word && !in_base_list(name.next, i))
                return;
            ++i;
        }
        if (i < tokens_.size() && tokens_[i].is("{")) at_ = closing(tokens_, i) + 1;
    }

    bool in_base_list(std::size_t from, std::size_t to) const {
        for (std::size_t i = from; i < to; ++i)
            if (tokens_[i].is(":") || tokens_[i].is("final")) return true;
        return false;
    }

    void read_declarators() {
        specifiers();
        bool parameters = false;   // a function's parameter list was seen
        bool initialised = false;  // behind '='
        bool constructor_list = false;
        std::size_t name_at = 0;
        std::vector<std::string_view> variables;
        for (std::size_t i = at_; i < tokens_.size(); ++i) {
            const Token& token = tokens_[i];
            if (token.kind == TokenKind::directive) continue;
            if (token.is(";")) {
                finish_variables(parameters, initialised, variables, name_at);
                return end_at(i);
            }
            if (token.is("operator") && !initialised) {
                std::size_t open = i + 1;
                if (open < tokens_.size() && tokens_[open].is("(")) open += 2;  // operator()
                while (open < tokens_.size() && !tokens_[open].is("(")) ++open;
                name_at = i;
                i = open;
                parameters = true;
                i = closing(tokens_, i);
                continue;
            }
            if (token.is("<") && !initialised && i > at_) {
                const std::size_t close = closing_angle(tokens_, i);
                if (close != i) {
                    if (close + 1 < tokens_.size() && tokens_[close + 1].is("(") && name_at == 0 && tokens_[i - 1].kind == TokenKind::word) name_at = i - 1;
                    i = close;
                    continue;
                }
            }
            if (token.is("(")) {
                if (!initialised && !constructor_list && i > first_ && tokens_[i - 1].kind == TokenKind::word &&
                    !one_of(tokens_[i - 1], {"decltype", "alignas", "noexcept", "__attribute__", "throw", "requires"})) {
                    if (!parameters && name_at == 0) name_at = i - 1;
                    parameters = true;
                } else if (!initialised && !constructor_list && i > first_ && (tokens_[i - 1].is(")") || tokens_[i - 1].is(">"))) {
                    parameters = true;  // int (*f(int))(double), A<int>::A(…)
                }
                i = closing(tokens_, i);
                continue;
            }
            if (token.is("[")) {
                if (!initialised && i > at_ && tokens_[i - 1].kind == TokenKind::word && !tokens_[i - 1].is("auto")) name_at = i - 1;
                i = closing(tokens_, i);
                continue;
            }
            if (token.is(":") && parameters && !initialised) constructor_list = true;
            if (token.is("=")) {
                if (!parameters && name_at == 0 && i > 0 && tokens_[i - 1].kind == TokenKind::word) name_at = i - 1;
                initialised = true;
            }
            if (token.is(",") && !constructor_list) {
                if (!initialised && name_at == 0 && tokens_[i - 1].kind == TokenKind::word) name_at = i - 1;
                if (name_at != 0) variables.push_back(tokens_[name_at].text);
                name_at = 0;
                initialised = parameters = false;
            }
            if (token.is("{")) {
                const std::size_t close = closing(tokens_, i);
                const bool member_initialiser = constructor_list && (tokens_[i - 1].kind == TokenKind::word || tokens_[i - 1].is(">"));
                if (parameters && !initialised && !member_initialiser) {
                    found_.body = body_start(i);
                    finish_function(name_at);
                    std::size_t end = close;
                    while (end + 1 < tokens_.size() && tokens_[end + 1].is("catch")) end = closing(tokens_, closing(tokens_, end + 2) + 1);
                    return end_at(end);
                }
                if (!initialised && !parameters && name_at == 0 && i > 0 && tokens_[i - 1].kind == TokenKind::word) name_at = i - 1;
                if (!constructor_list) initialised = true;
                i = close;
            }
        }
        finish_variables(parameters, initialised, variables, name_at);
        end_at(tokens_.size());
    }

    // The declarator ends before the body, a constructor's initialisers or `try`.
    std::size_t body_start(std::size_t brace) const {
        for (std::size_t i = at_; i < brace; ++i) {
            if (tokens_[i].is("try")) return i;
            if (is_open(i))
                i = closing(tokens_, i);
            else if (tokens_[i].is(":"))
                return i;
        }
        return brace;
    }

    void specifiers() {
        for (;;) {
            skip_attributes();
            if (is("static") || (is("inline") && !is("namespace", 1))) {
                storage_.push_back(at_++);
            } else if (one_of_here(
                           {"constexpr", "const", "volatile", "extern", "thread_local", "__thread", "typename", "register", "friend", "explicit", "virtual"})) {
                ++at_;
                if (at_ < tokens_.size() && tokens_[at_].kind == TokenKind::literal) ++at_;
            } else {
                break;
            }
        }
        if (one_of_here({"struct", "class", "union", "enum"})) read_class();
    }

    bool one_of_here(std::initializer_list<std::string_view> words) const { return at_ < tokens_.size() && one_of(tokens_[at_], words); }

    bool qualified(std::size_t word) const { return word > at_ && tokens_[word - 1].is("::"); }

    void finish_function(std::size_t name_at) {
        for (const std::size_t token : storage_)
            if (tokens_[token].is("static")) blank(token);
        if (name_at == 0 || qualified(name_at) || tokens_[name_at - (name_at > 0 ? 1 : 0)].is("~") || is_qualified_operator(name_at)) {
            found_.outside = true;
            if (name_at != 0) found_.redefines = path_to(name_at);
            return;
        }
        if (specialises_) return place_specialisation(tokens_[name_at].text);
        if (tokens_[first_].is("extern")) found_.redefines = {tokens_[name_at].text};
        found_.function_name = tokens_[name_at].text;
        found_.declares.emplace_back(tokens_[name_at].text, NameKind::function);
    }

    // a::b::c, read backwards from c; ~c counts as c
    std::vector<std::string_view> path_to(std::size_t word) const {
        std::vector<std::string_view> path = {tokens_[word].text};
        std::size_t i = word;
        if (i > 0 && tokens_[i - 1].is("~")) {
            --i;
            path.front() = {};  // filled below: the destructor's name is not one of the text's words
        }
        while (i >= 2 && tokens_[i - 1].is("::")) {
            std::size_t before = i - 2;
            if (tokens_[before].is(">"))
                while (before > 0 && !tokens_[before].is("<")) --before;
            if (tokens_[before].is("<") && before > 0) --before;
            if (tokens_[before].kind != TokenKind::word) break;
            path.insert(path.begin(), tokens_[before].text);
            i = before;
        }
        if (path.back().empty()) path.back() = "~";
        return path;
    }

    bool is_qualified_operator(std::size_t name_at) const { return tokens_[name_at].is("operator") && name_at > 0 && tokens_[name_at - 1].is("::"); }

    void finish_variables(bool parameters, bool initialised, std::vector<std::string_view>& variables, std::size_t name_at) {
        if (name_at == 0 && found_.declares.empty() && !parameters) {  // int x;
            std::size_t i = tokens_.size();
            for (std::size_t k = at_; k < tokens_.size() && !tokens_[k].is(";"); ++k) i = k;
            if (i < tokens_.size() && tokens_[i].kind == TokenKind::word) name_at = i;
        }
        if (name_at != 0 && qualified(name_at)) {
            found_.outside = true;  // int Foo::count = 0;
            return;
        }
        const bool prototype = parameters && !initialised && !looks_like_arguments(name_at);
        if (prototype && variables.empty()) {
            for (const std::size_t token : storage_)
                if (tokens_[token].is("static")) blank(token);
            if (name_at != 0) found_.declares.emplace_back(tokens_[name_at].text, NameKind::function);
            return;
        }
        if (name_at != 0) variables.push_back(tokens_[name_at].text);
        if (variables.empty()) {
            found_.variable = mend_structured_binding();
        } else {
            found_.variable = true;
        }
        for (const std::size_t token : storage_) blank(token);
        for (const std::string_view name : variables) found_.declares.emplace_back(name, NameKind::variable);
    }

    // auto [a, b] = f();  ->  auto [a__xcpp, b__xcpp] = f(); auto&& a = a__xcpp; auto&& b = b__xcpp;
    // clang 19 with -fopenmp crashes on a function that uses a structured binding of namespace scope.
    bool mend_structured_binding() {
        std::size_t open = at_;
        while (open < tokens_.size() && one_of(tokens_[open], {"auto", "const", "&", "&&"})) ++open;
        if (open == at_ || open >= tokens_.size() || !tokens_[open].is("[")) return false;
        const std::size_t close = closing(tokens_, open);
        std::string names;
        for (std::size_t i = open + 1; i < close; ++i) {
            if (tokens_[i].kind != TokenKind::word) continue;
            const std::string name(tokens_[i].text);
            found_.edits.push_back({tokens_[i].end(), tokens_[i].end(), "__xcpp"});
            found_.declares.emplace_back(tokens_[i].text, NameKind::variable);
            names += " auto&& " + name + " = " + name + "__xcpp;";
        }
        std::size_t end = close;
        while (end < tokens_.size() && !tokens_[end].is(";")) end = is_open(end) ? closing(tokens_, end) + 1 : end + 1;
        if (end < tokens_.size())
            found_.edits.push_back({tokens_[end].end(), tokens_[end].end(), names});
        else if (!tokens_.empty())
            found_.edits.push_back({tokens_.back().end(), tokens_.back().end(), ";" + names});
        return true;
    }

    // Foo x(3, y); against Foo f(int, T);: a literal, an operator or a known variable in the parentheses means a variable.
    bool looks_like_arguments(std::size_t name_at) const {
        if (name_at == 0 || name_at + 1 >= tokens_.size() || !tokens_[name_at + 1].is("(")) return false;
        const std::size_t close = closing(tokens_, name_at + 1);
        if (close == name_at + 2) return false;
        const Token& start = tokens_[name_at + 2];
        if (start.kind == TokenKind::literal || one_of(start, {"{", "-", "+", "!", "~", "&", "*", "(", "["})) return true;
        if (is_keyword_of_expression(start)) return true;
        if (builtin_type(start) || starts_declaration(start)) return false;
        const QualifiedName name = read_name(tokens_, name_at + 2, names_);
        if (name.path.empty()) return false;
        const NameKind kind = names_.kind_of(name.path);
        return kind == NameKind::variable || kind == NameKind::function;
    }

    const std::vector<Token>& tokens_;
    const CellNames& names_;
    const std::size_t first_;
    std::size_t at_;
    std::vector<std::size_t> storage_;
    bool is_template_ = false, specialises_ = false;
    std::string_view specialised_;
    Declaration found_;
};

}  // namespace

Declaration read_declaration(const std::vector<Token>& tokens, std::size_t at, const CellNames& names) { return DeclarationReader(tokens, at, names).read(); }

}  // namespace xcpp_session
