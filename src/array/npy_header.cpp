// A file is "\x93NUMPY", two bytes for the version, the length of the header (two bytes, from
// version 2 on four, least significant first), the header as the text of a Python dict, then the
// values:
//
//   {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
#include "npy_header.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace lanes {

namespace {

// The text between two characters after 'key': in the header.
std::string entry(const std::string& name, std::string_view header, const std::string& key,
                  const char* open, char close) {
    const std::string start = "'" + key + "': " + open;
    const std::size_t begin = header.find(start);
    const std::size_t end =
        begin == std::string_view::npos ? begin : header.find(close, begin + start.size());
    LANES_REQUIRE(end != std::string_view::npos, name, ": the header has no entry '", key,
                  "' as NumPy writes it. The file is damaged: get it again.");
    return std::string(header.substr(begin + start.size(), end - begin - start.size()));
}

// "2, 3" or, for one axis, "2,"
std::vector<std::size_t> shape_of(const std::string& name, const std::string& text) {
    std::vector<std::size_t> shape;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at != end) {
        std::size_t length = 0;
        const auto [after, error] = std::from_chars(at, end, length);
        LANES_REQUIRE(error == std::errc(), name, ": the shape is (", text,
                      "), expected whole numbers. The file is damaged: get it again.");
        shape.push_back(length);
        at = std::find_if(after, end, [](char c) { return c != ',' && c != ' '; });
    }
    return shape;
}

}  // namespace

NpyHeader parse_npy_header(std::string_view file, const std::string& name) {
    constexpr std::string_view magic = "\x93NUMPY";
    constexpr std::size_t before_length = 8;  // bytes
    LANES_REQUIRE(file.size() > before_length && file.substr(0, magic.size()) == magic, name,
                  " does not begin like an .npy file. Save it with np.save.");
    const std::size_t digits = file[magic.size()] == 1 ? 2 : 4;
    NpyHeader header;
    header.bytes = before_length + digits;
    std::size_t length = 0;
    if (header.bytes <= file.size())
        for (std::size_t i = 0; i < digits; ++i)
            length |= std::size_t{static_cast<unsigned char>(file[before_length + i])} << (8 * i);
    LANES_REQUIRE(header.bytes <= file.size() && length <= file.size() - header.bytes, name,
                  " ends within its header. It was cut off: get it again.");
    const std::string_view text = file.substr(header.bytes, length);
    header.bytes += length;
    header.type = entry(name, text, "descr", "'", '\'');
    header.column_major = entry(name, text, "fortran_order", "", ',') == "True";
    header.shape = shape_of(name, entry(name, text, "shape", "(", ')'));
    return header;
}

}  // namespace lanes
