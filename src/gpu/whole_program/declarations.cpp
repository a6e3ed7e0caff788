#include "declarations.hpp"

#include <algorithm>
#include <array>

namespace lanes::gpu::whole_program {

namespace {

template <std::size_t count>
bool is_one_of(const PlacedToken& token, const std::array<const char*, count>& words) {
    return std::any_of(words.begin(), words.end(),
                       [&](const char* word) { return token.is(word); });
}

constexpr std::array<const char*, 4> class_keys{"struct", "class", "union", "enum"};
// A parenthesis after one of these does not begin the parameters of a function.
constexpr std::array<const char*, 9> with_arguments{
    "__align__", "alignas",     "__attribute__",    "decltype", "__launch_bounds__",
    "noexcept",  "__maxnreg__", "__cluster_dims__", "explicit"};

class Reader {
public:
    explicit Reader(const std::vector<PlacedToken>& tokens) : tokens_(tokens) {}

    // Until `end`, or the closing brace of the scope.
    std::vector<Declaration> read(std::size_t& at, std::size_t end, bool in_class) {
        std::vector<Declaration> all;
        while (at < end && !tokens_[at].is("}")) {
            if (tokens_[at].is(";")) {
                ++at;
                continue;
            }
            const std::size_t first = at;
            all.push_back(is_scope(at, end) ? read_scope(at, end) : read_one(at, end, in_class));
            if (at == first) ++at;
        }
        return all;
    }

private:
    bool is(std::size_t at, const char* what) const {
        return at < tokens_.size() && tokens_[at].is(what);
    }

    // `namespace a::b {`, `inline namespace a {`, `extern "C" {`
    bool is_scope(std::size_t at, std::size_t end) const {
        if (is(at, "extern") && at + 2 < end && tokens_[at + 1].kind == PlacedToken::Kind::literal)
            return tokens_[at + 2].is("{");
        if (is(at, "inline")) ++at;
        if (!is(at, "namespace")) return false;
        while (at < end && !tokens_[at].is("{") && !tokens_[at].is("=") && !tokens_[at].is(";"))
            ++at;
        return is(at, "{");
    }

    Declaration read_scope(std::size_t& at, std::size_t end) {
        Declaration scope;
        scope.kind = Declaration::Kind::scope;
        scope.first = at;
        while (!tokens_[at].is("{")) ++at;
        scope.open = at++;
        scope.members = read(at, end, false);
        scope.close = at < end ? at++ : at - 1;
        scope.last = at;
        return scope;
    }

    // The position after the group that opens at `at`.
    std::size_t behind_group(std::size_t at, std::size_t end) const {
        int depth = 0;
        for (; at < end; ++at) {
            const PlacedToken& token = tokens_[at];
            if (token.is("(") || token.is("[") || token.is("{")) ++depth;
            if ((token.is(")") || token.is("]") || token.is("}")) && --depth == 0) return at + 1;
        }
        return end;
    }

    // The position after `<...>` that opens at `at`.
    std::size_t behind_angles(std::size_t at, std::size_t end) const {
        int depth = 0;
        while (at < end) {
            const PlacedToken& token = tokens_[at];
            if (token.is("(") || token.is("[") || token.is("{")) {
                at = behind_group(at, end);
                continue;
            }
            if (token.is(";")) return at;
            if (token.is("<")) ++depth;
            if (token.is(">") && --depth == 0) return at + 1;
            ++at;
        }
        return end;
    }

    static void note_word(Declaration& found, const PlacedToken& token) {
        if (token.is("__global__")) found.is_global = true;
        if (token.is("__device__") || token.is("__constant__") || token.is("__managed__"))
            found.is_device = true;
        if (token.is("__host__")) found.is_host = true;
        if (token.is("const") || token.is("constexpr")) found.is_constant = true;
        if (token.is("constexpr")) found.is_constexpr = true;
    }

    Declaration read_one(std::size_t& at, std::size_t end, bool in_class) {
        Declaration found;
        found.first = at;
        if (in_class && at + 1 < end && tokens_[at + 1].is(":") &&
            (is(at, "public") || is(at, "private") || is(at, "protected"))) {
            at += 2;
            found.last = at;
            return found;
        }
        while (is(at, "template")) {
            ++at;
            if (is(at, "<")) at = behind_angles(at, end);
        }
        const std::size_t begin = at;
        if (is(at, "using") || is(at, "typedef") || is(at, "namespace"))
            found.kind = Declaration::Kind::alias;
        std::size_t parameters = 0;  // the opening parenthesis
        std::size_t value = 0;       // the = of a variable
        bool initialisers = false;   // between `A::A() :` and the body
        bool is_class = false;
        for (; at < end; ++at) {
            const PlacedToken& token = tokens_[at];
            if (token.is("}")) break;
            note_word(found, token);
            if (token.is(";")) {
                ++at;
                break;
            }
            if (token.is("operator")) {  // operator(), operator<, …: up to the parameters
                std::size_t next = at + 1;
                if (is(next, "(") && is(next + 1, ")")) next += 2;
                while (next < end && !tokens_[next].is("(") && !tokens_[next].is(";")) ++next;
                found.names.push_back(token.text);
                at = next - 1;
                continue;
            }
            if (token.is("=") && !parameters && !value) value = at;
            if (token.is("=") && parameters && at + 1 < end && !value) found.is_defaulted = true;
            if (token.is(":") && parameters) initialisers = true;
            if (is_one_of(token, class_keys) && !parameters && !value) is_class = true;
            if (token.is("<") && !value && at > begin && tokens_[at - 1].is_word()) {
                const std::size_t behind = behind_angles(at, end);
                if (behind > at && tokens_[behind - 1].is(">")) {
                    at = behind - 1;
                    continue;
                }
            }
            if (token.is("(")) {
                const bool of_function = !value && at > begin && !parameters &&
                                         !is_one_of(tokens_[at - 1], with_arguments) &&
                                         found.kind != Declaration::Kind::alias;
                // float (*f)(int) is a variable
                if (of_function && !is(at + 1, "*")) parameters = at;
                at = behind_group(at, end) - 1;
                continue;
            }
            if (token.is("[")) {
                at = behind_group(at, end) - 1;
                continue;
            }
            if (!token.is("{")) continue;
            const std::size_t behind = behind_group(at, end);
            if (parameters) {
                const PlacedToken& before = tokens_[at - 1];
                if (initialisers && (before.is_word() || before.is(">"))) {
                    at = behind - 1;
                    continue;
                }
                found.kind = Declaration::Kind::function;
                found.open = at;
                found.close = behind - 1;
                at = behind;
                break;
            }
            if (is_class && !value && found.open == 0) {
                found.open = at;
                found.close = behind - 1;
            }
            at = behind - 1;
        }
        at = std::min(at, end);
        found.last = at;
        classify(found, begin, parameters, value, is_class);
        return found;
    }

    void classify(Declaration& found, std::size_t begin, std::size_t parameters, std::size_t value,
                  bool is_class) {
        using Kind = Declaration::Kind;
        if (parameters) {
            found.kind = Kind::function;
            if (tokens_[parameters - 1].is_word())
                found.names.push_back(tokens_[parameters - 1].text);
            if (is(parameters - 1, "static_assert")) found.kind = Kind::other;
            return;
        }
        if (found.kind == Kind::alias) {
            name_alias(found, begin);
        } else if (is_class && (found.open || is_forward(found, begin))) {
            found.kind = Kind::type;
            name_type(found, begin);
        } else {
            found.kind = Kind::variable;
            name_variables(found, begin, value);
        }
        if (found.open && found.kind != Kind::variable) {
            std::size_t inside = found.open + 1;
            const bool is_enum = is(begin, "enum") || is(begin + 1, "enum");
            if (is_enum)
                name_enumerators(found);
            else
                found.members = read(inside, found.close, true);
        }
    }

    bool is_forward(const Declaration& found, std::size_t begin) const {
        return found.last - begin <= 3;  // struct S;
    }

    void name_alias(Declaration& found, std::size_t begin) {
        if (is(begin, "using") || is(begin, "namespace")) {
            if (is(begin + 1,
                   "namespace")) {  // always kept, unless it is a part of the host's library
                if (is(begin + 2, "std") && is(begin + 3, "::"))
                    found.kind = Declaration::Kind::other;
                return;
            }
            std::size_t at = begin + 1;
            while (at < found.last && !tokens_[at].is("=")) ++at;
            if (at < found.last)
                found.names.push_back(tokens_[begin + 1].text);
            else if (found.last >= begin + 3)
                found.names.push_back(tokens_[found.last - 2].text);
            return;
        }
        // typedef: the last word, or the one of `(*name)`
        for (std::size_t at = begin; at + 1 < found.last; ++at)
            if (tokens_[at].is("*") && at > begin && tokens_[at - 1].is("(") &&
                tokens_[at + 1].is_word())
                found.names.push_back(tokens_[at + 1].text);
        std::size_t open = begin;
        while (open < found.last && !tokens_[open].is("{")) ++open;
        if (open < found.last) {  // typedef struct S {…} T;
            found.open = open;
            found.close = behind_group(open, found.last) - 1;
            name_type(found, begin + 1);
        }
        for (std::size_t at = found.close ? found.close : begin; at + 1 < found.last; ++at)
            if (tokens_[at].is_word() &&
                (tokens_[at + 1].is(";") || tokens_[at + 1].is("[") || tokens_[at + 1].is(",")))
                found.names.push_back(tokens_[at].text);
    }

    void name_type(Declaration& found, std::size_t begin) {
        const std::size_t end = found.open ? found.open : found.last;
        for (std::size_t at = begin; at < end; ++at) {
            if (tokens_[at].is(":")) break;  // base classes
            if (tokens_[at].is("(") || tokens_[at].is("[")) {
                at = behind_group(at, end) - 1;
                continue;
            }
            if (tokens_[at].is("<")) {
                at = behind_angles(at, end) - 1;
                continue;
            }
            if (tokens_[at].is_word() && !is_one_of(tokens_[at], class_keys) &&
                !is_one_of(tokens_[at], with_arguments))
                found.names.push_back(tokens_[at].text);
        }
        if (!found.close) return;
        for (std::size_t at = found.close + 1; at < found.last; ++at)
            if (tokens_[at].is_word()) found.names.push_back(tokens_[at].text);
    }

    void name_enumerators(Declaration& found) {
        for (std::size_t at = found.open + 1; at < found.close; ++at)
            if (tokens_[at].is_word() && (tokens_[at - 1].is("{") || tokens_[at - 1].is(",")))
                found.names.push_back(tokens_[at].text);
    }

    void name_variables(Declaration& found, std::size_t begin, std::size_t value) {
        int depth = 0;
        for (std::size_t at = begin; at + 1 < found.last; ++at) {
            const PlacedToken& token = tokens_[at];
            const PlacedToken& next = tokens_[at + 1];
            if (token.is("{") || token.is("(") || token.is("[")) ++depth;
            if (token.is("}") || token.is(")") || token.is("]")) --depth;
            const bool pointer_to = depth == 1 && next.is(")") && at > begin &&
                                    tokens_[at - 1].is("*") && (!value || at < value);
            if (token.is_word() &&
                (pointer_to || (depth == 0 && (next.is("=") || next.is("[") || next.is("{") ||
                                               next.is(";") || next.is(",") || next.is("(")))))
                found.names.push_back(token.text);
        }
    }

    const std::vector<PlacedToken>& tokens_;
};

}  // namespace

std::vector<Declaration> read_declarations(const std::vector<PlacedToken>& tokens) {
    std::size_t at = 0;
    std::vector<Declaration> all;
    while (at < tokens.size()) {
        std::vector<Declaration> more = Reader(tokens).read(at, tokens.size(), false);
        all.insert(all.end(), std::make_move_iterator(more.begin()),
                   std::make_move_iterator(more.end()));
        ++at;  // a closing brace without an opening one: the compiler will report it
    }
    return all;
}

}  // namespace lanes::gpu::whole_program
