#include "lanes/notebook/display.hpp"

#include "notebook/display/image.hpp"
#include "notebook/front_end.hpp"

#include "lanes/base/error.hpp"
#include "lanes/notebook/table.hpp"

#include <algorithm>
#include <cmath>

namespace lanes {

namespace {

using notebook::Pixels;

constexpr std::size_t most_images = 400;

struct Range {
    float low = 0;
    float high = 0;
};

Range range_of(const Matrix& image, const std::string& operation) {
    LANES_REQUIRE(image.size() > 0, operation, ": the image is empty, its shape is ", image.shape(),
                  ". Give at least one pixel.");
    Range range{image(0, 0), image(0, 0)};
    for (std::size_t row = 0; row < image.shape(0); ++row)
        for (std::size_t column = 0; column < image.shape(1); ++column) {
            const float value = image(row, column);
            LANES_REQUIRE(std::isfinite(value), operation, ": the value at (", row, ", ", column,
                          ") is ", value, ", which has no grey. Look where it came from.");
            range = {std::min(range.low, value), std::max(range.high, value)};
        }
    return range;
}

Pixels grey(const Matrix& image, Range range) {
    Pixels pixels(image.shape(1), image.shape(0), 1);
    const double low = range.low, span = static_cast<double>(range.high) - low;
    for (std::size_t y = 0; y < pixels.height; ++y)
        for (std::size_t x = 0; x < pixels.width; ++x)
            *pixels.at(x, y) = static_cast<unsigned char>(
                span > 0 ? std::lround((image(y, x) - low) / span * 255) : 128);
    return pixels;
}

std::string shape_text(std::size_t rows, std::size_t columns) {
    return std::to_string(rows) + " x " + std::to_string(columns) + " pixels";
}

void publish(const std::string& text, notebook::Bundle bundle) {
    bundle.text = text;
    notebook::publish(bundle);
}

void show(const Pixels& pixels, const std::string& title, const std::string& what) {
    publish(title.empty() ? what : title + ": " + what,
            notebook::is_rich() ? notebook::image_bundle(pixels, title) : notebook::Bundle());
}

Pixels coloured(const ColorImage& image, const std::string& operation) {
    LANES_REQUIRE(image.size() > 0 && image.shape(2) == 3, operation,
                  ": a colour image has the shape (rows, columns, 3), this one ", image.shape(),
                  ". For grey images give a lanes::Matrix.");
    Pixels pixels(image.shape(1), image.shape(0), 3);
    std::copy(image.begin(), image.end(), pixels.bytes.begin());
    return pixels;
}

// Up to six in one row; then rows of five, or of ten if there are more than ten.
std::size_t columns_for(std::size_t images) { return images <= 6 ? images : images <= 10 ? 5 : 10; }

// pixels_of(image, operation): the pixels, or an Error that begins with the operation.
template <class Image, class PixelsOf>
void show_grid(const std::vector<Image>& images, const std::vector<std::string>& titles,
               std::size_t columns, const PixelsOf& pixels_of) {
    LANES_REQUIRE(!images.empty(), "show_images: there are no images. Give at least one.");
    LANES_REQUIRE(images.size() <= most_images, "show_images: ", images.size(),
                  " images, which nobody can look at. Give at most ", most_images, ".");
    LANES_REQUIRE(titles.empty() || titles.size() == images.size(), "show_images: ", images.size(),
                  " images but ", titles.size(), " titles. Give one for each image, or none.");
    columns = std::min(columns == 0 ? columns_for(images.size()) : columns, images.size());
    std::string text = "grid of " + std::to_string(images.size()) + " images, " +
                       std::to_string(columns) + " in a row";
    std::vector<Pixels> pictures;
    pictures.reserve(images.size());
    for (std::size_t i = 0; i < images.size(); ++i) {
        pictures.push_back(pixels_of(images[i], "show_images: image " + std::to_string(i)));
        if (!titles.empty()) text += (i == 0 ? ": " : "; ") + titles[i];
    }
    publish(text, notebook::is_rich() ? notebook::grid_bundle(pictures, titles, columns)
                                      : notebook::Bundle());
}

}  // namespace

void show_image(const Matrix& image, const std::string& title) {
    const Range range = range_of(image, "show_image");
    const std::string greys = ", black " + compact(range.low) + " to white " + compact(range.high);
    show(grey(image, range), title,
         "image of " + shape_text(image.shape(0), image.shape(1)) + greys);
}

void show_image(const ColorImage& image, const std::string& title) {
    show(coloured(image, "show_image"), title,
         "colour image of " + shape_text(image.shape(0), image.shape(1)));
}

void show_images(const std::vector<Matrix>& images, const std::vector<std::string>& titles,
                 std::size_t columns) {
    show_grid(images, titles, columns, [](const Matrix& image, const std::string& operation) {
        return grey(image, range_of(image, operation));
    });
}

void notebook::show_color_images(const std::vector<ColorImage>& images,
                                 const std::vector<std::string>& titles, std::size_t columns) {
    show_grid(images, titles, columns, coloured);
}

}  // namespace lanes
