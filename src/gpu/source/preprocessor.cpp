#include "preprocessor.hpp"

#include "condition.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

namespace lanes::gpu {

namespace {

using Tokens = std::vector<Token>;

struct Macro {
    bool function = false;
    std::vector<std::string> parameters;
    Tokens body;
};

class Preprocessor {
public:
    explicit Preprocessor(const std::vector<std::string>& flags) {
        define("__CUDACC__ 1");
        define("__CUDACC_RTC__ 1");
        define("__cplusplus 201703L");
        for (std::size_t i = 0; i < flags.size(); ++i) read_flag(flags, i);
    }

    void run(const std::string& text, const std::string& folder) {
        if (++depth_ > 50) return;  // files that include each other
        Tokens pending;
        const std::size_t outer_conditions = conditions_.size();
        for (Token& token : tokenize(text)) {
            if (token.kind != Token::Kind::directive) {
                if (active()) pending.push_back(std::move(token));
                continue;
            }
            flush(pending);
            directive(token, folder);
        }
        flush(pending);
        conditions_.resize(outer_conditions);
        --depth_;
    }

    Preprocessed result;

private:
    // The value of the flag, if it is `name` in one of its spellings: -DX, -D X, --define-macro=X.
    static const std::string* value_of(const std::vector<std::string>& flags, std::size_t& i,
                                       const std::string& name, const std::string& long_name,
                                       std::string& value) {
        const std::string& flag = flags[i];
        if (flag == name || flag == long_name) {
            value = i + 1 < flags.size() ? flags[++i] : "";
        } else if (flag.compare(0, name.size(), name) == 0 && flag.compare(0, 2, "--") != 0) {
            value = flag.substr(name.size());
        } else if (flag.compare(0, long_name.size() + 1, long_name + "=") == 0) {
            value = flag.substr(long_name.size() + 1);
        } else {
            return nullptr;
        }
        return &value;
    }

    void read_flag(const std::vector<std::string>& flags, std::size_t& i) {
        std::string value;
        if (value_of(flags, i, "-D", "--define-macro", value)) {
            const std::size_t equals = value.find('=');
            define(equals == std::string::npos
                       ? value + " 1"
                       : value.substr(0, equals) + " " + value.substr(equals + 1));
        } else if (value_of(flags, i, "-U", "--undefine-macro", value)) {
            macros_.erase(value);
        } else if (value_of(flags, i, "-I", "--include-path", value)) {
            folders_.push_back(value);
        } else if (value_of(flags, i, "-arch", "--gpu-architecture", value)) {
            define("__CUDA_ARCH__ " + value.substr(value.find('_') + 1) + "0");  // sm_90: 900
        }
    }

    bool active() const {
        return std::all_of(conditions_.begin(), conditions_.end(),
                           [](const Branch& branch) { return branch.active; });
    }

    void flush(Tokens& pending) {
        Tokens expanded = expand(pending, {});
        result.tokens.insert(result.tokens.end(), std::make_move_iterator(expanded.begin()),
                             std::make_move_iterator(expanded.end()));
        pending.clear();
    }

    void directive(const Token& token, const std::string& folder) {
        Tokens words = tokenize(token.text, token.line);
        if (words.empty()) return;
        const std::string name = words[0].text;
        const std::string rest = token.text.substr(token.text.find(name) + name.size());
        words.erase(words.begin());
        if (name == "if")
            conditions_.push_back(branch(holds(words)));
        else if (name == "ifdef" || name == "ifndef")
            conditions_.push_back(
                branch(!words.empty() && (macros_.count(words[0].text) > 0) == (name == "ifdef")));
        else if (name == "elif" && !conditions_.empty())
            next_branch(holds(words));
        else if (name == "else" && !conditions_.empty())
            next_branch(true);
        else if (name == "endif" && !conditions_.empty())
            conditions_.pop_back();
        else if (!active())
            return;
        else if (name == "define")
            define(rest);
        else if (name == "undef" && !words.empty())
            macros_.erase(words[0].text);
        else if (name == "include")
            include(rest, folder);
    }

    struct Branch {
        bool active, taken;
    };
    static Branch branch(bool holds) { return {holds, holds}; }

    void next_branch(bool holds) {
        Branch& last = conditions_.back();
        last.active = !last.taken && holds;
        last.taken = last.taken || holds;
    }

    bool holds(const Tokens& words) const {
        Tokens replaced;
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (!words[i].is("defined")) {
                replaced.push_back(words[i]);
                continue;
            }
            const bool brackets = i + 1 < words.size() && words[i + 1].is("(");
            const std::size_t at = i + (brackets ? 2 : 1);
            const bool known = at < words.size() && macros_.count(words[at].text) > 0;
            replaced.push_back({Token::Kind::number, known ? "1" : "0", words[i].line});
            i = at + (brackets ? 1 : 0);
        }
        return condition_holds(expand(replaced, {}));
    }

    void define(const std::string& text) {
        Tokens words = tokenize(text);
        if (words.empty()) return;
        Macro macro;
        std::size_t body = 1;
        // A macro has parameters only if the bracket follows its name directly.
        const std::size_t after_name = text.find(words[0].text) + words[0].text.size();
        if (after_name < text.size() && text[after_name] == '(') {
            macro.function = true;
            for (body = 2; body < words.size() && !words[body].is(")"); ++body) {
                if (words[body].is_identifier()) macro.parameters.push_back(words[body].text);
                if (words[body].is(".") &&
                    (macro.parameters.empty() || macro.parameters.back() != "__VA_ARGS__"))
                    macro.parameters.push_back("__VA_ARGS__");
            }
            ++body;
        }
        if (body < words.size())
            macro.body.assign(words.begin() + static_cast<std::ptrdiff_t>(body), words.end());
        macros_[words[0].text] = macro;
    }

    void include(const std::string& rest, const std::string& folder) {
        const std::size_t open = rest.find_first_of("<\"");
        if (open == std::string::npos) return;
        const std::size_t close = rest.find(rest[open] == '<' ? '>' : '"', open + 1);
        if (close == std::string::npos) return;
        const std::string name = rest.substr(open + 1, close - open - 1);
        std::vector<std::string> folders = folders_;
        if (!folder.empty()) folders.insert(folders.begin(), folder);
        for (const std::string& place : folders) {
            const std::filesystem::path path = std::filesystem::path(place) / name;
            std::error_code ignored;
            if (!std::filesystem::is_regular_file(path, ignored)) continue;
            std::ifstream file(path, std::ios::binary);
            const std::string content{std::istreambuf_iterator<char>(file), {}};
            const bool known = !seen_.insert(path.lexically_normal().string()).second;
            if (!known) result.included.push_back({path.string(), content});
            if (!known || content.find("#pragma once") == std::string::npos)
                run(content, path.parent_path().string());
            return;
        }
    }

    // Reads the arguments of a macro call that opens at `open`, and moves `open` to its closing
    // bracket. Returns false if it does not close.
    static bool read_call(const Tokens& tokens, std::size_t& open, std::vector<Tokens>& arguments) {
        int depth = 0;
        arguments.assign(1, {});
        for (std::size_t i = open; i < tokens.size(); ++i) {
            if (tokens[i].is("(") && depth++ == 0) continue;
            if (tokens[i].is(")") && --depth == 0) {
                open = i;
                return true;
            }
            if (tokens[i].is(",") && depth == 1)
                arguments.emplace_back();
            else
                arguments.back().push_back(tokens[i]);
        }
        return false;
    }

    Tokens argument(const Macro& macro, const std::string& name,
                    const std::vector<Tokens>& arguments, bool& found) const {
        const auto at = std::find(macro.parameters.begin(), macro.parameters.end(), name);
        found = at != macro.parameters.end();
        const auto number = static_cast<std::size_t>(at - macro.parameters.begin());
        if (!found || number >= arguments.size()) return {};
        if (name != "__VA_ARGS__") return arguments[number];
        Tokens all;
        for (std::size_t i = number; i < arguments.size(); ++i) {
            if (i > number) all.push_back({Token::Kind::punctuation, ",", 0});
            all.insert(all.end(), arguments[i].begin(), arguments[i].end());
        }
        return all;
    }

    Tokens substitute(const Macro& macro, const std::vector<Tokens>& arguments,
                      const std::set<std::string>& hidden) const {
        Tokens made;
        for (std::size_t i = 0; i < macro.body.size(); ++i) {
            const bool glued = (i > 0 && macro.body[i - 1].is("##")) ||
                               (i + 1 < macro.body.size() && macro.body[i + 1].is("##"));
            bool found = false;
            if (macro.function && macro.body[i].is("#") && i + 1 < macro.body.size()) {
                const Tokens inner = argument(macro, macro.body[++i].text, arguments, found);
                made.push_back(
                    {Token::Kind::literal, "\"" + spelled(inner, 0, inner.size()) + "\"", 0});
                continue;
            }
            Tokens piece = argument(macro, macro.body[i].text, arguments, found);
            if (!found)
                made.push_back(macro.body[i]);
            else if (glued)
                made.insert(made.end(), piece.begin(), piece.end());
            else
                for (Token& token : expand(piece, hidden)) made.push_back(token);
        }
        return glue(made);
    }

    static Tokens glue(const Tokens& tokens) {
        Tokens made;
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            if (tokens[i].is("##") && !made.empty() && i + 1 < tokens.size())
                made.back() = tokenize(made.back().text + tokens[++i].text).front();
            else
                made.push_back(tokens[i]);
        }
        return made;
    }

    Tokens expand(const Tokens& tokens, const std::set<std::string>& hidden) const {
        Tokens made;
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            const int line = tokens[i].line;
            const auto macro = tokens[i].is_identifier() && hidden.count(tokens[i].text) == 0
                                   ? macros_.find(tokens[i].text)
                                   : macros_.end();
            std::vector<Tokens> arguments;
            std::size_t end = i + 1;
            const bool called = macro != macros_.end() && macro->second.function &&
                                end < tokens.size() && tokens[end].is("(") &&
                                read_call(tokens, end, arguments);
            if (macro == macros_.end() || (macro->second.function && !called)) {
                made.push_back(tokens[i]);
                continue;
            }
            if (called) i = end;
            std::set<std::string> inner = hidden;
            inner.insert(macro->first);
            for (Token& token : expand(substitute(macro->second, arguments, hidden), inner)) {
                token.line = line;
                made.push_back(std::move(token));
            }
        }
        return made;
    }

    std::map<std::string, Macro> macros_;
    std::vector<std::string> folders_;
    std::vector<Branch> conditions_;
    std::set<std::string> seen_;
    int depth_ = 0;
};

}  // namespace

Preprocessed preprocess(const std::string& text, const std::vector<std::string>& flags) {
    Preprocessor preprocessor(flags);
    preprocessor.run(text, "");
    return std::move(preprocessor.result);
}

}  // namespace lanes::gpu
