#include "lanes/lesson/filter_pictures.hpp"

#include "lanes/base/error.hpp"
#include "lanes/notebook/display.hpp"
#include "lanes/notebook/drawing.hpp"
#include "lanes/notebook/plot.hpp"

#include <algorithm>
#include <array>

namespace lanes {

namespace {

// 0 for black to 1 for white, with the strip of the scale at the right.
Matrix on_scale(const Matrix& image, float black, float white) {
    constexpr std::size_t gap = 4;
    constexpr std::size_t strip = 8;
    const std::size_t rows = image.shape(0);
    const std::size_t columns = image.shape(1);
    Matrix result(std::array<std::size_t, 2>{rows, columns + gap + strip}, 1.0F);
    for (std::size_t y = 0; y < rows; ++y) {
        for (std::size_t x = 0; x < columns; ++x)
            result(y, x) = std::clamp((image(y, x) - black) / (white - black), 0.0F, 1.0F);
        for (std::size_t x = columns + gap; x < columns + gap + strip; ++x)
            result(y, x) = 1 - static_cast<float>(y) / static_cast<float>(rows - 1);
    }
    return result;
}

Style left_aligned() {
    Style style;
    style.align = "left";
    style.font_size = 16;
    return style;
}

const Style& window() {
    static const Style style{"none", "orange", 4};
    return style;
}

}  // namespace

void show_scaled(const std::vector<Matrix>& images, const std::vector<std::string>& titles,
                 float black, float white, std::size_t columns) {
    LANES_REQUIRE(black != white, "show_scaled: ", black,
                  " is both black and white. Give two different values.");
    std::vector<Matrix> scaled;
    for (const Matrix& image : images) {
        LANES_REQUIRE(image.shape(0) > 1, "show_scaled: an image of ", image.shape(0), "x",
                      image.shape(1), ". A scale needs at least two rows.");
        scaled.push_back(on_scale(image, black, white));
    }
    show_images(scaled, titles, columns);
}

Matrix enlarged(const Matrix& image, std::size_t top, std::size_t left, std::size_t side,
                std::size_t times) {
    LANES_REQUIRE(top + side <= image.shape(0) && left + side <= image.shape(1), "enlarged: ", side,
                  "x", side, " pixels from row ", top, " and column ", left,
                  " on are not in an image of ", image.shape(0), "x", image.shape(1),
                  ". Choose a smaller square.");
    auto result = Matrix::from_shape({side * times, side * times});
    for (std::size_t y = 0; y < side * times; ++y)
        for (std::size_t x = 0; x < side * times; ++x)
            result(y, x) = image(top + y / times, left + x / times);
    return result;
}

void plot_row(std::size_t row, const std::vector<std::string>& names,
              const std::vector<Matrix>& images) {
    LANES_REQUIRE(names.size() == images.size(), "plot_row: ", names.size(), " names but ",
                  images.size(), " images. Give one name per image.");
    Plot plot("Row " + std::to_string(row));
    plot.x("column, in pixels").y("value").size(760, 360);
    for (std::size_t k = 0; k < images.size(); ++k) {
        LANES_REQUIRE(row < images[k].shape(0), "plot_row: row ", row, " of an image of ",
                      images[k].shape(0), " rows. The first row is 0.");
        std::vector<double> columns, values;
        for (std::size_t x = 0; x < images[k].shape(1); ++x) {
            columns.push_back(static_cast<double>(x));
            values.push_back(images[k](row, x));
        }
        plot.line(names[k], columns, values);
    }
    plot.show();
}

void draw_zero_padding(const Matrix& image) {
    const int rows = static_cast<int>(image.shape(0));
    const int columns = static_cast<int>(image.shape(1));
    LANES_REQUIRE(rows >= 2 && rows <= 4 && columns >= 2 && columns <= 7,
                  "draw_zero_padding: ", rows, "x", columns,
                  " pixels. Give an image of 2x2 to 4x7.");
    Drawing corner(620, 250);
    Style outside{"none", "gray"};
    outside.dashed = true;
    const Style inside{"#cfe5f3"};
    const Style left = left_aligned();
    for (int y = -1; y <= rows; ++y)
        for (int x = -1; x <= columns; ++x) {
            const bool in = y >= 0 && y < rows && x >= 0 && x < columns;
            corner.rectangle(60 + 44 * x, 60 + 44 * y, 42, 42, in ? inside : outside);
            corner.text(81 + 44 * x, 81 + 44 * y,
                        std::to_string(in ? static_cast<int>(image(y, x)) : 0),
                        in ? Style() : outside);
        }
    corner.rectangle(15, 15, 132, 132, window());
    const auto pixel = [&](int y, int x) { return std::to_string(static_cast<int>(image(y, x))); };
    const int sum = static_cast<int>(image(0, 0) + image(0, 1) + image(1, 0) + image(1, 1));
    corner.text(380, 50, "0 + 0 + 0", left);
    corner.text(380, 80, "+ 0 + " + pixel(0, 0) + " + " + pixel(0, 1), left);
    corner.text(380, 110,
                "+ 0 + " + pixel(1, 0) + " + " + pixel(1, 1) + " = " + std::to_string(sum), left);
    corner.text(380, 190, "dashed: zero padding", left);
    corner.show("an image with zeros around it, and a filter of 3x3 ones at its first pixel: " +
                std::to_string(sum));
}

void draw_shifted_row(int columns, int shift) {
    LANES_REQUIRE(columns >= 1 && columns <= 12 && shift >= 0 && shift < columns,
                  "draw_shifted_row: ", columns, " columns and a shift of ", shift,
                  ". Draw at most 12 columns and a shift from 0 on.");
    Drawing row(640, 190);
    const Style used{"#d5eddb"}, unused{"#eeeeee", "gray"}, arrows{"none", "gray", 1.2};
    const Style left = left_aligned();
    for (int x = 0; x < columns; ++x) {
        row.rectangle(110 + 42 * x, 50, 40, 34, x >= shift ? used : unused);
        row.rectangle(110 + 42 * x, 120, 40, 34, x < columns - shift ? used : unused);
        row.text(130 + 42 * x, 67, std::to_string(x));
        row.text(130 + 42 * x, 137, std::to_string(x));
        if (x < columns - shift) row.arrow(130 + 42 * (x + shift), 84, 134 + 42 * x, 119, arrows);
    }
    const std::string by = std::to_string(shift);
    row.text(20, 67, "image", left).text(20, 137, "result", left);
    row.text(110, 26, "shift " + by + ": result[x] += f * image[x + " + by + "]", left);
    row.text(
        110, 176,
        "for (x = 0; x < " + std::to_string(columns - shift) + "; ++x): no branch inside the loop",
        left);
    row.show("one coefficient of the filter, shift " + by + ": columns 0 to " +
             std::to_string(columns - shift - 1) + " of the result");
}

void draw_tile(int rows, int columns) {
    LANES_REQUIRE(rows >= 2 && rows <= 6 && columns >= 2 && columns <= 10, "draw_tile: ", rows, "x",
                  columns, " threads. Draw a block of 2x2 to 6x10.");
    Drawing tiles(680, 60 + 26 * (rows + 6));
    const Style halo{"#fde3c0"}, tile{"#cfe5f3"}, rest{"#f5f5f5", "light", 1};
    const Style left = left_aligned();
    for (int y = 0; y < rows + 6; ++y)
        for (int x = 0; x < columns + 6; ++x) {
            const bool in_tile = y >= 3 && y < rows + 3 && x >= 3 && x < columns + 3;
            const bool in_halo = y >= 2 && y < rows + 4 && x >= 2 && x < columns + 4;
            tiles.rectangle(20 + 26 * x, 20 + 26 * y, 25, 25,
                            in_tile   ? tile
                            : in_halo ? halo
                                      : rest);
        }
    tiles.rectangle(72, 72, 77, 77, window()).text(111, 111, "1");
    const int key = 46 + 26 * (columns + 6);
    const int pixels = (rows + 2) * (columns + 2);
    tiles.rectangle(key, 60, 22, 22, tile);
    tiles.text(key + 34, 71,
               "tile: " + std::to_string(rows) + " x " + std::to_string(columns) + " results",
               left);
    tiles.rectangle(key, 100, 22, 22, halo).text(key + 34, 111, "halo: one pixel around", left);
    tiles.text(key, 160, "loaded once: " + std::to_string(pixels), left);
    tiles.text(key, 186, "without a tile: " + std::to_string(rows * columns * 9), left);
    tiles.text(key, 236, "frame: what pixel 1 needs", left);
    tiles.show("a tile of " + std::to_string(rows) + "x" + std::to_string(columns) +
               " results and its halo: " + std::to_string(pixels) +
               " pixels are loaded instead of " + std::to_string(rows * columns * 9));
}

}  // namespace lanes
