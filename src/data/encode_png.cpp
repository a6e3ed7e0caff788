#include "lanes/data/image_file.hpp"

#include "lanes/base/error.hpp"

#ifndef LANES_STANDALONE
#include <zlib.h>
#endif

#include <algorithm>
#include <array>
#include <cstdint>

namespace lanes {

namespace {

void add_number(std::string& out, std::uint32_t value) {
    for (const int shift : {24, 16, 8, 0}) out += static_cast<char>(value >> shift & 255);
}

std::array<std::uint32_t, 256> crc_table() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t n = 0; n < 256; ++n) {
        std::uint32_t value = n;
        for (int bit = 0; bit < 8; ++bit) value = value & 1 ? 0xedb88320u ^ value >> 1 : value >> 1;
        table[n] = value;
    }
    return table;
}

void add_chunk(std::string& out, const std::string& type, const std::string& content) {
    static const auto table = crc_table();
    add_number(out, static_cast<std::uint32_t>(content.size()));
    std::uint32_t crc = 0xffffffffu;
    for (const std::string& part : {type, content})
        for (const unsigned char byte : part) crc = table[(crc ^ byte) & 255] ^ crc >> 8;
    out += type + content;
    add_number(out, ~crc);
}

#ifndef LANES_STANDALONE

std::string deflate(const std::string& bytes) {
    uLongf size = compressBound(static_cast<uLong>(bytes.size()));
    std::string packed(size, '\0');
    const int result = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                                 reinterpret_cast<const Bytef*>(bytes.data()),
                                 static_cast<uLong>(bytes.size()), Z_BEST_COMPRESSION);
    LANES_REQUIRE(result == Z_OK, "encode_png: zlib could not pack ", bytes.size(), " bytes (",
                  result, "). Is memory full?");
    packed.resize(size);
    return packed;
}

#else

// Without zlib: the format's blocks that are not packed, of at most 65,535 bytes.
std::string deflate(const std::string& bytes) {
    std::string out("\x78\x01");
    std::uint32_t a = 1, b = 0;
    for (const unsigned char byte : bytes) a = (a + byte) % 65521, b = (b + a) % 65521;
    for (std::size_t begin = 0; begin == 0 || begin < bytes.size(); begin += 65535) {
        const std::size_t size = std::min<std::size_t>(65535, bytes.size() - begin);
        out += begin + size == bytes.size() ? '\1' : '\0';
        for (const std::size_t value : {size, ~size})
            out += static_cast<char>(value & 255), out += static_cast<char>(value >> 8 & 255);
        out.append(bytes, begin, size);
    }
    add_number(out, b << 16 | a);
    return out;
}

#endif

}  // namespace

std::string encode_png(const unsigned char* pixels, std::size_t width, std::size_t height,
                       std::size_t channels, const std::string& palette) {
    LANES_REQUIRE(channels == 1 || channels == 3, "encode_png: ", channels,
                  " channels. Give 1 for grey or a palette, 3 for colours.");
    LANES_REQUIRE(palette.empty() || channels == 1, "encode_png: a palette and ", channels,
                  " channels. Pixels with a palette have one: the place of their colour.");
    const char grey = 0, colours = 2, places = 3;
    const std::size_t row = width * channels;
    std::string lines;
    lines.reserve(height * (row + 1));
    for (std::size_t y = 0; y < height; ++y) {
        lines += '\0';  // the row as it is: flat areas pack best so
        lines.append(reinterpret_cast<const char*>(pixels) + y * row, row);
    }
    std::string header;
    add_number(header, static_cast<std::uint32_t>(width));
    add_number(header, static_cast<std::uint32_t>(height));
    header += '\x08';
    header += channels == 3 ? colours : palette.empty() ? grey : places;
    header.append(3, '\0');
    std::string out("\x89PNG\r\n\x1a\n");
    add_chunk(out, "IHDR", header);
    if (!palette.empty()) add_chunk(out, "PLTE", palette);
    add_chunk(out, "IDAT", deflate(lines));
    add_chunk(out, "IEND", "");
    return out;
}

}  // namespace lanes
