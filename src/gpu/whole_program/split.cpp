#include "split.hpp"

#include "declarations.hpp"
#include "scan.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace lanes::gpu::whole_program {

namespace {

using Kind = Declaration::Kind;

// Empties a range of bytes; the markers of lines stay.
void blank(std::string& text, std::size_t first, std::size_t last) {
    bool marker = false;
    for (std::size_t at = first; at < last; ++at) {
        if (at == 0 || text[at - 1] == '\n') marker = text.compare(at, 2, "# ") == 0;
        if (!marker && text[at] != '\n') text[at] = ' ';
    }
}

class HostSide {
public:
    HostSide(std::string text, const ScannedText& scanned)
        : text_(std::move(text)), tokens_(scanned.tokens) {}

    void empty_bodies(const std::vector<Declaration>& declarations) {
        for (const Declaration& found : declarations) {
            const bool device_only = found.is_global || (found.is_device && !found.is_host);
            if (found.kind == Kind::function && device_only && found.open) {
                blank(text_, tokens_[found.open].last, tokens_[found.close].first);
                if (found.is_constexpr)  // it would have to return something
                    blank(text_, tokens_[found.first].first, tokens_[found.close].last);
            }
            empty_bodies(found.members);
        }
    }

    std::string take() { return std::move(text_); }

private:
    std::string text_;
    const std::vector<PlacedToken>& tokens_;
};

class DeviceSide {
public:
    explicit DeviceSide(const ScannedText& scanned)
        : tokens_(scanned.tokens), kept_(scanned.tokens.size(), false) {}

    void choose(const std::vector<Declaration>& declarations,
                const std::vector<std::string>& also) {
        mentioned_.insert(also.begin(), also.end());
        keep_functions(declarations);
        // What they mention may mention more.
        while (keep_mentioned(declarations)) {
        }
        keep_scopes(declarations);
    }

    const std::vector<bool>& kept() const { return kept_; }
    bool has_cuda_kernels() const { return has_cuda_kernels_; }

private:
    void keep(std::size_t first, std::size_t last) {
        for (std::size_t at = first; at < last; ++at) {
            kept_[at] = true;
            if (tokens_[at].is_word()) mentioned_.insert(tokens_[at].text);
        }
    }

    void keep_functions(const std::vector<Declaration>& declarations) {
        for (const Declaration& found : declarations) {
            has_cuda_kernels_ = has_cuda_kernels_ || (found.is_global && found.open);
            if (found.kind == Kind::scope)
                keep_functions(found.members);
            else if (found.kind != Kind::type && found.for_device())
                keep(found.first, found.last);
        }
    }

    static bool both_sides(const Declaration& found) {
        return found.kind == Kind::type || found.kind == Kind::alias ||
               (found.kind == Kind::variable && found.is_constant) ||
               (found.kind == Kind::function && found.is_constexpr);
    }

    bool keep_mentioned(const std::vector<Declaration>& declarations) {
        bool more = false;
        for (const Declaration& found : declarations) {
            if (found.kind == Kind::scope) {
                more = keep_mentioned(found.members) || more;
                continue;
            }
            if (!both_sides(found) || kept_[found.first]) continue;
            const bool is_using = found.kind == Kind::alias && found.names.empty();
            if (!is_using && std::none_of(found.names.begin(), found.names.end(),
                                          [&](const auto name) { return mentioned_.count(name); }))
                continue;
            keep_declaration(found);
            more = true;
        }
        return more;
    }

    // Of a struct without the functions that only the host can call.
    void keep_declaration(const Declaration& found) {
        if (found.members.empty()) return keep(found.first, found.last);
        keep(found.first, found.open + 1);
        for (const Declaration& member : found.members) {
            const bool host_function = member.kind == Kind::function && !member.for_device() &&
                                       !member.is_constexpr && !member.is_defaulted;
            if (!host_function && member.kind != Kind::scope) keep_declaration(member);
        }
        keep(found.close, found.last);
    }

    bool keep_scopes(const std::vector<Declaration>& declarations) {
        bool any = false;
        for (const Declaration& found : declarations) {
            if (found.kind == Kind::scope && keep_scopes(found.members)) {
                for (std::size_t at = found.first; at <= found.open; ++at) kept_[at] = true;
                kept_[found.close] = true;
                any = true;
            }
            any = any || kept_[found.first];
        }
        return any;
    }

    const std::vector<PlacedToken>& tokens_;
    std::vector<bool> kept_;
    std::set<std::string_view> mentioned_;
    bool has_cuda_kernels_ = false;
};

}  // namespace

std::string host_text(const std::string& text) {
    const ScannedText scanned = scan(text);
    HostSide side(text, scanned);
    side.empty_bodies(read_declarations(scanned.tokens));
    return side.take();
}

DeviceText device_text(const std::string& text, const std::string& main_file,
                       const std::vector<std::string>& also) {
    const ScannedText scanned = scan(text);
    DeviceSide side(scanned);
    side.choose(read_declarations(scanned.tokens), also);
    DeviceText result;
    result.has_cuda_kernels = side.has_cuda_kernels();
    const auto add_line = [&](const std::string& line, const SourcePlace& place) {
        result.text += line + "\n";
        result.lines.push_back(place);
    };
    std::size_t token = 0;
    for (const PlacedLine& line : scanned.lines) {
        std::string shown(line.last - line.first, ' ');
        bool any = false;
        while (token < scanned.tokens.size() && scanned.tokens[token].last <= line.first) ++token;
        // A raw string may have begun on an earlier line: it is then copied with this one.
        for (std::size_t at = token;
             at < scanned.tokens.size() && scanned.tokens[at].first < line.last; ++at) {
            if (!side.kept()[at]) continue;
            const std::size_t first = std::max(scanned.tokens[at].first, line.first),
                              last = std::min(scanned.tokens[at].last, line.last);
            std::copy(text.begin() + static_cast<std::ptrdiff_t>(first),
                      text.begin() + static_cast<std::ptrdiff_t>(last),
                      shown.begin() + static_cast<std::ptrdiff_t>(first - line.first));
            any = true;
        }
        // A pragma inside of a function that is kept: #pragma unroll
        const bool pragma = text.compare(line.first, 7, "#pragma") == 0;
        if (pragma && token > 0 && token < scanned.tokens.size() && side.kept()[token] &&
            side.kept()[token - 1]) {
            shown = text.substr(line.first, line.last - line.first);
            any = true;
        }
        if (!any) continue;
        shown.erase(shown.find_last_not_of(' ') + 1);
        const std::string& file = scanned.files[static_cast<std::size_t>(line.file)];
        if (file == main_file)
            while (static_cast<int>(result.lines.size()) + 1 < line.line) add_line("", {});
        add_line(shown, {file, line.line});
    }
    return result;
}

}  // namespace lanes::gpu::whole_program
