// Small deeds with UTF-8 text.
#pragma once

#include <string>

namespace lanes::notebook {

// As many columns as it takes in a terminal, if each character takes one.
inline std::size_t length(const std::string& text) {
    std::size_t count = 0;
    for (const unsigned char byte : text) count += (byte & 0xc0) != 0x80;
    return count;
}

// With U+FFFD in place of each byte that belongs to no character.
inline std::string valid_utf8(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        const auto first = static_cast<unsigned char>(text[i]);
        const std::size_t bytes = first < 0x80                    ? 1
                                  : first >= 0xc2 && first < 0xe0 ? 2
                                  : first >= 0xe0 && first < 0xf0 ? 3
                                  : first >= 0xf0 && first < 0xf5 ? 4
                                                                  : 0;
        bool valid = bytes > 0 && i + bytes <= text.size();
        for (std::size_t k = 1; valid && k < bytes; ++k)
            valid = (static_cast<unsigned char>(text[i + k]) & 0xc0) == 0x80;
        if (valid &&
            bytes >
                2) {  // no longer than needed, no half of a pair, nothing beyond the last character
            const auto second = static_cast<unsigned char>(text[i + 1]);
            valid = !(first == 0xe0 && second < 0xa0) && !(first == 0xed && second > 0x9f) &&
                    !(first == 0xf0 && second < 0x90) && !(first == 0xf4 && second > 0x8f);
        }
        out += valid ? text.substr(i, bytes) : "\xef\xbf\xbd";
        i += valid ? bytes : 1;
    }
    return out;
}

// With &, <, > and " as HTML writes them.
inline std::string escaped(const std::string& text) {
    std::string out;
    for (const char letter : text) {
        if (letter == '&')
            out += "&amp;";
        else if (letter == '<')
            out += "&lt;";
        else if (letter == '>')
            out += "&gt;";
        else if (letter == '"')
            out += "&quot;";
        else
            out += letter;
    }
    return out;
}

}  // namespace lanes::notebook
