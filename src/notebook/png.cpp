#include "png.hpp"

#include "lanes/base/error.hpp"

#ifndef LANES_NO_BLAS
#include <zlib.h>
#endif

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>

namespace lanes::notebook {

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

#ifndef LANES_NO_BLAS

std::string deflate(const std::string& bytes) {
    uLongf size = compressBound(static_cast<uLong>(bytes.size()));
    std::string packed(size, '\0');
    const int result = compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size()),
                                 Z_BEST_COMPRESSION);
    LANES_REQUIRE(result == Z_OK, "png: zlib could not pack ", bytes.size(), " bytes (", result, "). Is memory full?");
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
        for (const std::size_t value : {size, ~size}) out += static_cast<char>(value & 255), out += static_cast<char>(value >> 8 & 255);
        out.append(bytes, begin, size);
    }
    add_number(out, b << 16 | a);
    return out;
}

#endif

constexpr char grey_pixels = 0, color_pixels = 2, palette_pixels = 3;  // as the header of the file numbers them

std::string file_of(std::size_t width, std::size_t height, char kind, const std::string& palette, const std::vector<unsigned char>& bytes) {
    const std::size_t row = bytes.size() / height;
    std::string lines;
    lines.reserve(bytes.size() + height);
    for (std::size_t y = 0; y < height; ++y) {
        lines += '\0';  // the row as it is: flat areas pack best so
        lines.append(reinterpret_cast<const char*>(bytes.data()) + y * row, row);
    }
    std::string header;
    add_number(header, static_cast<std::uint32_t>(width));
    add_number(header, static_cast<std::uint32_t>(height));
    header += '\x08';
    header += kind;
    header.append(3, '\0');
    std::string out("\x89PNG\r\n\x1a\n");
    add_chunk(out, "IHDR", header);
    if (!palette.empty()) add_chunk(out, "PLTE", palette);
    add_chunk(out, "IDAT", deflate(lines));
    add_chunk(out, "IEND", "");
    return out;
}

struct ColorCount {
    std::uint32_t color;
    std::size_t count;
};

int distance(std::uint32_t a, std::uint32_t b) {
    int sum = 0;
    for (const int shift : {16, 8, 0}) {
        const int difference = static_cast<int>(a >> shift & 255) - static_cast<int>(b >> shift & 255);
        sum += difference * difference;
    }
    return sum;
}

}  // namespace

std::string png(const Pixels& pixels) { return file_of(pixels.width, pixels.height, pixels.channels == 1 ? grey_pixels : color_pixels, "", pixels.bytes); }

std::string png_with_palette(const Pixels& pixels) {
    constexpr std::size_t most_colors = 6000;
    if (pixels.channels != 3) return png(pixels);
    const auto color_at = [&](std::size_t i) {
        return std::uint32_t{pixels.bytes[3 * i]} << 16 | std::uint32_t{pixels.bytes[3 * i + 1]} << 8 | pixels.bytes[3 * i + 2];
    };
    const std::size_t count = pixels.width * pixels.height;
    std::unordered_map<std::uint32_t, std::size_t> counts;
    for (std::size_t i = 0; i < count; ++i) {
        ++counts[color_at(i)];
        if (counts.size() > most_colors) return png(pixels);
    }
    std::vector<ColorCount> colors;
    for (const auto& [color, times] : counts) colors.push_back({color, times});
    std::sort(colors.begin(), colors.end(),
              [](const ColorCount& a, const ColorCount& b) { return a.count != b.count ? a.count > b.count : a.color < b.color; });
    const std::size_t kept = std::min<std::size_t>(colors.size(), 256);

    std::string palette;
    for (std::size_t i = 0; i < kept; ++i)
        for (const int shift : {16, 8, 0}) palette += static_cast<char>(colors[i].color >> shift & 255);
    std::unordered_map<std::uint32_t, unsigned char> places;
    for (std::size_t i = 0; i < colors.size(); ++i) {
        std::size_t nearest = i;
        for (std::size_t k = 0; i >= kept && k < kept; ++k)
            if (nearest == i || distance(colors[k].color, colors[i].color) < distance(colors[nearest].color, colors[i].color)) nearest = k;
        places[colors[i].color] = static_cast<unsigned char>(nearest);
    }
    std::vector<unsigned char> bytes(count);
    for (std::size_t i = 0; i < count; ++i) bytes[i] = places[color_at(i)];
    return file_of(pixels.width, pixels.height, palette_pixels, palette, bytes);
}

}  // namespace lanes::notebook
