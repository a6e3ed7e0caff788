#include "utf8.hpp"

#include <algorithm>

namespace xcpp_front {
namespace {

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

}  // namespace

std::size_t whole_characters(std::string_view text) {
    const std::size_t longest = 4;
    for (std::size_t back = 1; back < longest && back <= text.size(); ++back) {
        const auto byte = static_cast<unsigned char>(text[text.size() - back]);
        if (continues(text[text.size() - back])) continue;
        const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
        return length > back ? text.size() - back : text.size();
    }
    return text.size();
}

std::size_t bytes_before(std::string_view text, std::size_t code_points) {
    std::size_t bytes = 0;
    while (bytes < text.size() && code_points > 0) {
        ++bytes;
        while (bytes < text.size() && continues(text[bytes])) ++bytes;
        --code_points;
    }
    return bytes;
}

std::size_t code_points_before(std::string_view text, std::size_t bytes) {
    const auto part = text.substr(0, std::min(bytes, text.size()));
    return static_cast<std::size_t>(
        std::count_if(part.begin(), part.end(), [](char byte) { return !continues(byte); }));
}

}  // namespace xcpp_front
