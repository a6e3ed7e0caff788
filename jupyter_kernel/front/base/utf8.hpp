// Text of the session arrives as bytes, in pieces that end anywhere. JSON and the client want
// UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace xcpp_front {

// Turns pieces of bytes into valid UTF-8: what is no UTF-8 becomes U+FFFD, a character that is cut
// in two waits for its rest.
class Utf8Mender {
public:
    // Appends to `text` what is certain after these bytes.
    void feed(std::string_view bytes, std::string& text);
    // Appends U+FFFD if a character was begun and not ended.
    void finish(std::string& text);

private:
    std::string begun_;  // at most three bytes
};

std::string mended(std::string_view bytes);

// Jupyter counts a cursor in code points, the session in bytes. Both clamp to the text; code that
// is mended UTF-8 is expected.
std::size_t bytes_before(std::string_view text, std::size_t code_points);
std::size_t code_points_before(std::string_view text, std::size_t bytes);

}  // namespace xcpp_front
