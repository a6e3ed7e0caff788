#include "utf8.hpp"

#include <algorithm>

namespace xcpp_front {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

struct Character {
    std::size_t bytes;  // how many belong to it, or to the faulty piece
    enum { whole, cut, faulty } state;
};

// The character at the start of `text`, as table 3-7 of the Unicode standard has it: neither
// overlong forms nor surrogates.
Character first_character(std::string_view text) {
    const auto at = [text](std::size_t index) { return static_cast<unsigned char>(text[index]); };
    const unsigned char lead = at(0);
    if (lead < 0x80) return {1, Character::whole};
    const std::size_t length = lead >= 0xC2 && lead <= 0xDF   ? 2
                               : lead >= 0xE0 && lead <= 0xEF ? 3
                               : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                              : 0;
    if (length == 0) return {1, Character::faulty};
    for (std::size_t index = 1; index < length; ++index) {
        if (index == text.size()) return {index, Character::cut};
        unsigned char low = 0x80;
        unsigned char high = 0xBF;
        if (index == 1) {
            if (lead == 0xE0) low = 0xA0;
            if (lead == 0xED) high = 0x9F;
            if (lead == 0xF0) low = 0x90;
            if (lead == 0xF4) high = 0x8F;
        }
        if (at(index) < low || at(index) > high) return {index, Character::faulty};
    }
    return {length, Character::whole};
}

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

}  // namespace

void Utf8Mender::feed(std::string_view bytes, std::string& text) {
    std::string joined;
    if (!begun_.empty()) {
        joined = begun_.append(bytes);
        begun_.clear();
        bytes = joined;
    }
    text.reserve(text.size() + bytes.size());
    while (!bytes.empty()) {
        const auto ascii_end = std::find_if(bytes.begin(), bytes.end(), [](char byte) {
            return static_cast<unsigned char>(byte) >= 0x80;
        });
        const auto ascii = static_cast<std::size_t>(ascii_end - bytes.begin());
        text.append(bytes.substr(0, ascii));
        bytes.remove_prefix(ascii);
        if (bytes.empty()) return;
        const Character character = first_character(bytes);
        if (character.state == Character::cut) {
            begun_ = bytes;
            return;
        }
        text.append(character.state == Character::whole ? bytes.substr(0, character.bytes)
                                                        : replacement);
        bytes.remove_prefix(character.bytes);
    }
}

void Utf8Mender::finish(std::string& text) {
    if (!begun_.empty()) text.append(replacement);
    begun_.clear();
}

std::string mended(std::string_view bytes) {
    Utf8Mender mender;
    std::string text;
    mender.feed(bytes, text);
    mender.finish(text);
    return text;
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
