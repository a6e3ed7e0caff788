// Base64 (RFC 4648), with the names of xeus: notebooks written for xeus-cpp use it to show
// pictures.
//
//   xeus::base64encode("text") == "dGV4dA=="
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace xeus {

inline constexpr std::string_view base64_digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

inline std::string base64encode(std::string_view bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        std::uint32_t group = 0;  // three bytes become four digits of six bits
        for (std::size_t i = at; i < at + 3; ++i)
            group = group << 8 | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U);
        for (std::size_t digit = 0; digit < 4; ++digit)
            text += at + digit > bytes.size() ? '=' : base64_digits[group >> (18 - 6 * digit) & 63];
    }
    return text;
}

// White space does not count, and padding ends the text. Throws std::invalid_argument.
inline std::string base64decode(std::string_view text) {
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3);
    std::uint32_t group = 0;
    int bits = 0;
    for (std::size_t at = 0; at < text.size() && text[at] != '='; ++at) {
        if (text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r')) continue;
        const std::size_t digit = base64_digits.find(text[at]);
        if (digit == std::string_view::npos)
            throw std::invalid_argument(
                "base64decode: '" + std::string(1, text[at]) + "' at position " +
                std::to_string(at) + " is not a base64 digit. Digits are A-Z, a-z, 0-9, + and /.");
        group = group << 6 | static_cast<std::uint32_t>(digit);
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        bytes += static_cast<char>(group >> bits & 255);
    }
    return bytes;
}

}  // namespace xeus
