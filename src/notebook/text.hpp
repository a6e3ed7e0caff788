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
