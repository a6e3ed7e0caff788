#include "png.hpp"

#include "lanes/data/image_file.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

namespace lanes::notebook {

namespace {

struct ColorCount {
    std::uint32_t color;
    std::size_t count;
};

int distance(std::uint32_t a, std::uint32_t b) {
    int sum = 0;
    for (const int shift : {16, 8, 0}) {
        const int difference =
            static_cast<int>(a >> shift & 255) - static_cast<int>(b >> shift & 255);
        sum += difference * difference;
    }
    return sum;
}

}  // namespace

std::string png(const Pixels& pixels) {
    return encode_png(pixels.bytes.data(), pixels.width, pixels.height, pixels.channels);
}

std::string png_with_palette(const Pixels& pixels) {
    constexpr std::size_t most_colors = 6000;
    if (pixels.channels != 3) return png(pixels);
    const auto color_at = [&](std::size_t i) {
        return std::uint32_t{pixels.bytes[3 * i]} << 16 |
               std::uint32_t{pixels.bytes[3 * i + 1]} << 8 | pixels.bytes[3 * i + 2];
    };
    const std::size_t count = pixels.width * pixels.height;
    std::unordered_map<std::uint32_t, std::size_t> counts;
    for (std::size_t i = 0; i < count; ++i) {
        ++counts[color_at(i)];
        if (counts.size() > most_colors) return png(pixels);
    }
    std::vector<ColorCount> colors;
    colors.reserve(counts.size());
    for (const auto& [color, times] : counts) colors.push_back({color, times});
    std::sort(colors.begin(), colors.end(), [](const ColorCount& a, const ColorCount& b) {
        return a.count != b.count ? a.count > b.count : a.color < b.color;
    });
    const std::size_t kept = std::min<std::size_t>(colors.size(), 256);

    std::string palette;
    for (std::size_t i = 0; i < kept; ++i)
        for (const int shift : {16, 8, 0})
            palette += static_cast<char>(colors[i].color >> shift & 255);
    std::unordered_map<std::uint32_t, unsigned char> places;
    for (std::size_t i = 0; i < colors.size(); ++i) {
        std::size_t nearest = i;
        for (std::size_t k = 0; i >= kept && k < kept; ++k)
            if (nearest == i || distance(colors[k].color, colors[i].color) <
                                    distance(colors[nearest].color, colors[i].color))
                nearest = k;
        places[colors[i].color] = static_cast<unsigned char>(nearest);
    }
    std::vector<unsigned char> bytes(count);
    for (std::size_t i = 0; i < count; ++i) bytes[i] = places[color_at(i)];
    return encode_png(bytes.data(), pixels.width, pixels.height, 1, palette);
}

}  // namespace lanes::notebook
