#include "classify.hpp"
#include "grammar.hpp"

#include <algorithm>
#include <string>

namespace xcpp_session {
namespace {

// Reads one declaration from its first token to its last.
class DeclarationReader {
public:
    DeclarationReader(const Tokens& tokens, std::size_t at, const CellNames& names)
        : tokens_(tokens), names_(names), first_(at), at_(at) {
        piece_.kind = PieceKind::declaration;
    }

    Declaration read() {
        skip_attributes();
        const auto macro = macro_at(at_);
        if (macro && macro->end == "{" && read_block_of_macros()) return std::move(found_);
        if (macro && is("(", 1)) {
            read_macro(macro->end);
        } else if (is("template")) {
            read_template();
        } else if (is("namespace") || (is("inline") && is("namespace", 1))) {
            read_namespace();
        } else if (is("using") && is("namespace", 1)) {
            put_outside();
            end_at_semicolon();
        } else if (is("using") || is("typedef")) {
            read_alias();
        } else if (is("extern") && tokens_[at_ + 1].kind == TokenKind::literal && is("{", 2)) {
            read_linkage_block(at_ + 2);
        } else {
            read_declarators();
        }
        return std::move(found_);
    }

private:
    const Token& here() const { return tokens_[at_]; }
    bool is(std::string_view word, std::size_t ahead = 0) const {
        return tokens_[at_ + ahead].is(word);
    }
    bool is_word(std::size_t i) const { return tokens_[i].is_word(); }
    std::optional<Macro> macro_at(std::size_t i) const {
        return is_word(i) ? names_.macro(tokens_[i].text) : std::nullopt;
    }

    void end_at(std::size_t token) { piece_.last = std::min(token, tokens_.size() - 1); }
    void end_at_semicolon() { end_at(tokens_.find(at_, {";"})); }
    void put_outside() { piece_.kind = PieceKind::outside; }
    void declare(std::size_t word, NameKind kind) {
        found_.declares.emplace_back(tokens_[word].text, kind);
    }
    void insert(std::size_t place, std::string text) {
        found_.edits.push_back({place, place, std::move(text)});
    }

    // Where it goes on after [[…]], alignas(…) and __attribute__((…)).
    std::size_t after_attributes(std::size_t i) const {
        for (;;) {
            if (tokens_[i].is("[") && tokens_[i + 1].is("["))
                i = tokens_.after(i);
            else if (tokens_[i].is_one_of({"__attribute__", "alignas"}) && tokens_[i + 1].is("("))
                i = tokens_.after(i + 1);
            else if (tokens_[i].kind == TokenKind::directive)
                ++i;
            else
                return i;
        }
    }
    void skip_attributes() { at_ = after_attributes(at_); }

    void read_template() {
        while (is("template")) {
            ++at_;
            if (!is("<")) {  // explicit instantiation
                put_outside();
                return end_at_semicolon();
            }
            const std::size_t close = tokens_.closing_angle(at_);
            if (close == at_) return end_at_semicolon();
            if (close == at_ + 1) specialises_ = true;
            at_ = close + 1;
            if (is("requires")) ++at_;
        }
        is_template_ = true;
        read_declarators();
        if (specialises_ && piece_.name.empty() && !specialises_name_) put_outside();
    }

    // A specialisation belongs into the namespace of what it specialises.
    void place_specialisation(std::string_view name) {
        specialises_name_ = true;
        piece_.redefines = {{name}};
        found_.declares.clear();
        if (names_.declares(name)) return;
        put_outside();
        piece_.space = names_.session().cell_space(name);
    }

    // MAKE_GETTER(name, 7): ends with its parenthesis if the macro brings the end with it.
    void read_macro(const std::string& end) {
        const std::size_t behind = tokens_.after(at_ + 1);
        piece_.variable = end != "}";
        if (tokens_[behind].is("{"))
            end_at(tokens_.closing(behind));  // TEST(a, b) { … }
        else if ((end == "}" || end == ";") && !tokens_[behind].is(";"))
            end_at(behind - 1);
        else
            end_at_semicolon();
    }

    // extern "C" { … }: its functions keep their identity, too. A variable that it defines stands
    // outside of it: with C linkage there could be no second one of its name, in any namespace.
    void read_linkage_block(std::size_t open) {
        const std::size_t close = tokens_.closing(open);
        for (std::size_t i = open + 1; i < close; ++i) {
            if (tokens_[i].is(";")) continue;
            const Declaration inner = read_declaration(tokens_, i, names_);
            for (const auto& [name, kind] : inner.declares) {
                if (kind == NameKind::function && inner.piece.body != 0)
                    piece_.redefines.push_back({name});
                found_.declares.emplace_back(name, kind);
            }
            if (inner.piece.variable && !tokens_[i].is("extern")) {
                insert(tokens_[i].begin, "} ");
                insert(tokens_[inner.piece.last].end(), " extern \"C\" {");
            }
            i = inner.piece.last;
        }
        end_at(close);
    }

    // BEGIN_NAMESPACE int a = 1; END_NAMESPACE: a macro opens a block that another one closes.
    bool read_block_of_macros() {
        int depth = 0;
        for (std::size_t i = at_; i < tokens_.size(); i = tokens_.after(i)) {
            const auto macro = macro_at(i);
            if (macro && macro->end == "{") ++depth;
            if (macro && macro->start == "}" && --depth == 0) {
                end_at(i);
                return true;
            }
        }
        return false;
    }

    void read_namespace() {
        const std::size_t open = brace_of_namespace(at_);
        if (open == 0) return end_at_semicolon();  // alias
        end_at(tokens_.closing(open));
        const std::size_t word = is("inline") ? at_ + 2 : at_ + 1;
        if (word >= open || !is_word(word)) return;  // unnamed
        const std::string_view name = tokens_[word].text;
        declare(word, NameKind::name_space);
        const std::string older = names_.session().cell_namespace(name);
        if (!older.empty())
            reopen(word, {name}, older);
        else if (names_.session().kind_of({name}) == NameKind::name_space &&
                 names_.session().cell_space(name).empty())  // no cell's alias
            put_outside();                                   // std, or a library's
    }

    // Earlier cells have opened the namespace whose name is at `word`; `older` names what they put
    // into it, which stays visible in the new one. So it is for the namespaces inside of it:
    // `namespace p::q {` becomes `namespace p { using …; namespace q { using …;`.
    void reopen(std::size_t word, const std::vector<std::string_view>& path,
                const std::string& older) {
        const std::size_t open = brace_of_namespace(word);
        const std::size_t close = tokens_.closing(open);
        const bool nested = tokens_[word + 1].is("::");
        std::vector<std::size_t> inner;  // the names of the namespaces inside of it
        if (nested) inner.push_back(tokens_[word + 2].is("inline") ? word + 3 : word + 2);
        for (std::size_t i = open + 1; i < close && !nested; i = tokens_.after(i))
            if (tokens_[i].is("namespace") && brace_of_namespace(i) != 0 && is_word(i + 1))
                inner.push_back(i + 1);
        // The second ; is read once clang knows the directive. See SessionNames::reopened.
        std::string text = " using namespace " + older + ";; _Pragma(\"xcpp reopened";
        for (const std::size_t name : inner) text += " " + std::string(tokens_[name].text);
        text += "\")";
        if (nested) {
            const Token& colons = tokens_[word + 1];
            found_.edits.push_back({colons.begin, colons.end(), " {" + text});
            insert(tokens_[inner[0]].begin, " namespace ");
            insert(tokens_[close].begin, "}");
        } else {
            insert(tokens_[open].end(), text);
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
        const std::size_t found = tokens_.find(at, {"{", ";", "="});
        return tokens_[found].is("{") ? found : 0;
    }

    void read_alias() {
        end_at_semicolon();
        const std::size_t word = tokens_[piece_.last].is(";") ? piece_.last - 1 : piece_.last;
        if (is("using") && is("=", 2)) {
            declare(at_ + 1, NameKind::type);
        } else if (is_word(word) && is("typedef")) {
            declare(word, NameKind::type);
        } else if (is_word(word)) {  // using std::vector;
            std::vector<std::string_view> path;
            for (std::size_t i = at_ + 1; i <= word; ++i)
                if (is_word(i)) path.push_back(tokens_[i].text);
            declare(word, path.empty() ? NameKind::unknown : names_.kind_of(path));
        }
    }

    void read_class() {  // struct, class, union, enum at at_
        const bool is_union = is("union");
        std::size_t i = at_ + 1;
        if (is("enum") && tokens_[i].is_one_of({"class", "struct"})) ++i;
        const QualifiedName name = read_name(tokens_, after_attributes(i), names_);
        if (name.path.size() > 1) {
            put_outside();  // a member class defined outside
        } else if (!name.path.empty()) {
            if (!name.ends_in_arguments)
                found_.declares.emplace_back(
                    name.path.front(), is_template_ ? NameKind::type_template : NameKind::type);
            else if (is_template_)
                place_specialisation(name.path.front());
        }
        bool has_bases = false;
        for (i = name.next; i < tokens_.size() && !tokens_[i].is_one_of({"{", ";", "="}); ++i) {
            if (tokens_[i].is("(")) return;  // struct X f(…): a function that returns it
            if (is_word(i) && i > name.next && !is_template_ && is_word(i - 1) && !has_bases)
                return;
            has_bases = has_bases || tokens_[i].is_one_of({":", "final"});
        }
        if (tokens_[i].is("{")) at_ = tokens_.after(i);
        anonymous_union_ = is_union && name.path.empty() && is(";");
    }

    void specifiers() {
        for (;;) {
            skip_attributes();
            if (is("static") || (is("inline") && !is("namespace", 1))) {
                storage_.push_back(at_++);
            } else if (here().is_one_of({"constexpr", "const", "volatile", "extern", "thread_local",
                                         "__thread", "typename", "register", "friend", "explicit",
                                         "virtual"})) {
                ++at_;
                if (here().kind == TokenKind::literal) ++at_;
            } else {
                break;
            }
        }
        if (here().is_one_of({"struct", "class", "union", "enum"})) read_class();
    }

    // The declarators from at_ on, up to ';' or the end of a function's body.
    void read_declarators() {
        specifiers();
        for (std::size_t i = at_; i < tokens_.size(); ++i) {
            const Token& token = tokens_[i];
            if (token.is(";")) {
                finish_variables();
                return end_at(i);
            }
            if (token.is("operator") && !initialised_) {
                name_at_ = i;
                parameters_ = true;
                std::size_t open = tokens_[i + 1].is("(") ? i + 3 : i + 1;  // operator()
                while (open < tokens_.size() && !tokens_[open].is("(")) ++open;
                i = tokens_.closing(open);
            } else if (token.is("<") && i > at_ && !compares(i) && tokens_.closing_angle(i) != i) {
                const std::size_t close = tokens_.closing_angle(i);
                if (!initialised_ && tokens_[close + 1].is("(")) name_is_before(i);
                i = close;
            } else if (token.is("(")) {
                i = read_parenthesis(i);
            } else if (token.is("[")) {
                if (!initialised_ && i > at_ && is_word(i - 1) && !tokens_[i - 1].is("auto"))
                    name_at_ = i - 1;
                i = tokens_.closing(i);
            } else if (token.is(":") && parameters_ && !initialised_) {
                constructor_list_ = true;
            } else if (token.is("=")) {
                if (!parameters_) name_is_before(i);
                initialised_ = true;
            } else if (token.is(",") && !constructor_list_) {
                if (!initialised_) name_is_before(i);
                if (name_at_ != 0) variables_.push_back(name_at_);
                name_at_ = 0;
                initialised_ = parameters_ = false;
            } else if (token.is("{")) {
                const bool member_initialiser =
                    constructor_list_ && (is_word(i - 1) || tokens_[i - 1].is(">"));
                if (parameters_ && !initialised_ && !member_initialiser) return finish_function(i);
                if (!initialised_ && !parameters_) name_is_before(i);
                if (!constructor_list_) initialised_ = true;
                i = tokens_.closing(i);
            }
        }
        finish_variables();
        end_at(tokens_.size());
    }

    // The declared name, unless it is known already.
    void name_is_before(std::size_t i) {
        if (name_at_ == 0 && i > 0 && is_word(i - 1)) name_at_ = i - 1;
    }

    // In an initialiser: `x < y` compares, `f<int>` does not.
    bool compares(std::size_t i) const {
        return initialised_ &&
               (!is_word(i - 1) || names_.kind_of(path_to(tokens_, i - 1)) == NameKind::variable);
    }

    // Parameters, arguments or a declarator in parentheses. Gives its last token.
    std::size_t read_parenthesis(std::size_t i) {
        const std::size_t inner =
            initialised_ || parameters_ ? 0 : name_in_parentheses(tokens_, at_, i, names_);
        const std::size_t close = tokens_.closing(i);
        if (inner != 0) {
            name_at_ = inner;
            parameters_ = tokens_[inner + 1].is("(");  // int (*f(int))(double)
            return tokens_[close + 1].is("(") ? tokens_.closing(close + 1) : close;
        }
        if (initialised_ || constructor_list_ || i <= first_) return close;
        const Token& before = tokens_[i - 1];
        if (before.is_word() && !before.is_one_of({"decltype", "alignas", "noexcept",
                                                   "__attribute__", "throw", "requires"})) {
            if (!parameters_) name_is_before(i);
            parameters_ = true;
        } else if (before.is_one_of({")", ">"})) {
            parameters_ = true;  // A<int>::A(…)
        }
        return close;
    }

    // A function whose body opens at `brace`.
    void finish_function(std::size_t brace) {
        piece_.body = body_start(brace);
        name_function();
        const bool returns_zero = is_main();
        std::size_t end = tokens_.closing(brace);
        if (returns_zero) return_zero_at(end);
        while (tokens_[end + 1].is("catch")) {
            end = tokens_.closing(tokens_.after(end + 2));
            if (returns_zero) return_zero_at(end);
        }
        end_at(end);
    }

    // The declarator ends before the body, a constructor's initialisers or `try`.
    std::size_t body_start(std::size_t brace) const {
        std::size_t i = at_;
        while (i < brace && !tokens_[i].is_one_of({"try", ":"})) i = tokens_.after(i);
        return std::min(i, brace);
    }

    void name_function() {
        blank_static();
        if (name_at_ == 0 || is_member()) {
            put_outside();
            if (name_at_ != 0) piece_.redefines = {path_to(tokens_, name_at_)};
            return;
        }
        const std::string_view name = tokens_[name_at_].text;
        if (specialises_) return place_specialisation(name);
        if (tokens_[first_].is("extern")) piece_.redefines = {{name}};
        piece_.name = name;
        declare(name_at_, NameKind::function);
    }

    // int main(…), auto main(…) -> int. C++ lets it end without `return`; but in the cell's
    // namespace it is a function like any other.
    bool is_main() const {
        if (piece_.name != "main") return false;
        const bool trailing = tokens_[name_at_ - 1].is("auto");
        return tokens_[(trailing ? piece_.body : name_at_) - 1].is("int");
    }

    void return_zero_at(std::size_t brace) {
        if (brace < tokens_.size()) insert(tokens_[brace].begin, "return 0; ");
    }

    // Foo::f, Foo::~Foo, Foo::operator=
    bool is_member() const {
        return tokens_[name_at_ - 1].is("~") ||
               (tokens_[name_at_ - 1].is("::") &&
                (name_at_ > at_ || tokens_[name_at_].is("operator")));
    }

    void finish_variables() {
        if (name_at_ == 0 && found_.declares.empty() && !parameters_ && !initialised_) {  // int x;
            std::size_t end = at_;
            while (end < tokens_.size() && !tokens_[end].is(";")) ++end;
            if (end > at_) name_is_before(end);
        }
        if (name_at_ != 0 && is_member()) {
            put_outside();  // int Foo::count = 0;
            if (parameters_)
                piece_.redefines = {path_to(tokens_, name_at_)};  // Foo::Foo() = default;
            return;
        }
        const bool prototype =
            parameters_ && !initialised_ && !looks_like_arguments(tokens_, name_at_, names_);
        if (prototype && variables_.empty()) {
            blank_static();
            if (name_at_ != 0) declare(name_at_, NameKind::function);
            return;
        }
        if (anonymous_union_) return;  // C++ wants its `static`
        if (name_at_ != 0) variables_.push_back(name_at_);
        piece_.variable = !variables_.empty() || replace_structured_binding();
        // `static` would give each later cell a variable of its own: the cell's namespace keeps
        // names apart already. `inline` would leave the order of initialisation open.
        for (const std::size_t token : storage_) blank(token);
        for (const std::size_t name : variables_) declare(name, NameKind::variable);
    }

    // auto [a, b] = f();  ->  auto [a__xcpp, b__xcpp] = f(); auto&& a = a__xcpp; auto&& b =
    // b__xcpp; clang 19 with -fopenmp crashes on a function that uses a structured binding of
    // namespace scope. False where there is none.
    bool replace_structured_binding() {
        std::size_t open = at_;
        while (tokens_[open].is_one_of({"auto", "const", "&", "&&"})) ++open;
        if (open == at_ || !tokens_[open].is("[")) return false;
        const std::size_t close = tokens_.closing(open);
        std::string references;
        for (std::size_t i = open + 1; i < close; ++i) {
            if (!is_word(i)) continue;
            const std::string name(tokens_[i].text);
            insert(tokens_[i].end(), "__xcpp");
            declare(i, NameKind::variable);
            references.append(" auto&& ").append(name).append(" = ").append(name).append("__xcpp;");
        }
        const std::size_t end = tokens_.find(close, {";"});
        if (end < tokens_.size())
            insert(tokens_[end].end(), references);
        else
            insert(tokens_.back().end(), ";" + references);
        return true;
    }

    void blank(std::size_t token) {
        const Token& word = tokens_[token];
        found_.edits.push_back({word.begin, word.end(), std::string(word.text.size(), ' ')});
    }

    void blank_static() {
        for (const std::size_t token : storage_)
            if (tokens_[token].is("static")) blank(token);
    }

    const Tokens& tokens_;
    const CellNames& names_;
    const std::size_t first_;
    std::size_t at_;
    std::vector<std::size_t> storage_;  // static and inline
    bool is_template_ = false, specialises_ = false, specialises_name_ = false;
    bool anonymous_union_ = false;
    // Of the declarator that is being read.
    bool parameters_ = false;   // a function's parameter list was seen
    bool initialised_ = false;  // after '='
    bool constructor_list_ = false;
    std::size_t name_at_ = 0;
    std::vector<std::size_t> variables_;  // those before it
    Declaration found_;
    Piece& piece_ = found_.piece;
};

}  // namespace

Declaration read_declaration(const Tokens& tokens, std::size_t at, const CellNames& names) {
    return DeclarationReader(tokens, at, names).read();
}

}  // namespace xcpp_session
