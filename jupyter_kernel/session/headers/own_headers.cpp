#include "own_headers.hpp"

#include "session/text/completeness.hpp"
#include "session/text/directives.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>

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
    text.erase(std::remove(text.begin(), text.end(), '\r'), text.end());
    return text;
}

struct HeaderFile {
    explicit HeaderFile(std::string of_file) : text(std::move(of_file)), source(plain(text)) {
        const Tokens& tokens = source.tokens();
        const std::vector<Guard> guards = guards_in(tokens);
        std::vector<Token> lines;
        if (guards.size() == 1 && guards[0].first == 0 &&
            guards[0].last + 1 == tokens.size())  // around everything
            lines = {tokens[0], tokens.back()};
        std::copy_if(tokens.begin(), tokens.end(), std::back_inserter(lines), is_pragma_once);
        for (const Token& line : lines) source.blank(line.begin, line.end());
        once = !lines.empty();
    }

    std::string text;
    SourceText source;  // without the guard: what it asks for we know better
    bool once = false;  // there was one
};

class Expander {
public:
    Expander(const std::map<std::string, std::string>& read, const OwnHeaders::Ask& ask,
             std::vector<std::string> folders, const std::string& first_folder, std::string prefix,
             ExpandedCell& result)
        : read_(read),
          ask_(ask),
          folders_(std::move(folders)),
          first_folder_(first_folder),
          prefix_(std::move(prefix)),
          result_(result) {}

    // Nothing is replaced if it gives back the text of the cell.
    std::string cell(const SourceText& source, const std::string& file, unsigned first_line) {
        paste(source, file, first_line, working_directory(), false);
        return std::move(code_);
    }

private:
    // folder: of the file that includes it
    std::string resolve(const Include& include, const std::string& folder) const {
        std::vector<std::string> places = folders_;
        if (include.quoted)
            places.insert(places.begin(), {folder, working_directory(), first_folder_});
        for (const std::string& place : places)
            if (std::string found = path_of(fs::path(place) / include.name);
                !found.empty() && found.find('"') == std::string::npos)
                return found;
        return {};
    }

    // Null where there is no such file.
    const HeaderFile* load(const std::string& file) {
        const auto [found, first_time] = files_.try_emplace(file);
        std::optional<HeaderFile>& header = found->second;
        if (first_time)
            if (auto text = text_of_file(file)) header.emplace(std::move(*text));
        return header ? &*header : nullptr;
    }

    bool must_be_pasted(const std::string& file) { return is_new(file) || repeats(file); }

    // It was edited, or declares again what others did, or includes one that was or does.
    bool is_new(const std::string& file) {
        const auto [known, first_time] =
            is_new_.try_emplace(file, false);  // false meanwhile: headers may include each other
        const HeaderFile* header = first_time ? load(file) : nullptr;
        if (!header) return known->second;
        const auto older = read_.find(file);
        const bool changed = older == read_.end() ? ask_.replaces(header->source.code())
                                                  : older->second != header->text;
        return is_new_[file] =
                   changed || includes_one(file, *header, [this](const std::string& inner) {
                       return is_new(inner);
                   });
    }

    // clang would read definitions a second time: the header has no guard, or is read for the
    // first time and includes such a one.
    bool repeats(const std::string& file) {
        const auto [known, first_time] = repeats_.try_emplace(file, false);
        const HeaderFile* header = first_time ? load(file) : nullptr;
        if (!header) return known->second;
        const bool was_read = read_.count(file) > 0;
        if (was_read && header->once) return false;
        return repeats_[file] = (was_read && ask_.defines(header->source.code())) ||
                                includes_one(file, *header, [this](const std::string& inner) {
                                    return repeats(inner);
                                });
    }

    bool includes_one(const std::string& file, const HeaderFile& header,
                      const std::function<bool(const std::string& inner)>& wanted) const {
        const std::string folder = fs::path(file).parent_path().string();
        for (const Token& token : header.source.tokens()) {
            const auto include = include_of(token);
            const std::string inner = include ? resolve(*include, folder) : std::string();
            if (!inner.empty() && wanted(inner)) return true;
        }
        return false;
    }

    using Replace = std::function<void(std::size_t begin, std::size_t end, const std::string& by)>;

    void paste(const SourceText& source, const std::string& file, unsigned first_line,
               const std::string& folder, bool in_header) {
        std::size_t at = 0;  // up to where the source is in code_
        const Replace replace = [&](std::size_t begin, std::size_t end, const std::string& by) {
            append(source.code().substr(at, begin - at) + by);
            at = end;
        };
        for (const Token& token : source.tokens()) {
            const Branch branch = branch_of(token);
            if (branch == Branch::opens) ++conditions_;
            if (branch == Branch::ends) --conditions_;
            if (branch != Branch::none) answer_has_include(token, folder, replace);
            const auto include = include_of(token);
            if (!include) continue;
            const std::string inner = resolve(*include, folder);
            if (inner.empty()) continue;
            if (must_be_pasted(inner)) {
                replace(token.begin, token.end(), "");
                if (!in_header && read_.count(inner) == 0)
                    result_.includes.push_back("#include \"" + inner + "\"");
                const auto lines = std::count(token.text.begin(), token.text.end(), '\n');
                header(inner, file, first_line + token.line + static_cast<unsigned>(lines));
            } else if (include->quoted) {
                const std::size_t name = token.begin + include->begin;
                replace(name, name + include->name.size(), inner);
            }
        }
        append(source.code().substr(at));
    }

    // #if __has_include("name")
    void answer_has_include(const Token& token, const std::string& folder,
                            const Replace& replace) const {
        const std::string_view condition = directive_of(token).rest;
        const std::size_t offset = token.end() - condition.size();
        const Tokens words = tokenize(condition);
        for (std::size_t i = 0; i < words.size(); ++i) {
            const std::string_view quoted = words[i + 2].text;
            if (!words[i].is("__has_include") || !words[i + 1].is("(") ||
                quoted.substr(0, 1) != "\"" || !words[i + 3].is(")"))
                continue;
            const std::string name(quoted.substr(1, quoted.size() - 2));
            if (const std::string file = resolve({name, true}, folder); !file.empty())
                replace(offset + words[i + 2].begin + 1, offset + words[i + 2].end() - 1, file);
            else if (!ask_.is_elsewhere(name))
                replace(offset + words[i].begin, offset + words[i + 3].end(), "0");
        }
    }

    // The text of `file`; after it, line `next` of `back` follows.
    void header(const std::string& file, const std::string& back, unsigned next) {
        const HeaderFile* header = load(file);
        if (!header || std::find(stack_.begin(), stack_.end(), file) != stack_.end() ||
            included_.count(file) > 0)
            return;
        const SourceText& source = header->source;
        const Completeness whole = check_completeness(source);
        if (!whole.may_be_parsed)
            throw HeaderBroken(file, source.code(), whole.message, whole.line, whole.column);
        const bool guarded = header->once && (conditions_ > 0 ||
                                              included_conditionally_.count(file) >
                                                  0);  // another #include may have read it, or not
        const std::string guard = prefix_ + std::to_string(std::hash<std::string>()(file));
        if (header->once && conditions_ == 0) included_.insert(file);
        if (guarded) {
            included_conditionally_.insert(file);
            append("#ifndef " + guard + "\n#define " + guard + "\n");
        }
        append("#line 1 \"" + file + "\"\n");
        result_.lines.add(line_, file, 1);
        stack_.push_back(file);
        paste(source, file, 1, fs::path(file).parent_path().string(), true);
        stack_.pop_back();
        append(guarded ? "\n#endif\n" : "\n");
        append("#line " + std::to_string(next) + " \"" + back + "\"");
        result_.lines.add(line_ + 1, back, next);
        if (std::none_of(result_.headers.begin(), result_.headers.end(),
                         [&](const auto& other) { return other.file == file; })) {
            const auto older = read_.find(file);
            result_.headers.push_back({file, header->text,
                                       older == read_.end() ? std::string() : older->second,
                                       header->once});
        }
    }

    void append(const std::string& text) {
        code_ += text;
        line_ += static_cast<unsigned>(std::count(text.begin(), text.end(), '\n'));
    }

    const std::map<std::string, std::string>& read_;
    const OwnHeaders::Ask& ask_;
    const std::vector<std::string> folders_;
    const std::string& first_folder_;
    const std::string prefix_;
    ExpandedCell& result_;
    std::map<std::string, std::optional<HeaderFile>> files_;
    std::map<std::string, bool> is_new_, repeats_;
    std::set<std::string> included_, included_conditionally_;
    std::vector<std::string> stack_;
    int conditions_ = 0;
    std::string code_;   // written so far
    unsigned line_ = 1;  // its last
};

}  // namespace

OwnHeaders::OwnHeaders(std::function<std::vector<std::string>()> folders)
    : folders_(std::move(folders)), first_folder_(working_directory()) {}

void OwnHeaders::note_read(const std::string& file, std::string_view text) {
    if (const std::string path = path_of(file); !path.empty()) read_[path] = text;
}

bool OwnHeaders::has_read(const std::string& file) const { return read_.count(path_of(file)) > 0; }

ExpandedCell OwnHeaders::expand(SourceText cell, const std::string& cell_file, unsigned first_line,
                                int unit, const Ask& ask) const {
    ExpandedCell result{std::move(cell), LineOrigins(cell_file, first_line)};
    std::string code = Expander(read_, ask, folders_(), first_folder_,
                                "__xcpp_read_" + std::to_string(unit) + "_", result)
                           .cell(result.source, cell_file, first_line);
    if (code != result.source.code()) result.source = SourceText(std::move(code));
    return result;
}

}  // namespace xcpp_session
