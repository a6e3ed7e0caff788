#include "signature.hpp"

#include "parameter.hpp"
#include "preprocessor.hpp"
#include "type_names.hpp"

#include <algorithm>
#include <set>

namespace lanes::gpu {

namespace {

using Tokens = std::vector<Token>;

// Words that are followed by brackets but are not names of functions.
bool takes_brackets(const Token& token) {
    static const std::set<std::string> words{
        "__launch_bounds__", "__attribute__", "__cluster_dims__", "__block_size__", "__maxnreg__",
        "alignas",           "__align__",     "decltype",         "noexcept",       "__declspec"};
    return token.is_identifier() && words.count(token.text) > 0;
}

std::size_t closing(const Tokens& tokens, std::size_t open, const char* opens, const char* closes) {
    int depth = 0;
    for (std::size_t i = open; i < tokens.size(); ++i) {
        if (tokens[i].is(opens)) ++depth;
        if (tokens[i].is(closes) && --depth == 0) return i;
    }
    return tokens.size();
}

// End of a template list that opens at `open`. Other brackets inside hide their own < and >.
std::size_t closing_angle(const Tokens& tokens, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < tokens.size(); ++i) {
        if (tokens[i].is("(")) i = closing(tokens, i, "(", ")");
        if (i >= tokens.size()) break;
        if (tokens[i].is("<")) ++depth;
        if (tokens[i].is(">") && --depth == 0) return i;
    }
    return tokens.size();
}

class Reader {
public:
    explicit Reader(Tokens tokens) : tokens_(std::move(tokens)) {}

    Declarations run() {
        while (position_ < tokens_.size()) {
            if (take("}")) {
                if (!scopes_.empty()) scopes_.pop_back();
            } else if (!take(";") && !opens_namespace() && !opens_extern_c()) {
                declaration();
            }
        }
        for (Signature& signature : found_.signatures) signature.aliases = aliases_;
        return std::move(found_);
    }

private:
    struct Scope {
        std::string name;
        bool extern_c;
    };

    const Token& at(std::size_t i) const {
        static const Token none;
        return i < tokens_.size() ? tokens_[i] : none;
    }

    bool take(const char* what) {
        if (!at(position_).is(what)) return false;
        ++position_;
        return true;
    }

    bool opens_namespace() {
        std::size_t i = position_ + (at(position_).is("inline") ? 1 : 0);
        if (!at(i).is("namespace")) return false;
        std::string name;
        for (++i; i < tokens_.size() && !at(i).is("{") && !at(i).is(";"); ++i) {
            if (at(i).is("=")) return false;  // an alias, parsed as a declaration
            if (at(i).is_identifier() || at(i).is("::")) name += at(i).text;
        }
        if (at(i).is("{"))
            scopes_.push_back({name, scopes_.empty() ? false : scopes_.back().extern_c});
        position_ = i + 1;
        return true;
    }

    bool opens_extern_c() {
        if (!at(position_).is("extern") || at(position_ + 1).text != "\"C\"" ||
            !at(position_ + 2).is("{"))
            return false;
        scopes_.push_back({"", true});
        position_ += 3;
        return true;
    }

    std::string scope() const {
        std::string text;
        for (const Scope& scope : scopes_)
            if (!scope.name.empty()) text += (text.empty() ? "" : "::") + scope.name;
        return text;
    }

    // The last token of an operator's name: `operator+=`, `operator()`, `operator float`.
    std::size_t end_of_operator_name(std::size_t i) const {
        if (at(i + 1).is("(")) return i + 2;
        while (i + 1 < tokens_.size() && !at(i + 1).is("(")) ++i;
        return i;
    }

    // Parses from position_ to the ';' or to the end of the body.
    void declaration() {
        const std::size_t first = position_;
        std::size_t i = first, body = 0;
        bool function = false, assigned = false;
        for (; i < tokens_.size() && !at(i).is(";") && !at(i).is("}"); ++i) {
            if (at(i).is("template") && at(i + 1).is("<")) {
                i = closing_angle(tokens_, i + 1);
            } else if (at(i).is("(")) {
                function = function || (i > first && !assigned && !takes_brackets(at(i - 1)));
                i = closing(tokens_, i, "(", ")");
            } else if (at(i).is("[")) {
                i = closing(tokens_, i, "[", "]");
            } else if (at(i).is("operator")) {
                i = end_of_operator_name(i);
            } else if (at(i).is("=")) {
                assigned = true;
            } else if (at(i).is("{")) {
                body = body ? body : i;
                i = closing(tokens_, i, "{", "}");
                if (function && !assigned) break;
            }
        }
        const std::size_t head_end = body && function ? body : std::min(i, tokens_.size());
        position_ = at(i).is("}") && !body ? i : i + 1;
        if (position_ == first) ++position_;
        read(first, head_end, body != 0, function);
    }

    void read(std::size_t first, std::size_t last, bool has_body, bool function) {
        const auto begin = tokens_.begin() + static_cast<std::ptrdiff_t>(first),
                   end = tokens_.begin() + static_cast<std::ptrdiff_t>(last);
        const auto has = [&](const char* what) {
            return std::any_of(begin, end, [&](const Token& token) { return token.is(what); });
        };
        if (at(first).is("using") || at(first).is("typedef")) return alias(first, last);
        if (has("__global__") && has_body && function) return global_function(first, last);
        if (!function && (has("__constant__") || has("__device__") || has("__managed__")))
            variables(first, last);
    }

    void alias(std::size_t first, std::size_t last) {
        if (at(first).is("using") && at(first + 2).is("=")) {
            aliases_[at(first + 1).text] = spelled(tokens_, first + 3, last);
        } else if (at(first).is("typedef") && last > first + 2 && at(last - 1).is_identifier()) {
            aliases_[at(last - 1).text] = spelled(tokens_, first + 1, last - 1);
        }
    }

    void template_list(Signature& signature, std::size_t open, std::size_t close) const {
        signature.is_template = true;
        for (const Tokens& item : split_at_commas(tokens_, open + 1, close)) {
            const auto equals = at_top(item, 0, item.size(), "=");
            const std::size_t end = equals.empty() ? item.size() : equals.front();
            std::string name;
            if (end > 1 && item[end - 1].is_identifier()) name = item[end - 1].text;
            signature.template_parameters.push_back(name);
            signature.template_defaults.push_back(
                equals.empty() ? "" : spelled(item, end + 1, item.size()));
        }
    }

    void global_function(std::size_t first, std::size_t last) {
        Signature signature;
        std::size_t i = first;
        while (at(i).is("template")) {
            if (!at(i + 1).is("<")) return;  // an explicit instantiation
            const std::size_t close = closing_angle(tokens_, i + 1);
            // A specialisation: its parameters are those of the template.
            if (close == i + 2) return;
            template_list(signature, i + 1, close);
            i = close + 1;
        }
        signature.extern_c = !scopes_.empty() && scopes_.back().extern_c;
        bool global = false, returns = false;  // an unknown macro may precede both
        for (; i < last; ++i) {
            global = global || at(i).is("__global__");
            returns = returns || at(i).is("void");
            if (at(i).is("extern") && at(i + 1).text == "\"C\"") signature.extern_c = true;
            if (at(i).is("[")) i = closing(tokens_, i, "[", "]");
            if (takes_brackets(at(i)) && at(i + 1).is("("))
                i = closing(tokens_, i + 1, "(", ")");
            else if (global && returns && at(i).is_identifier() && at(i + 1).is("("))
                break;
        }
        if (i >= last) return;
        signature.name = at(i).text;
        signature.scope = scope();
        signature.line = at(i).line;
        const std::size_t close = closing(tokens_, i + 1, "(", ")");
        const auto items = split_at_commas(tokens_, i + 2, close);
        if (!(items.size() == 1 && items[0].size() == 1 && items[0][0].is("void")))
            for (const Tokens& item : items)
                signature.parameters.push_back(read_parameter(item, aliases_));
        found_.signatures.push_back(std::move(signature));
    }

    void variables(std::size_t first, std::size_t last) {
        static const std::set<std::string> skipped{
            "static",       "extern",     "const",       "constexpr",    "volatile", "inline",
            "__constant__", "__device__", "__managed__", "__restrict__", "struct"};
        Variable variable;
        Tokens rest;
        for (std::size_t i = first; i < last; ++i) {
            if (at(i).is("__constant__")) variable.constant = true;
            if (at(i).is("template")) return;
            if (takes_brackets(at(i)) && at(i + 1).is("("))
                i = closing(tokens_, i + 1, "(", ")");
            else if (at(i).kind != Token::Kind::literal && skipped.count(at(i).text) == 0)
                rest.push_back(at(i));
        }
        if (!rest.empty() && (rest[0].is("class") || rest[0].is("union") || rest[0].is("enum")))
            return;
        variable.scope = scope();
        for (const Tokens& item : split_at_commas(rest, 0, rest.size())) {
            std::size_t end = 0;
            while (end < item.size() && !item[end].is("[") && !item[end].is("=") &&
                   !item[end].is("{"))
                ++end;
            if (end == 0 || !item[end - 1].is_identifier()) continue;
            if (variable.type.empty()) {
                if (end < 2) return;
                variable.type = spelled(item, 0, end - 1);
                if (const auto alias = aliases_.find(variable.type); alias != aliases_.end())
                    variable.type = alias->second;
                variable.tag = tag_of_spelling(variable.type);
            }
            variable.name = item[end - 1].text;
            variable.line = item[end - 1].line;
            found_.variables.push_back(variable);
        }
    }

    Tokens tokens_;
    std::size_t position_ = 0;
    std::vector<Scope> scopes_;
    Aliases aliases_;
    Declarations found_;
};

struct NameExpression {
    std::string scope, name;
    bool has_arguments = false;
    std::vector<std::string> arguments;
};

NameExpression read_name(const std::string& text) {
    const Tokens tokens = tokenize(text);
    NameExpression expression;
    std::size_t end = 0;
    while (end < tokens.size() && !tokens[end].is("<")) ++end;
    if (end > 0) expression.name = tokens[end - 1].text;
    const std::size_t first = !tokens.empty() && (tokens[0].is("::") || tokens[0].is("&")) ? 1 : 0;
    if (end >= first + 3) expression.scope = spelled(tokens, first, end - 2);
    if (end < tokens.size()) {
        expression.has_arguments = true;
        for (const Tokens& item : split_at_commas(tokens, end + 1, closing_angle(tokens, end)))
            expression.arguments.push_back(spelled(item, 0, item.size()));
    }
    return expression;
}

bool scope_fits(const std::string& scope, const std::string& asked) {
    if (asked.empty() || scope == asked) return true;
    return scope.size() > asked.size() + 2 &&
           scope.compare(scope.size() - asked.size() - 2, std::string::npos, "::" + asked) == 0;
}

// Replaces the template's parameters in every parameter of the function.
Signature instantiate(Signature signature, const std::vector<std::string>& arguments) {
    std::map<std::string, std::string> values;
    for (std::size_t i = 0; i < signature.template_parameters.size(); ++i) {
        const std::string& value =
            i < arguments.size() ? arguments[i] : signature.template_defaults[i];
        if (!value.empty() && !signature.template_parameters[i].empty())
            values[signature.template_parameters[i]] = value;
    }
    for (Parameter& parameter : signature.parameters) {
        Tokens replaced;
        for (const Token& token : tokenize(parameter.declaration)) {
            const auto value = token.is_identifier() && token.text != parameter.name
                                   ? values.find(token.text)
                                   : values.end();
            if (value == values.end())
                replaced.push_back(token);
            else
                for (Token& inner : tokenize(value->second)) replaced.push_back(std::move(inner));
        }
        parameter = read_parameter(replaced, signature.aliases);
    }
    return signature;
}

}  // namespace

Declarations read_declarations(const std::string& text, const std::vector<std::string>& flags) {
    return Reader(preprocess(text, flags).tokens).run();
}

std::vector<Signature> read_signatures(const std::string& text,
                                       const std::vector<std::string>& flags) {
    return read_declarations(text, flags).signatures;
}

std::optional<Signature> find_signature(const std::vector<Signature>& signatures,
                                        const std::string& name_expression) {
    const NameExpression asked = read_name(name_expression);
    const Signature* found = nullptr;
    for (const Signature& signature : signatures) {
        if (signature.name != asked.name || !scope_fits(signature.scope, asked.scope)) continue;
        if (asked.has_arguments && !signature.is_template) continue;
        const bool exact = signature.scope == asked.scope;
        const bool better = !found || (exact && found->scope != asked.scope) ||
                            (exact == (found->scope == asked.scope) && !asked.has_arguments &&
                             found->is_template && !signature.is_template);
        if (better) found = &signature;
    }
    if (!found) return std::nullopt;
    return found->is_template ? instantiate(*found, asked.arguments) : *found;
}

}  // namespace lanes::gpu
