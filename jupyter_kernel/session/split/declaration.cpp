#include "classify.hpp"
#include "declarators.hpp"
#include "grammar.hpp"

#include <algorithm>
#include <string>

namespace xcpp_session {
namespace {

// Reads one declaration from its first token to its last.
class DeclarationReader {
public:
    DeclarationReader(const std::vector<Token>& tokens, std::size_t at, const CellNames& names)
        : tokens_(tokens), names_(names), first_(at), at_(at) {}

    Declaration read() {
        skip_attributes();
        if (at_ < tokens_.size() && opens_block(at_) && read_block_of_macros())
            return std::move(found_);
        if (at_ < tokens_.size() && tokens_[at_].kind == TokenKind::word &&
            names_.is_macro(tokens_[at_].text) && is("(", 1)) {
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
        } else if (is("extern") && at_ + 1 < tokens_.size() &&
                   tokens_[at_ + 1].kind == TokenKind::literal) {
            if (is("{", 2))
                read_linkage_block(at_ + 2);
            else
                read_declarators();
        } else {
            read_declarators();
        }
        return std::move(found_);
    }

private:
    bool is(std::string_view word, std::size_t ahead = 0) const {
        return at_ + ahead < tokens_.size() && tokens_[at_ + ahead].is(word);
    }

    void end_at(std::size_t token) { found_.last = std::min(token, tokens_.size() - 1); }

    void end_at_semicolon() {
        std::size_t i = at_;
        while (i < tokens_.size() && !tokens_[i].is(";"))
            i = is_open(i) ? closing(tokens_, i) + 1 : i + 1;
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
        if (specialises && found_.function_name.empty() && specialised_.empty())
            found_.outside = true;
    }

    // A specialisation belongs into the namespace of what it specialises.
    void place_specialisation(std::string_view name) {
        specialised_ = name;
        found_.redefines = {{name}};
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
        if (close + 1 < tokens_.size() && tokens_[close + 1].is("{"))
            return end_at(closing(tokens_, close + 1));  // TEST(a, b) { … }
        if ((end == "}" || end == ";") &&
            !(close + 1 < tokens_.size() && tokens_[close + 1].is(";")))
            return end_at(close);
        end_at_semicolon();
    }

    // extern "C" { … }: its functions keep their identity, too.
    void read_linkage_block(std::size_t open) {
        const std::size_t close = closing(tokens_, open);
        for (std::size_t i = open + 1; i < close; ++i) {
            if (tokens_[i].is(";")) continue;
            Declaration inner = read_declaration(tokens_, i, names_);
            for (const auto& [name, kind] : inner.declares)
                if (kind == NameKind::function && inner.body != 0)
                    found_.redefines.push_back({name});
            found_.declares.insert(found_.declares.end(), inner.declares.begin(),
                                   inner.declares.end());
            i = inner.last;
        }
        end_at(close);
    }

    // BEGIN_NAMESPACE int a = 1; END_NAMESPACE: a macro opens a block that another one closes.
    bool opens_block(std::size_t i) const {
        return tokens_[i].kind == TokenKind::word && names_.is_macro(tokens_[i].text) &&
               names_.macro_end(tokens_[i].text) == "{";
    }
    bool closes_block(std::size_t i) const {
        return tokens_[i].kind == TokenKind::word && names_.is_macro(tokens_[i].text) &&
               names_.macro_start(tokens_[i].text) == "}";
    }
    bool read_block_of_macros() {
        int depth = 0;
        for (std::size_t i = at_; i < tokens_.size(); ++i) {
            if (opens_block(i)) ++depth;
            if (closes_block(i) && --depth == 0) {
                end_at(i);
                return true;
            }
            if (is_open(i)) i = closing(tokens_, i);
        }
        return false;
    }

    void read_namespace() {
        const std::size_t open = brace_of_namespace(at_);
        if (open == 0) return end_at_semicolon();  // alias
        end_at(closing(tokens_, open));
        const std::size_t word = is("inline") ? at_ + 2 : at_ + 1;
        if (word >= open || tokens_[word].kind != TokenKind::word) return;  // unnamed
        const std::string_view name = tokens_[word].text;
        found_.declares.emplace_back(name, NameKind::name_space);
        const std::string older = names_.session().cell_namespace(name);
        if (!older.empty())
            reopen(word, {name}, older);
        else if (names_.session().kind_of({name}) == NameKind::name_space &&
                 names_.session().cell_space(name).empty())  // no cell's alias
            found_.outside = true;                           // std, or a library's
    }

    // Earlier cells have opened the namespace whose name is at `word`; `older` names what they put
    // into it, which stays visible in the new one. So it is for the namespaces inside of it:
    // `namespace p::q {` becomes `namespace p { using …; namespace q { using …;`.
    void reopen(std::size_t word, const std::vector<std::string_view>& path,
                const std::string& older) {
        const std::size_t open = brace_of_namespace(word);
        const std::size_t close = closing(tokens_, open);
        const bool nested = tokens_[word + 1].is("::");
        std::vector<std::size_t> inner;  // the names of the namespaces inside of it
        if (nested) inner.push_back(tokens_[word + 2].is("inline") ? word + 3 : word + 2);
        for (std::size_t i = open + 1; i < close && !nested; ++i) {
            if (tokens_[i].is("namespace") && brace_of_namespace(i) != 0 &&
                tokens_[i + 1].kind == TokenKind::word)
                inner.push_back(i + 1);
            if (is_open(i)) i = closing(tokens_, i);
        }
        // The second ; is read once clang knows the directive. See SessionNames::reopened.
        std::string text = " using namespace " + older + ";; _Pragma(\"xcpp reopened";
        for (const std::size_t name : inner) text += " " + std::string(tokens_[name].text);
        text += "\")";
        if (nested) {
            const Token& colons = tokens_[word + 1];
            found_.edits.push_back({colons.begin, colons.end(), " {" + text});
            found_.edits.push_back(
                {tokens_[inner[0]].begin, tokens_[inner[0]].begin, " namespace "});
            found_.edits.push_back({tokens_[close].begin, tokens_[close].begin, "}"});
        } else {
            found_.edits.push_back({tokens_[open].end(), tokens_[open].end(), text});
        }
        for (const std::size_t name : inner) {
            std::vector<std::string_view> inner_path = path;
            inner_path.push_back(tokens_[name].text);
            if (names_.session().kind_of(inner_path) == NameKind::name_space)
                reopen(name, inner_path, older + "::" + std::string(tokens_[name].text));
        }
    }

    // 0 if there is none: `using namespace std;`, `namespace fs = std::filesystem;`
    std::size_t brace_of_namespace(std::size_t at) const {
        while (at < tokens_.size() && !one_of(tokens_[at], {"{", ";", "="})) ++at;
        return at < tokens_.size() && tokens_[at].is("{") ? at : 0;
    }

    void read_alias() {
        if (is("using") && at_ + 2 < tokens_.size() && tokens_[at_ + 2].is("="))
            found_.declares.emplace_back(tokens_[at_ + 1].text, NameKind::type);
        const bool alias_of_type = is("typedef");
        end_at_semicolon();
        std::size_t word = found_.last;
        if (tokens_[word].is(";") && word > 0) --word;
        if (alias_of_type && tokens_[word].kind == TokenKind::word)
            found_.declares.emplace_back(tokens_[word].text, NameKind::type);
        if (!alias_of_type && found_.declares.empty() &&
            tokens_[word].kind == TokenKind::word)  // using std::vector;
            found_.declares.emplace_back(tokens_[word].text, kind_of_used_name(word));
    }

    NameKind kind_of_used_name(std::size_t last) const {
        std::vector<std::string_view> path;
        for (std::size_t i = at_ + 1; i <= last; ++i)
            if (tokens_[i].kind == TokenKind::word) path.push_back(tokens_[i].text);
        return path.empty() ? NameKind::unknown : names_.kind_of(path);
    }

    // `static` would give each later cell a variable of its own: the cell's namespace keeps names
    // apart already. `inline` would leave the order of initialisation open.
    void blank(std::size_t token) {
        found_.edits.push_back({tokens_[token].begin, tokens_[token].end(),
                                std::string(tokens_[token].text.size(), ' ')});
    }

    void read_class() {  // struct, class, union, enum at at_
        const bool enumeration = is("enum");
        const bool is_union = is("union");
        std::size_t i = at_ + 1;
        if (enumeration && i < tokens_.size() && one_of(tokens_[i], {"class", "struct"})) ++i;
        while (i < tokens_.size() &&
               (one_of(tokens_[i], {"alignas", "__attribute__"}) ||
                (tokens_[i].is("[") && i + 1 < tokens_.size() && tokens_[i + 1].is("["))))
            i = closing(tokens_, tokens_[i].is("[") ? i : i + 1) + 1;
        const QualifiedName name = read_name(tokens_, i, names_);
        if (!name.path.empty()) {
            if (name.path.size() == 1 && name.ends_in_arguments && is_template_)
                place_specialisation(name.path.front());
            else if (name.path.size() == 1 && !name.ends_in_arguments)
                found_.declares.emplace_back(
                    name.path.front(), is_template_ ? NameKind::type_template : NameKind::type);
            if (name.path.size() > 1) found_.outside = true;  // a member class defined outside
            i = name.next;
        }
        while (i < tokens_.size() && !one_of(tokens_[i], {"{", ";", "="})) {
            if (tokens_[i].is("(")) return;  // struct X f(…): a function that returns it
            if (tokens_[i].kind == TokenKind::word && i > name.next && !is_template_ &&
                tokens_[i - 1].kind == TokenKind::word && !in_base_list(name.next, i))
                return;
            ++i;
        }
        if (i < tokens_.size() && tokens_[i].is("{")) at_ = closing(tokens_, i) + 1;
        anonymous_union_ = is_union && name.path.empty() && is(";");
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
            const bool compares = token.is("<") && initialised &&
                                  (tokens_[i - 1].kind != TokenKind::word ||
                                   names_.kind_of(path_to(tokens_, i - 1)) == NameKind::variable);
            if (token.is("<") && i > at_ && !compares) {
                const std::size_t close = closing_angle(tokens_, i);
                if (close != i) {
                    if (!initialised && close + 1 < tokens_.size() && tokens_[close + 1].is("(") &&
                        name_at == 0 && tokens_[i - 1].kind == TokenKind::word)
                        name_at = i - 1;
                    i = close;
                    continue;
                }
            }
            if (token.is("(")) {
                const std::size_t inner =
                    initialised || parameters ? 0 : name_in_parentheses(tokens_, at_, i, names_);
                if (inner != 0) {
                    name_at = inner;
                    parameters = tokens_[inner + 1].is("(");  // int (*f(int))(double)
                    i = closing(tokens_, i);
                    if (i + 1 < tokens_.size() && tokens_[i + 1].is("("))
                        i = closing(tokens_, i + 1);
                    continue;
                }
                if (!initialised && !constructor_list && i > first_ &&
                    tokens_[i - 1].kind == TokenKind::word &&
                    !one_of(tokens_[i - 1], {"decltype", "alignas", "noexcept", "__attribute__",
                                             "throw", "requires"})) {
                    if (!parameters && name_at == 0) name_at = i - 1;
                    parameters = true;
                } else if (!initialised && !constructor_list && i > first_ &&
                           (tokens_[i - 1].is(")") || tokens_[i - 1].is(">"))) {
                    parameters = true;  // A<int>::A(…)
                }
                i = closing(tokens_, i);
                continue;
            }
            if (token.is("[")) {
                if (!initialised && i > at_ && tokens_[i - 1].kind == TokenKind::word &&
                    !tokens_[i - 1].is("auto"))
                    name_at = i - 1;
                i = closing(tokens_, i);
                continue;
            }
            if (token.is(":") && parameters && !initialised) constructor_list = true;
            if (token.is("=")) {
                if (!parameters && name_at == 0 && i > 0 && tokens_[i - 1].kind == TokenKind::word)
                    name_at = i - 1;
                initialised = true;
            }
            if (token.is(",") && !constructor_list) {
                if (!initialised && name_at == 0 && tokens_[i - 1].kind == TokenKind::word)
                    name_at = i - 1;
                if (name_at != 0) variables.push_back(tokens_[name_at].text);
                name_at = 0;
                initialised = parameters = false;
            }
            if (token.is("{")) {
                const std::size_t close = closing(tokens_, i);
                const bool member_initialiser =
                    constructor_list &&
                    (tokens_[i - 1].kind == TokenKind::word || tokens_[i - 1].is(">"));
                if (parameters && !initialised && !member_initialiser) {
                    found_.body = body_start(i);
                    finish_function(name_at);
                    const bool returns_zero = is_main(name_at);
                    std::size_t end = close;
                    if (returns_zero) return_zero_at(end);
                    while (end + 1 < tokens_.size() && tokens_[end + 1].is("catch")) {
                        end = closing(tokens_, closing(tokens_, end + 2) + 1);
                        if (returns_zero) return_zero_at(end);
                    }
                    return end_at(end);
                }
                if (!initialised && !parameters && name_at == 0 && i > 0 &&
                    tokens_[i - 1].kind == TokenKind::word)
                    name_at = i - 1;
                if (!constructor_list) initialised = true;
                i = close;
            }
        }
        finish_variables(parameters, initialised, variables, name_at);
        end_at(tokens_.size());
    }

    // int main(…), auto main(…) -> int. C++ lets it end without `return`; but in the cell's
    // namespace it is a function like any other.
    bool is_main(std::size_t name_at) const {
        if (found_.function_name != "main" || name_at == 0) return false;
        const Token& type =
            tokens_[name_at - 1].is("auto") ? tokens_[found_.body - 1] : tokens_[name_at - 1];
        return type.is("int");
    }

    void return_zero_at(std::size_t brace) {
        if (brace >= tokens_.size()) return;
        found_.edits.push_back({tokens_[brace].begin, tokens_[brace].begin, "return 0; "});
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
            } else if (one_of_here({"constexpr", "const", "volatile", "extern", "thread_local",
                                    "__thread", "typename", "register", "friend", "explicit",
                                    "virtual"})) {
                ++at_;
                if (at_ < tokens_.size() && tokens_[at_].kind == TokenKind::literal) ++at_;
            } else {
                break;
            }
        }
        if (one_of_here({"struct", "class", "union", "enum"})) read_class();
    }

    bool one_of_here(std::initializer_list<std::string_view> words) const {
        return at_ < tokens_.size() && one_of(tokens_[at_], words);
    }

    bool qualified(std::size_t word) const { return word > at_ && tokens_[word - 1].is("::"); }

    void finish_function(std::size_t name_at) {
        for (const std::size_t token : storage_)
            if (tokens_[token].is("static")) blank(token);
        if (name_at == 0 || is_member(name_at)) {
            found_.outside = true;
            if (name_at != 0) found_.redefines = {path_to(tokens_, name_at)};
            return;
        }
        if (specialises_) return place_specialisation(tokens_[name_at].text);
        if (tokens_[first_].is("extern")) found_.redefines = {{tokens_[name_at].text}};
        found_.function_name = tokens_[name_at].text;
        found_.declares.emplace_back(tokens_[name_at].text, NameKind::function);
    }

    // Foo::f, Foo::~Foo, Foo::operator=
    bool is_member(std::size_t name_at) const {
        return qualified(name_at) || tokens_[name_at - 1].is("~") ||
               (tokens_[name_at].is("operator") && tokens_[name_at - 1].is("::"));
    }

    void finish_variables(bool parameters, bool initialised,
                          std::vector<std::string_view>& variables, std::size_t name_at) {
        if (name_at == 0 && found_.declares.empty() && !parameters && !initialised) {  // int x;
            std::size_t i = tokens_.size();
            for (std::size_t k = at_; k < tokens_.size() && !tokens_[k].is(";"); ++k) i = k;
            if (i < tokens_.size() && tokens_[i].kind == TokenKind::word) name_at = i;
        }
        if (name_at != 0 && is_member(name_at)) {
            found_.outside = true;  // int Foo::count = 0;
            if (parameters)
                found_.redefines = {path_to(tokens_, name_at)};  // Foo::Foo() = default;
            return;
        }
        const bool prototype =
            parameters && !initialised && !looks_like_arguments(tokens_, name_at, names_);
        if (prototype && variables.empty()) {
            for (const std::size_t token : storage_)
                if (tokens_[token].is("static")) blank(token);
            if (name_at != 0)
                found_.declares.emplace_back(tokens_[name_at].text, NameKind::function);
            return;
        }
        if (anonymous_union_) return;  // C++ wants its `static`
        if (name_at != 0) variables.push_back(tokens_[name_at].text);
        if (variables.empty()) {
            found_.variable = mend_structured_binding(tokens_, at_, found_);
        } else {
            found_.variable = true;
        }
        for (const std::size_t token : storage_) blank(token);
        for (const std::string_view name : variables)
            found_.declares.emplace_back(name, NameKind::variable);
    }

    const std::vector<Token>& tokens_;
    const CellNames& names_;
    const std::size_t first_;
    std::size_t at_;
    std::vector<std::size_t> storage_;
    bool is_template_ = false, specialises_ = false, anonymous_union_ = false;
    std::string_view specialised_;
    Declaration found_;
};

}  // namespace

Declaration read_declaration(const std::vector<Token>& tokens, std::size_t at,
                             const CellNames& names) {
    return DeclarationReader(tokens, at, names).read();
}

}  // namespace xcpp_session
