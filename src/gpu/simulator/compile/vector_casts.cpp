#include "vector_casts.hpp"

#include <cctype>
#include <regex>

namespace lanes::gpu::simulator {

namespace {

// "float4" or "const float4" in front of a star, as the only group.
const char* const vector_type =
    R"(((?:const[ \t]+)?(?:u?(?:char|short|int|long|longlong)|float|double)[24](?:[ \t]+const)?)[ \t]*\*)";

std::size_t closing(const std::string& text, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
        depth += (text[i] == '(') - (text[i] == ')');
        if (depth == 0) return i;
    }
    return std::string::npos;
}

bool is_followed_by_access(const std::string& text, std::size_t close) {
    const std::size_t next = text.find_first_not_of(" \t", close + 1);
    return close != std::string::npos && next != std::string::npos &&
           (text[next] == '[' || text.compare(next, 2, "->") == 0);
}

// Whether the star before this position takes what a pointer points to, and nothing else is done to
// it, such as taking its address.
bool is_plain_dereference(const std::string& text, std::size_t star) {
    const std::size_t before = star ? text.find_last_not_of(" \t\n", star - 1) : std::string::npos;
    if (before == std::string::npos) return false;
    const std::size_t line = text.rfind('\n', before) + 1;  // 0 in the first line
    if (text.find('\n', before) < star && text[text.find_first_not_of(" \t", line)] == '#')
        return true;  // a statement after #else or #endif
    if (std::isalnum(static_cast<unsigned char>(text[before])))
        return before >= 5 && text.compare(before - 5, 6, "return") == 0;
    return std::string("=(,;{}[?:+/<>)").find(text[before]) != std::string::npos;
}

}  // namespace

std::string with_aligned_vectors(const std::string& text) {
    static const std::regex cast(std::string(R"((\*[ \t]*)?\([ \t]*)") + vector_type +
                                 R"([ \t]*\))"),
        named_cast(std::string(R"((\*[ \t]*)?\breinterpret_cast[ \t]*<[ \t]*)") + vector_type +
                   R"([ \t]*>[ \t]*\()");
    std::string result;
    std::size_t copied = 0;
    const auto each = [&](const std::string& from, const std::regex& form, const auto& replace) {
        result.clear();
        copied = 0;
        for (std::sregex_iterator it(from.begin(), from.end(), form), end; it != end; ++it) {
            const auto first = static_cast<std::size_t>(it->position());
            const std::string with = replace(*it, first, first + it->length());
            if (with.empty()) continue;
            result += from.substr(copied, first - copied) + with;
            copied = first + static_cast<std::size_t>(it->length());
        }
        return result + from.substr(copied);
    };
    const std::string half =
        each(text, cast, [&](const std::smatch& found, std::size_t first, std::size_t) {
            const std::string type = found[2];
            if (found[1].matched)
                return is_plain_dereference(text, first) ? "lanes_vector_at<" + type + ">()->*"
                                                         : std::string();
            const bool inside = first > 0 && text[first - 1] == '(';
            return inside && is_followed_by_access(text, closing(text, first - 1))
                       ? "lanes_vector_cast<" + type + ">()->*"
                       : std::string();
        });
    return each(half, named_cast, [&](const std::smatch& found, std::size_t, std::size_t end) {
        const bool used = found[1].matched || is_followed_by_access(half, closing(half, end - 1));
        return used ? found[1].str() + "lanes_vectors<" + found[2].str() + ">(" : std::string();
    });
}

}  // namespace lanes::gpu::simulator
