#include "own_headers.hpp"

#include "session/text/completeness.hpp"
#include "session/text/directives.hpp"
#include "session/text/guards.hpp"
#include "session/text/tokens.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

namespace xcpp_session {
namespace {

namespace fs = std::filesystem;

// Empty where there is no such file.
std::string path_of(const fs::path& file) {
    std::error_code none;
    const fs::path found = fs::canonical(file, none);
    return !none && fs::is_regular_file(found, none) ? found.string() : std::string();
}

// Empty where it was deleted meanwhile.
std::string working_directory() {
    std::error_code none;
    return fs::current_path(none).string();
}

std::optional<std::string> text_of_file(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) return {};
    return std::string(std::istreambuf_iterator<char>(stream), {});
}

// As the lexer likes it: without byte order mark and carriage returns.
std::string plain(std::string text) {
    if (text.compare(0, 3, "\xEF\xBB\xBF") == 0) text.erase(0, 3);
    std::size_t to = 0;
    for (std::size_t from = 0; from < text.size(); ++from)
        if (text[from] != '\r' || from + 1 == text.size() || text[from + 1] != '\n')
            text[to++] = text[from];
    text.resize(to);
    return text;
}

class Expander {
public:
    Expander(const std::map<std::string, std::string>& read, std::set<std::string> changed,
             const OwnHeaders::Ask& ask, std::vector<std::string> folders, std::string prefix,
             ExpandedCell& result)
        : read_(read),
          changed_(std::move(changed)),
          ask_(ask),
          folders_(std::move(folders)),
          prefix_(std::move(prefix)),
          result_(result) {}

    void cell(const std::string& code, const std::string& file, unsigned first_line) {
        put(code, tokenize(code), file, first_line, working_directory(), false);
    }

private:
    std::string resolve(const Include& include, const std::string& folder) const {
        std::vector<std::string> places;
        if (include.quoted) places = {folder, working_directory()};
        places.insert(places.end(), folders_.begin(), folders_.end());
        for (const std::string& place : places)
            if (std::string found = path_of(fs::path(place) / include.name); !found.empty())
                return found;
        return {};
    }

    bool must_be_put(const std::string& file) { return is_new(file) || repeats(file); }

    // It was edited, or declares again what others did, or includes one that was or does.
    bool is_new(const std::string& file) {
        if (changed_.count(file) > 0) return true;
        const auto [known, first_time] =
            is_new_.try_emplace(file, false);  // false meanwhile: headers may include each other
        if (!first_time) return known->second;
        const auto text = text_of_file(file);
        if (!text) return false;
        const bool found =
            (read_.count(file) == 0 && ask_.replaces(*text)) ||
            includes_one(file, *text, [this](const std::string& inner) { return is_new(inner); });
        return is_new_[file] = found;
    }

    // clang would read definitions a second time: the header has no guard, or is read for the
    // first time and includes such a one.
    bool repeats(const std::string& file) {
        const auto [known, first_time] = repeats_.try_emplace(file, false);
        if (!first_time) return known->second;
        const auto read = text_of_file(file);
        if (!read) return false;
        std::string text = plain(*read);
        std::vector<Token> tokens = tokenize(text);
        const bool was_read = read_.count(file) > 0;
        if (was_read && mend(text, tokens)) return false;
        const bool found =
            (was_read && ask_.defines(text)) ||
            includes_one(file, text, [this](const std::string& inner) { return repeats(inner); });
        return repeats_[file] = found;
    }

    bool includes_one(const std::string& file, const std::string& text,
                      const std::function<bool(const std::string& inner)>& wanted) const {
        const std::string folder = fs::path(file).parent_path().string();
        for (const Token& token : tokenize(text)) {
            if (token.kind != TokenKind::directive) continue;
            const auto include = include_of(token.text);
            const std::string inner = include ? resolve(*include, folder) : std::string();
            if (!inner.empty() && wanted(inner)) return true;
        }
        return false;
    }

    void put(const std::string& text, const std::vector<Token>& tokens, const std::string& file,
             unsigned first_line, const std::string& folder, bool in_header) {
        std::size_t at = 0;
        for (const Token& token : tokens) {
            if (token.kind != TokenKind::directive) continue;
            const std::string_view name = directive_of(token.text).name;
            if (opens_condition(name)) ++conditions_;
            if (name == "endif") --conditions_;
            const auto include = include_of(token.text);
            if (!include) continue;
            const std::string inner = resolve(*include, folder);
            if (inner.empty()) continue;
            if (must_be_put(inner)) {
                append(text.substr(at, token.begin - at));
                if (!in_header && read_.count(inner) == 0)
                    result_.includes.push_back("#include \"" + inner + "\"");
                const auto next =
                    static_cast<unsigned>(first_line + token.line +
                                          std::count(token.text.begin(), token.text.end(), '\n'));
                header(inner, file, next);
                at = token.end();
            } else if (in_header && include->quoted) {
                append(text.substr(at, token.begin - at));
                append("#include \"" + inner + "\"");
                at = token.end();
            }
        }
        append(text.substr(at));
    }

    // The text of `file`; behind it, line `next` of `back` follows.
    void header(const std::string& file, const std::string& back, unsigned next) {
        if (std::find(stack_.begin(), stack_.end(), file) != stack_.end() || done_.count(file) > 0)
            return;
        auto read = text_of_file(file);
        if (!read) return;
        std::string text = plain(*read);
        const Completeness whole = check_completeness(text);
        if (!whole.may_be_parsed)
            throw HeaderBroken(file, text, whole.message, whole.line, whole.column);
        std::vector<Token> tokens = tokenize(text);
        const bool once = mend(text, tokens);
        const bool guarded =
            once && (conditions_ > 0 ||
                     sometimes_.count(file) > 0);  // another #include may have read it, or not
        const std::string guard = prefix_ + std::to_string(std::hash<std::string>()(file));
        if (once && conditions_ == 0) done_.insert(file);
        if (guarded) {
            sometimes_.insert(file);
            append("#ifndef " + guard + "\n#define " + guard + "\n");
        }
        append("#line 1 \"" + file + "\"\n");
        result_.lines.add(line_, file, 1);
        stack_.push_back(file);
        put(text, tokens, file, 1, fs::path(file).parent_path().string(), true);
        stack_.pop_back();
        append(guarded ? "\n#endif\n" : "\n");
        append("#line " + std::to_string(next) + " \"" + back + "\"");
        result_.lines.add(line_ + 1, back, next);
        if (std::none_of(result_.headers.begin(), result_.headers.end(),
                         [&](const auto& header) { return header.file == file; })) {
            const auto older = read_.find(file);
            result_.headers.push_back({file, std::move(*read),
                                       older == read_.end() ? std::string() : older->second, once});
        }
    }

    // Takes the guard out of the text, in place: what it asks for we know better. True if there was
    // one.
    static bool mend(std::string& text, std::vector<Token>& tokens) {
        bool once = false;
        const auto blank = [&](const Token& token) {
            for (std::size_t i = token.begin; i < token.end(); ++i)
                if (text[i] != '\n') text[i] = ' ';
            once = true;
        };
        const std::vector<Guard> guards = guards_in(tokens);
        if (guards.size() == 1 && guards[0].first == 0 &&
            guards[0].last + 1 == tokens.size()) {  // around everything
            blank(tokens.front());
            blank(tokens.back());
        }
        for (const Token& token : tokens)
            if (token.kind == TokenKind::directive && is_pragma_once(token.text)) blank(token);
        if (once) tokens = tokenize(text);
        return once;
    }

    void append(const std::string& text) {
        result_.code += text;
        line_ += static_cast<unsigned>(std::count(text.begin(), text.end(), '\n'));
    }

    const std::map<std::string, std::string>& read_;
    const std::set<std::string> changed_;
    const OwnHeaders::Ask& ask_;
    const std::vector<std::string> folders_;
    const std::string prefix_;
    ExpandedCell& result_;
    std::map<std::string, bool> is_new_, repeats_;
    std::set<std::string> done_, sometimes_;
    std::vector<std::string> stack_;
    int conditions_ = 0;
    unsigned line_ = 1;  // of the text written so far
};

}  // namespace

void OwnHeaders::note_read(const std::string& file, std::string_view text) {
    if (const std::string path = path_of(file); !path.empty()) read_[path] = text;
}

bool OwnHeaders::has_read(const std::string& file) const { return read_.count(path_of(file)) > 0; }

ExpandedCell OwnHeaders::expand(const std::string& code, const std::string& cell_file,
                                unsigned first_line, int unit, const Ask& ask) const {
    ExpandedCell result{code, LineOrigins(cell_file, first_line), {}, {}};
    if (code.find("include") == std::string::npos) return result;
    std::set<std::string> changed;
    for (const auto& [file, text] : read_) {
        const auto now = text_of_file(file);
        if (now && *now != text) changed.insert(file);
    }
    result.code.clear();
    Expander(read_, std::move(changed), ask, folders_(),
             "__xcpp_read_" + std::to_string(unit) + "_", result)
        .cell(code, cell_file, first_line);
    return result;
}

}  // namespace xcpp_session
