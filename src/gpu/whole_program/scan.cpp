#include "scan.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

namespace lanes::gpu::whole_program {

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Where the file of a `# 12 "file.cu" 1 3` line begins, and whether it is a system header.
struct Marker {
    bool valid = false, system = false;
    int line = 0;
    std::string file;
};

Marker read_marker(std::string_view text) {
    Marker marker;
    if (text.size() < 4 || text[0] != '#' || text[1] != ' ' ||
        !std::isdigit(static_cast<unsigned char>(text[2])))
        return marker;
    const std::size_t open = text.find('"');
    const std::size_t close = text.rfind('"');
    if (open == std::string_view::npos || close == open) return marker;
    marker.valid = true;
    marker.line = std::atoi(std::string(text.substr(2, open - 2)).c_str());
    for (std::size_t i = open + 1; i < close; ++i) {
        if (text[i] == '\\' && i + 1 < close) ++i;
        marker.file += text[i];
    }
    marker.system = text.find(" 3", close) != std::string_view::npos;
    return marker;
}

class Scanner {
public:
    explicit Scanner(const std::string& text) : text_(text) {}

    ScannedText result() {
        Marker now;
        for (std::size_t first = 0; first < text_.size();) {
            const std::size_t end = std::min(text_.find('\n', first), text_.size());
            const std::string_view line(text_.data() + first, end - first);
            if (const Marker marker = read_marker(line); marker.valid) {
                now = marker;
                file_ = number_of(marker.file);
                first = end + 1;
                continue;
            }
            // A raw string may go on over several lines, and so may what follows it.
            const std::size_t next =
                now.system || (!line.empty() && line[0] == '#') ? end : tokens_of(first, end);
            for (std::size_t at = first; at <= next;) {
                const std::size_t stop = std::min(text_.find('\n', at), text_.size());
                if (!now.system) found_.lines.push_back({at, stop, file_, now.line});
                ++now.line;
                at = stop + 1;
            }
            first = next + 1;
        }
        return std::move(found_);
    }

private:
    int number_of(const std::string& file) {
        const auto known = std::find(found_.files.begin(), found_.files.end(), file);
        if (known == found_.files.end()) found_.files.push_back(file);
        return static_cast<int>(std::find(found_.files.begin(), found_.files.end(), file) -
                                found_.files.begin());
    }

    // Adds the tokens of a line and returns the end of the line in which the last of them ends.
    std::size_t tokens_of(std::size_t at, std::size_t end) {
        while (at < end) {
            if (std::isspace(static_cast<unsigned char>(text_[at]))) {
                ++at;
                continue;
            }
            const std::size_t last = token_end(at);
            PlacedToken token;
            token.first = at;
            token.last = last;
            const char c = text_[at];
            const bool literal = text_[last - 1] == '"' || text_[last - 1] == '\'' ||
                                 std::isdigit(static_cast<unsigned char>(c));
            token.kind = literal      ? PlacedToken::Kind::literal
                         : is_word(c) ? PlacedToken::Kind::word
                                      : PlacedToken::Kind::punctuation;
            if (!literal) token.text = std::string_view(text_.data() + at, last - at);
            found_.tokens.push_back(token);
            at = last;
            if (at > end) end = std::min(text_.find('\n', at), text_.size());
        }
        return end;
    }

    std::size_t token_end(std::size_t at) const {
        std::size_t i = at;
        while (i < text_.size() && is_word(text_[i])) ++i;
        if (i < text_.size() && text_[i] == '"') {
            if (i > at && text_[i - 1] == 'R') return raw_string_end(i);
            return quoted_end(i);
        }
        const bool number = std::isdigit(static_cast<unsigned char>(text_[at]));
        if (i < text_.size() && text_[i] == '\'' && !number && i - at <= 2) return quoted_end(i);
        if (number) {
            while (i < text_.size() &&
                   (is_word(text_[i]) || text_[i] == '\'' || text_[i] == '.' ||
                    ((text_[i] == '+' || text_[i] == '-') &&
                     std::string_view("eEpP").find(text_[i - 1]) != std::string_view::npos)))
                ++i;
            return i;
        }
        if (i > at) return i;
        for (const char* longer : {"::", "->"})
            if (text_.compare(at, 2, longer) == 0) return at + 2;
        return at + 1;
    }

    std::size_t quoted_end(std::size_t at) const {
        std::size_t i = at + 1;
        while (i < text_.size() && text_[i] != text_[at] && text_[i] != '\n')
            i += text_[i] == '\\' ? 2 : 1;
        return std::min(i + 1, text_.size());
    }

    std::size_t raw_string_end(std::size_t at) const {
        const std::size_t open = text_.find('(', at);
        if (open == std::string::npos) return text_.size();
        const std::string close = ")" + text_.substr(at + 1, open - at - 1) + "\"";
        const std::size_t found = text_.find(close, open);
        return found == std::string::npos ? text_.size() : found + close.size();
    }

    const std::string& text_;
    ScannedText found_;
    int file_ = 0;
};

}  // namespace

ScannedText scan(const std::string& text) { return Scanner(text).result(); }

}  // namespace lanes::gpu::whole_program
