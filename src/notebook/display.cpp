#include "lanes/notebook/display.hpp"

#include "canvas.hpp"
#include "front_end.hpp"

#include "lanes/base/error.hpp"
#include "lanes/gpu/device.hpp"
#include "lanes/notebook/table.hpp"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <thread>

namespace lanes {

namespace {

using notebook::Canvas;
using notebook::Pixels;

constexpr std::size_t page = 660;       // the most pixels that a picture is wide
constexpr std::size_t most_high = 560;  // and high, for a single image
constexpr std::size_t gap = 10, title_height = 20;

struct Range {
    float low = 0, high = 0;
};

Range range_of(const Matrix& image, const std::string& operation) {
    LANES_REQUIRE(image.size() > 0, operation, ": the image is empty, its shape is ", image.shape(), ". Give at least one pixel.");
    Range range{image(0, 0), image(0, 0)};
    for (std::size_t row = 0; row < image.shape(0); ++row)
        for (std::size_t column = 0; column < image.shape(1); ++column) {
            const float value = image(row, column);
            LANES_REQUIRE(std::isfinite(value), operation, ": the value at (", row, ", ", column, ") is ", value,
                          ", which has no grey. Look where it came from.");
            range = {std::min(range.low, value), std::max(range.high, value)};
        }
    return range;
}

Pixels grey(const Matrix& image, Range range) {
    Pixels pixels(image.shape(1), image.shape(0), 1);
    const double span = static_cast<double>(range.high) - range.low;
    for (std::size_t y = 0; y < pixels.height; ++y)
        for (std::size_t x = 0; x < pixels.width; ++x)
            *pixels.at(x, y) = static_cast<unsigned char>(span > 0 ? std::lround((image(y, x) - static_cast<double>(range.low)) / span * 255) : 128);
    return pixels;
}

// How many pixels of the page one of the image takes: whole numbers keep the pixels square, a part below 1 makes a large image fit.
double enlargement(const Pixels& pixels, std::size_t width, std::size_t height) {
    const double fits =
        std::min(static_cast<double>(width) / static_cast<double>(pixels.width), static_cast<double>(height) / static_cast<double>(pixels.height));
    return fits >= 1 ? std::floor(fits) : fits;
}

// Without Cairo: whole pixels only, so an image that is too large stays as large as it is.
Pixels enlarged(const Pixels& pixels, std::size_t factor) {
    Pixels large(pixels.width * factor, pixels.height * factor, pixels.channels);
    for (std::size_t y = 0; y < large.height; ++y)
        for (std::size_t x = 0; x < large.width; ++x) std::copy_n(pixels.at(x / factor, y / factor), pixels.channels, large.at(x, y));
    return large;
}

std::string shape_text(std::size_t rows, std::size_t columns) { return std::to_string(rows) + " x " + std::to_string(columns); }

std::string described(const std::string& what, const std::string& title) { return title.empty() ? what : title + ": " + what; }

void show_pixels(const Pixels& pixels, const std::string& title, const std::string& text) {
    notebook::Bundle bundle;
    bundle.text = text;
    if (notebook::is_rich()) {
        // a handful of pixels need not fill the page
        const double factor =
            std::min(enlargement(pixels, page, most_high), std::max(1.0, std::floor(280.0 / static_cast<double>(std::max(pixels.width, pixels.height)))));
        const double width = std::round(static_cast<double>(pixels.width) * factor), height = std::round(static_cast<double>(pixels.height) * factor);
        if (Canvas::available() && (!title.empty() || factor < 1)) {
            const notebook::Font font{13};
            const double wanted = title.empty() ? width : std::max(width, Canvas(1, 1).text_width(title, font) + 8),
                         top = title.empty() ? 0 : title_height + 4.0;
            Canvas canvas(static_cast<int>(wanted), static_cast<int>(height + top));
            if (!title.empty()) canvas.text(wanted / 2, title_height / 2.0, title, font);
            canvas.image((wanted - width) / 2, top, width, height, pixels, factor < 1);
            bundle.png = canvas.png();
            bundle.png_width = static_cast<int>(wanted), bundle.png_height = static_cast<int>(height + top);
        } else {
            bundle.png = notebook::png(enlarged(pixels, static_cast<std::size_t>(std::max(1.0, factor))));
        }
    }
    notebook::publish(bundle);
}

}  // namespace

void show_image(const Matrix& image, const std::string& title) {
    const Range range = range_of(image, "show_image");
    show_pixels(
        grey(image, range), title,
        described("image of " + shape_text(image.shape(0), image.shape(1)) + " pixels, black " + compact(range.low) + " to white " + compact(range.high),
                  title));
}

void show_image(const ColorImage& image, const std::string& title) {
    LANES_REQUIRE(image.size() > 0 && image.shape(2) == 3, "show_image: a colour image has the shape (rows, columns, 3), this one ", image.shape(),
                  ". For grey images give a lanes::Matrix.");
    Pixels pixels(image.shape(1), image.shape(0), 3);
    for (std::size_t y = 0; y < pixels.height; ++y)
        for (std::size_t x = 0; x < pixels.width; ++x)
            for (std::size_t channel = 0; channel < 3; ++channel) pixels.at(x, y)[channel] = image(y, x, channel);
    show_pixels(pixels, title, described("colour image of " + shape_text(image.shape(0), image.shape(1)) + " pixels", title));
}

void show_images(const std::vector<Matrix>& images, const std::vector<std::string>& titles, std::size_t columns) {
    LANES_REQUIRE(!images.empty(), "show_images: there are no images. Give at least one.");
    LANES_REQUIRE(titles.empty() || titles.size() == images.size(), "show_images: ", images.size(), " images but ", titles.size(),
                  " titles. Give one for each image, or none.");
    if (columns == 0) columns = images.size() <= 10 ? std::min<std::size_t>(images.size(), images.size() > 6 ? 5 : 6) : 10;
    columns = std::min(columns, images.size());
    const std::size_t rows = (images.size() + columns - 1) / columns;

    std::vector<Pixels> pictures;
    std::size_t widest = 0, highest = 0;
    std::string text = "grid of " + std::to_string(images.size()) + " images, " + std::to_string(columns) + " in a row";
    for (std::size_t i = 0; i < images.size(); ++i) {
        pictures.push_back(grey(images[i], range_of(images[i], "show_images: image " + std::to_string(i))));
        widest = std::max(widest, pictures.back().width), highest = std::max(highest, pictures.back().height);
        if (!titles.empty()) text += (i == 0 ? ": " : "; ") + titles[i];
    }

    notebook::Bundle bundle;
    bundle.text = text;
    if (notebook::is_rich()) {
        const Pixels cell(widest, highest, 1);
        const std::size_t room = std::min<std::size_t>((page - gap * (columns - 1)) / columns, 140);
        const double factor = enlargement(cell, std::max<std::size_t>(room, 1), 140);
        const double width = std::round(static_cast<double>(widest) * factor), height = std::round(static_cast<double>(highest) * factor);
        if (Canvas::available()) {
            const notebook::Font font{11};
            const double top = titles.empty() ? 0 : title_height;
            double step = width + gap;
            Canvas ruler(1, 1);
            for (const std::string& title : titles)
                step = std::max(step, std::min(ruler.text_width(title, font) + 8, static_cast<double>(page) / static_cast<double>(columns)));
            const double down = height + top + gap;
            bundle.png_width = static_cast<int>(std::ceil(step * static_cast<double>(columns))),
            bundle.png_height = static_cast<int>(std::ceil(down * static_cast<double>(rows)));
            Canvas canvas(bundle.png_width, bundle.png_height);
            for (std::size_t i = 0; i < pictures.size(); ++i) {
                const double x = static_cast<double>(i % columns) * step, y = static_cast<double>(i / columns) * down;
                const double own_width = static_cast<double>(pictures[i].width) * factor, own_height = static_cast<double>(pictures[i].height) * factor;
                if (!titles.empty()) canvas.text(x + step / 2, y + top / 2, titles[i], font);
                canvas.image(x + (step - own_width) / 2, y + top, own_width, own_height, pictures[i], factor < 1);
            }
            bundle.png = canvas.png();
        } else {
            const auto times = static_cast<std::size_t>(std::max(1.0, factor));
            Pixels sheet(columns * (widest * times + gap) - gap, rows * (highest * times + gap) - gap, 1);
            std::fill(sheet.bytes.begin(), sheet.bytes.end(), 255);
            for (std::size_t i = 0; i < pictures.size(); ++i) {
                const Pixels large = enlarged(pictures[i], times);
                for (std::size_t y = 0; y < large.height; ++y)
                    std::copy_n(large.at(0, y), large.width, sheet.at(i % columns * (widest * times + gap), i / columns * (highest * times + gap) + y));
            }
            bundle.png = notebook::png(sheet);
        }
    }
    notebook::publish(bundle);
}

bool in_ci() {
    for (const char* name : {"CI", "NBGRADER_EXECUTION", "PYTEST_CURRENT_TEST"})
        if (std::getenv(name)) return true;
    return false;
}

std::string machine_line() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    const int cores = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : static_cast<int>(std::thread::hardware_concurrency());
#if defined(__x86_64__)
    const std::string processor = "x86-64";
#elif defined(__aarch64__)
    const std::string processor = "aarch64";
#else
    const std::string processor = "another processor";
#endif
    const Device device = Device::best();
    return std::to_string(cores) + (cores == 1 ? " core, " : " cores, ") + processor + ", " + (device.is_simulator() ? "CUDA simulator" : device.name());
}

}  // namespace lanes
