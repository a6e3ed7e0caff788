#include "lanes/notebook/drawing.hpp"

#include "notebook/display/color.hpp"
#include "notebook/display/svg.hpp"
#include "notebook/front_end.hpp"

#include "lanes/base/error.hpp"

#include <cmath>
#include <initializer_list>

namespace lanes {

using notebook::Font;
using notebook::Paint;

namespace notebook {

struct DrawingData {
    Svg svg;
};

}  // namespace notebook

namespace {

void require_finite(const char* operation, std::initializer_list<double> numbers) {
    for (const double number : numbers)
        LANES_REQUIRE(std::isfinite(number), operation, ": a place or size is ", number,
                      ". Give finite numbers.");
}

Paint paint_of(const char* operation, const Style& style) {
    require_finite(operation, {style.width});
    return {notebook::parse_color(style.fill, operation),
            notebook::parse_color(style.stroke, operation), style.width, style.dashed};
}

Font font_of(const Style& style) {
    const char* operation = "Drawing::text";
    LANES_REQUIRE(style.font_size > 0 && style.font_size < 1000, operation, ": the font size is ",
                  style.font_size, ". Give one between 1 and 100.");
    LANES_REQUIRE(style.align == "left" || style.align == "center" || style.align == "right",
                  operation, ": align is '", style.align, "'. Write left, center or right.");
    return {style.font_size, notebook::parse_color(style.stroke, operation), style.align,
            style.bold, notebook::parse_color(style.fill, operation)};
}

}  // namespace

Drawing::Drawing(int width, int height) {
    LANES_REQUIRE(width > 0 && height > 0 && width <= 2000 && height <= 2000, "Drawing: ", width,
                  " x ", height, " pixels. Give between 1 and 2000 per side.");
    data_ = std::make_unique<notebook::DrawingData>(
        notebook::DrawingData{notebook::Svg(width, height)});
}

Drawing::~Drawing() = default;
Drawing::Drawing(const Drawing& other)
    : data_(std::make_unique<notebook::DrawingData>(*other.data_)) {}
Drawing& Drawing::operator=(const Drawing& other) { return *data_ = *other.data_, *this; }

Drawing& Drawing::rectangle(double x, double y, double width, double height, const Style& style) {
    require_finite("Drawing::rectangle", {x, y, width, height});
    // SVG does not draw rectangles of a negative size.
    data_->svg.rectangle(std::min(x, x + width), std::min(y, y + height), std::abs(width),
                         std::abs(height), paint_of("Drawing::rectangle", style));
    return *this;
}

Drawing& Drawing::circle(double x, double y, double radius, const Style& style) {
    require_finite("Drawing::circle", {x, y, radius});
    LANES_REQUIRE(radius >= 0, "Drawing::circle: the radius is ", radius, ". Give 0 or more.");
    data_->svg.circle(x, y, radius, paint_of("Drawing::circle", style));
    return *this;
}

Drawing& Drawing::line(double x1, double y1, double x2, double y2, const Style& style) {
    require_finite("Drawing::line", {x1, y1, x2, y2});
    data_->svg.polyline({{x1, y1}, {x2, y2}}, false, paint_of("Drawing::line", style));
    return *this;
}

Drawing& Drawing::lines(const std::vector<std::pair<double, double>>& places, const Style& style) {
    for (const auto& [x, y] : places) require_finite("Drawing::lines", {x, y});
    const Paint paint = paint_of("Drawing::lines", style);
    data_->svg.polyline(places, paint.fill != "none", paint);
    return *this;
}

Drawing& Drawing::arrow(double x1, double y1, double x2, double y2, const Style& style) {
    require_finite("Drawing::arrow", {x1, y1, x2, y2});
    const Paint paint = paint_of("Drawing::arrow", style);
    const double length = std::hypot(x2 - x1, y2 - y1);
    if (length == 0) return *this;
    const double head = std::min(5 + 3 * paint.width, length);
    const double half = 0.4 * head;  // of the head's width
    const double dx = (x2 - x1) / length;
    const double dy = (y2 - y1) / length;
    const double x = x2 - head * dx;
    const double y = y2 - head * dy;
    // The line ends inside the head, so that the tip stays sharp.
    data_->svg.polyline({{x1, y1}, {x + dx, y + dy}}, false,
                        {"none", paint.stroke, paint.width, paint.dashed});
    data_->svg.polyline({{x2, y2}, {x - half * dy, y + half * dx}, {x + half * dy, y - half * dx}},
                        true, {paint.stroke});
    return *this;
}

Drawing& Drawing::text(double x, double y, const std::string& text, const Style& style) {
    require_finite("Drawing::text", {x, y});
    data_->svg.text(x, y, text, font_of(style));
    return *this;
}

std::string Drawing::svg() const { return data_->svg.file(); }

void Drawing::show(const std::string& what) const {
    notebook::Bundle bundle;
    bundle.text = "drawing: " + what;
    bundle.svg = svg();
    notebook::publish(bundle);
}

}  // namespace lanes
