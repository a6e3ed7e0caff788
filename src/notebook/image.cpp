#include "image.hpp"

#include "canvas.hpp"

#include <algorithm>
#include <cmath>

namespace lanes::notebook {

namespace {

// In pixels of the page.
constexpr double page_width = 660, page_height = 560;
constexpr double small_image = 280;  // a handful of pixels need not fill the page
constexpr double tile = 140;         // the most that an image of a grid is enlarged to
constexpr std::size_t gap = 10;
constexpr double title_height = 20;

// How many pixels of the page one of the image takes: whole numbers keep the pixels square, a part
// below 1 makes a large image fit.
double enlargement(std::size_t columns, std::size_t rows, double width, double height) {
    const double fits =
        std::min(width / static_cast<double>(columns), height / static_cast<double>(rows));
    return fits >= 1 ? std::floor(fits) : fits;
}

// Without Cairo: whole pixels only, so an image that is too large stays as large as it is.
Pixels enlarged(const Pixels& pixels, double factor) {
    const auto times = static_cast<std::size_t>(std::max(1.0, factor));
    Pixels large(pixels.width * times, pixels.height * times, pixels.channels);
    for (std::size_t y = 0; y < large.height; ++y)
        for (std::size_t x = 0; x < large.width; ++x)
            std::copy_n(pixels.at(x / times, y / times), pixels.channels, large.at(x, y));
    return large;
}

int rounded_up(double value) { return static_cast<int>(std::ceil(value - 1e-9)); }

struct Grid {
    std::size_t columns, rows;
    std::size_t widest = 0, highest = 0;  // of the pictures, in pixels of their own
    double factor = 1;

    Grid(const std::vector<Pixels>& pictures, std::size_t columns)
        : columns(columns), rows((pictures.size() + columns - 1) / columns) {
        for (const Pixels& one : pictures)
            widest = std::max(widest, one.width), highest = std::max(highest, one.height);
        const double room = page_width / static_cast<double>(columns) - static_cast<double>(gap);
        const double wide = std::max(tile, static_cast<double>(widest)),
                     high = std::max(tile,
                                     static_cast<double>(highest));  // photographs stay as they are
        factor = enlargement(widest, highest, std::clamp(room, 8.0, wide), high);
    }
};

ImageFile drawn(const Grid& grid, const std::vector<Pixels>& pictures,
                const std::vector<std::string>& titles) {
    const Font font{11};
    const double top = titles.empty() ? 0 : title_height,
                 most = page_width / static_cast<double>(grid.columns);
    double step = static_cast<double>(grid.widest) * grid.factor + gap;
    Canvas ruler(1, 1);
    for (const std::string& title : titles)
        step = std::max(step, std::min(ruler.text_width(title, font) + 8, most));
    const double down = static_cast<double>(grid.highest) * grid.factor + top + gap;
    ImageFile file{"", rounded_up(step * static_cast<double>(grid.columns)),
                   rounded_up(down * static_cast<double>(grid.rows))};
    Canvas canvas(file.width, file.height);
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        const std::size_t row = i / grid.columns, column = i % grid.columns;
        const double x = static_cast<double>(column) * step, y = static_cast<double>(row) * down;
        const double width = static_cast<double>(pictures[i].width) * grid.factor,
                     height = static_cast<double>(pictures[i].height) * grid.factor;
        if (!titles.empty())
            canvas.text(x + step / 2, y + top / 2, titles[i],
                        canvas.fitting(font, titles[i], step - 4));
        canvas.image(x + (step - width) / 2, y + top, width, height, pictures[i], grid.factor < 1);
    }
    file.png = canvas.png();
    return file;
}

ImageFile put_together(const Grid& grid, const std::vector<Pixels>& pictures) {
    const auto times = static_cast<std::size_t>(std::max(1.0, grid.factor));
    const std::size_t step = grid.widest * times + gap, down = grid.highest * times + gap;
    Pixels sheet(grid.columns * step - gap, grid.rows * down - gap, 1);
    std::fill(sheet.bytes.begin(), sheet.bytes.end(), 255);
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        const Pixels large = enlarged(pictures[i], grid.factor);
        for (std::size_t y = 0; y < large.height; ++y)
            std::copy_n(large.at(0, y), large.width,
                        sheet.at(i % grid.columns * step, i / grid.columns * down + y));
    }
    return {png(sheet)};
}

}  // namespace

ImageFile image_file(const Pixels& pixels, const std::string& title) {
    double factor = enlargement(pixels.width, pixels.height, page_width, page_height);
    factor = std::min(factor,
                      std::max(1.0, std::floor(small_image / static_cast<double>(std::max(
                                                                 pixels.width, pixels.height)))));
    if (!Canvas::available() || (title.empty() && factor >= 1))
        return {png(enlarged(pixels, factor))};

    const Font font{13};
    const double width = static_cast<double>(pixels.width) * factor,
                 height = static_cast<double>(pixels.height) * factor;
    const double top = title.empty() ? 0 : title_height + 4;
    const double whole = title.empty() ? width
                                       : std::clamp(Canvas(1, 1).text_width(title, font) + 8, width,
                                                    std::max(width, page_width));
    ImageFile file{"", rounded_up(whole), rounded_up(height + top)};
    Canvas canvas(file.width, file.height);
    if (!title.empty())
        canvas.text(whole / 2, title_height / 2, title, canvas.fitting(font, title, whole));
    canvas.image((whole - width) / 2, top, width, height, pixels, factor < 1);
    file.png = canvas.png();
    return file;
}

ImageFile grid_file(const std::vector<Pixels>& pictures, const std::vector<std::string>& titles,
                    std::size_t columns) {
    const Grid grid(pictures, columns);
    return Canvas::available() ? drawn(grid, pictures, titles) : put_together(grid, pictures);
}

}  // namespace lanes::notebook
