#include "notebook/display/image.hpp"

#include "notebook/display/svg.hpp"

#include "base/math.hpp"
#include "lanes/data/image_file.hpp"

#include <algorithm>
#include <cmath>

namespace lanes::notebook {

namespace {

// In pixels of the page.
constexpr double page_width = 660;
constexpr double page_height = 560;
constexpr double small_image = 280;  // small images are enlarged up to this size
constexpr double tile = 140;         // likewise in a grid
constexpr double gap = 10;
constexpr double title_height = 20;

// How many pixels of the page one pixel of the image takes: a whole number keeps the pixels square,
// a number below 1 makes a large image fit.
double enlargement(std::size_t columns, std::size_t rows, double width, double height) {
    const double fits =
        std::min(width / static_cast<double>(columns), height / static_cast<double>(rows));
    return fits >= 1 ? std::floor(fits) : fits;
}

Pixels enlarged(const Pixels& pixels, std::size_t times) {
    Pixels large(pixels.width * times, pixels.height * times, pixels.channels);
    for (std::size_t y = 0; y < large.height; ++y)
        for (std::size_t x = 0; x < large.width; ++x)
            std::copy_n(pixels.at(x / times, y / times), pixels.channels, large.at(x, y));
    return large;
}

// Means over blocks, if the image has more than twice the pixels per side that are shown: a
// photograph would only make the notebook's file large.
Pixels reduced(const Pixels& pixels, double factor) {
    const auto block = static_cast<std::size_t>(std::max(1.0, std::floor(0.5 / factor)));
    if (block == 1) return pixels;
    const std::size_t width = std::max<std::size_t>(1, pixels.width / block);
    const std::size_t height = std::max<std::size_t>(1, pixels.height / block);
    Pixels small(width, height, pixels.channels);
    for (std::size_t y = 0; y < height; ++y)
        for (std::size_t x = 0; x < width; ++x)
            for (std::size_t channel = 0; channel < pixels.channels; ++channel) {
                std::size_t sum = 0;
                std::size_t count = 0;
                for (std::size_t i = y * block; i < std::min((y + 1) * block, pixels.height); ++i)
                    for (std::size_t j = x * block; j < std::min((x + 1) * block, pixels.width);
                         ++j) {
                        sum += pixels.at(j, i)[channel];
                        ++count;
                    }
                small.at(x, y)[channel] = static_cast<unsigned char>((sum + count / 2) / count);
            }
    return small;
}

int rounded_up(double value) { return static_cast<int>(std::ceil(value - 1e-9)); }

// Smaller if the text would not fit.
Font fitting(double size, const std::string& text, double available) {
    const double width = estimated_width(text, size);
    Font font;
    font.size = width > available ? std::max(7.0, size * available / width) : size;
    return font;
}

Bundle as_bundle(const Svg& svg) {
    Bundle bundle;
    bundle.svg = svg.file();
    return bundle;
}

}  // namespace

std::string png(const Pixels& pixels) {
    return encode_png(pixels.bytes.data(), pixels.width, pixels.height, pixels.channels);
}

Bundle image_bundle(const Pixels& pixels, const std::string& title) {
    const auto longer = static_cast<double>(std::max(pixels.width, pixels.height));
    const double factor =
        std::min(enlargement(pixels.width, pixels.height, page_width, page_height),
                 std::max(1.0, std::floor(small_image / longer)));
    const double width = static_cast<double>(pixels.width) * factor;
    const double height = static_cast<double>(pixels.height) * factor;
    if (title.empty()) {
        Bundle bundle;
        bundle.png = png(factor < 1 ? reduced(pixels, factor)
                                    : enlarged(pixels, static_cast<std::size_t>(factor)));
        bundle.png_width = rounded_up(width);
        bundle.png_height = rounded_up(height);
        return bundle;
    }
    constexpr double font_size = 13;
    constexpr double top = title_height + 4;
    const double whole =
        std::clamp(estimated_width(title, font_size) + 8, width, std::max(width, page_width));
    Svg svg(rounded_up(whole), rounded_up(height + top));
    svg.text(whole / 2, title_height / 2, title, fitting(font_size, title, whole));
    svg.image((whole - width) / 2, top, width, height, reduced(pixels, factor));
    return as_bundle(svg);
}

Bundle grid_bundle(const std::vector<Pixels>& pictures, const std::vector<std::string>& titles,
                   std::size_t columns) {
    constexpr double font_size = 12;
    std::size_t widest = 0;
    std::size_t highest = 0;
    for (const Pixels& picture : pictures) {
        widest = std::max(widest, picture.width);
        highest = std::max(highest, picture.height);
    }
    const std::size_t rows = ceil_div(pictures.size(), columns);
    const double available = page_width / static_cast<double>(columns);
    // Photographs are not enlarged.
    const double factor = enlargement(
        widest, highest, std::clamp(available - gap, 8.0, std::max(tile, double(widest))),
        std::max(tile, double(highest)));

    double across = static_cast<double>(widest) * factor + gap;  // from one image to the next
    for (const std::string& title : titles)
        across = std::max(across, std::min(estimated_width(title, font_size) + 8, available));
    const double top = titles.empty() ? 0 : title_height;
    const double down = static_cast<double>(highest) * factor + top + gap;
    Svg svg(rounded_up(across * static_cast<double>(columns)),
            rounded_up(down * static_cast<double>(rows)));
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        const double x = static_cast<double>(i % columns) * across;
        const double y =
            static_cast<double>(i / columns) * down;  // NOLINT(bugprone-integer-division)
        const double width = static_cast<double>(pictures[i].width) * factor;
        const double height = static_cast<double>(pictures[i].height) * factor;
        if (!titles.empty())
            svg.text(x + across / 2, y + top / 2, titles[i],
                     fitting(font_size, titles[i], across - 4));
        svg.image(x + (across - width) / 2, y + top, width, height, reduced(pictures[i], factor));
    }
    return as_bundle(svg);
}

}  // namespace lanes::notebook
