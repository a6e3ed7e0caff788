// Text that goes into HTML, SVG and JSON.
#pragma once

#include <string>

namespace lanes::notebook {

// The number of characters (Unicode code points) of a UTF-8 text.
inline std::size_t length(const std::string& text) {
    std::size_t count = 0;
    for (const unsigned char byte : text) count += (byte & 0xc0) != 0x80;
    return count;
}

// Without line breaks, padded with '='.
inline std::string base64(const std::string& bytes) {
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const auto at = [&](std::size_t k) {
            return i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u;
        };
        const unsigned three = at(0) << 16 | at(1) << 8 | at(2);
        text += letters[three >> 18];
        text += letters[three >> 12 & 63];
        text += i + 1 < bytes.size() ? letters[three >> 6 & 63] : '=';
        text += i + 2 < bytes.size() ? letters[three & 63] : '=';
    }
    return text;
}

}  // namespace lanes::notebook
