#include "correlation_values.hpp"

#include <algorithm>
#include <cmath>

namespace lanes::notebook {

namespace {

using Index = std::ptrdiff_t;

Index size_of(std::size_t n) { return static_cast<Index>(n); }

double largest(const Values& values) {
    double result = 0;
    for (const double x : values.numbers) result = std::max(result, std::fabs(x));
    return result;
}

double pixel(const Values& image, Index y, Index x, Window::Outside outside) {
    const Index rows = size_of(image.rows()), columns = size_of(image.columns());
    if (outside == Window::Outside::nearest) {
        y = std::clamp(y, Index{0}, rows - 1);
        x = std::clamp(x, Index{0}, columns - 1);
    }
    const bool inside =
        outside == Window::Outside::next_row
            ? y >= 0 && y < rows && y * columns + x >= 0 && y * columns + x < rows * columns
            : y >= 0 && y < rows && x >= 0 && x < columns;
    return inside ? image.numbers[static_cast<std::size_t>(y * columns + x)] : 0;
}

}  // namespace

Window centred(const Values& filter) {
    Window window;
    window.above = size_of(filter.rows()) / 2;
    window.left = size_of(filter.columns()) / 2;
    return window;
}

Values correlated(const Values& filter, const Values& image, const Window& window) {
    Values result{image.shape, {}};
    const Index high = size_of(filter.rows()), wide = size_of(filter.columns());
    for (Index y = 0; y < size_of(image.rows()); ++y)
        for (Index x = 0; x < size_of(image.columns()); ++x) {
            double sum = 0;
            Index from_y = y, from_x = x;
            for (Index i = 0; i < high; ++i)
                for (Index j = 0; j < wide; ++j) {
                    from_y = (window.drifts ? from_y : y) + i - window.above;
                    from_x = (window.drifts ? from_x : x) + j - window.left;
                    const Index own = window.transposed ? j * wide + i : i * wide + j;
                    const Index at = window.turned ? high * wide - 1 - own : own;
                    sum += filter.numbers[static_cast<std::size_t>(at)] *
                           pixel(image, from_y, from_x, window.outside);
                }
            result.numbers.push_back(sum);
        }
    return result;
}

std::vector<KnownMistake> correlation_mistakes(const Values& filter, const Values& image) {
    std::vector<KnownMistake> mistakes;
    const auto add = [&](auto change, const char* words) {
        Window window = centred(filter);
        change(window);
        mistakes.push_back({correlated(filter, image, window), words});
    };
    add([](Window& w) { w.turned = true; },
        "This is a convolution: the filter is turned by 180 degrees. filter(0, 0) belongs to the "
        "neighbour above and to the left.");
    if (filter.rows() == filter.columns())
        add([](Window& w) { w.transposed = true; },
            "The filter is transposed: filter(i, j) has the number of its row first, and i goes "
            "with y, j with x.");
    add([](Window& w) { std::swap(w.above, w.left); },
        "Half the height and half the width are swapped: right for square filters, wrong for this "
        "one. y goes with the filter's rows, x with its columns.");
    add([](Window& w) { w.above = w.left = 0; },
        "The filter is not centred: it begins at the pixel, as if half its width were 0. Whole "
        "numbers are divided without fraction: 1 / 2 is 0, also -1 / 2.");
    add([](Window& w) { ++w.above, ++w.left; },
        "The filter lies one pixel too far up and left: a filter of 3 has 3 / 2 = 1 row before its "
        "middle.");
    add([](Window& w) { w.outside = Window::Outside::next_row; },
        "Left and right of the image, the next row is read: x must be asked, too, whether it lies "
        "in the image. Outside everything is 0.");
    add([](Window& w) { w.outside = Window::Outside::nearest; },
        "The border is repeated outward. Outside the image everything is 0.");
    add([](Window& w) { w.drifts = true; },
        "The pixel's own row and column change inside the loops over the filter: where to read "
        "needs variables of its own.");
    return mistakes;
}

Tolerance correlation_tolerance(const Values& filter, const Values& image) {
    double sum = 0;
    for (const double x : filter.numbers) sum += std::fabs(x);
    return {1e-5 * sum * largest(image), 1e-4};
}

std::string correlation_words(const Values& got, const Values& expected, std::size_t filter_rows,
                              std::size_t filter_columns) {
    bool whole = true;
    for (const double x : got.numbers) whole = whole && x == std::trunc(x);
    if (const std::string border = border_words(got, expected, filter_rows, filter_columns);
        !border.empty())
        return border;
    if (whole && largest(got) > 0)
        return "Every result is a whole number: the sum or the result is an int, which cuts off "
               "fractions.";
    return "";
}

std::string border_words(const Values& got, const Values& expected, std::size_t filter_rows,
                         std::size_t filter_columns) {
    const std::size_t rows = got.rows(), columns = got.columns(), above = filter_rows / 2,
                      left = filter_columns / 2;
    bool border_alone = true, some_inside = false, border_black = true;
    for (std::size_t y = 0; y < rows; ++y)
        for (std::size_t x = 0; x < columns; ++x) {
            const double a = got.at(y, x), b = expected.at(y, x);
            const bool inside = y >= above && y + above < rows && x >= left && x + left < columns;
            some_inside = some_inside || inside;
            if (inside)
                border_alone = border_alone && std::fabs(a - b) <= 1e-4 * (1 + std::fabs(b));
            if (!inside) border_black = border_black && a == 0;
        }
    if (border_alone && some_inside && border_black)
        return "Pixels near the border are never computed: they need a result, too, with 0 for "
               "what lies outside.";
    if (border_alone && some_inside)
        return "Only pixels near the border are wrong: outside the image everything is 0, and "
               "nothing may be read there.";
    return "";
}

}  // namespace lanes::notebook
