// Text of the session arrives as bytes, in pieces that end anywhere. (Bytes that are no UTF-8 are
// replaced when a message is written as JSON.)
#pragma once

#include <string_view>

namespace xcpp_front {

// Bytes of `text` without a character at its end whose last bytes are missing.
std::size_t whole_characters(std::string_view text);

// Jupyter counts a cursor in code points, the session in bytes. Both clamp to the text, which is
// valid UTF-8.
std::size_t bytes_before(std::string_view text, std::size_t code_points);
std::size_t code_points_before(std::string_view text, std::size_t bytes);

}  // namespace xcpp_front
