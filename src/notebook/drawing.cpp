#include "lanes/notebook/drawing.hpp"

#include "canvas.hpp"
#include "front_end.hpp"

#include "lanes/base/error.hpp"

#include <cmath>
#include <functional>
#include <initializer_list>

namespace lanes {

using notebook::Canvas;
using notebook::Font;
using notebook::Paint;

namespace notebook {

struct DrawingData {
    int width, height;
    std::vector<std::function<void(Canvas&)>> steps;
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
    const auto align = style.align == "left"    ? notebook::Align::left
                       : style.align == "right" ? notebook::Align::right
                                                : notebook::Align::center;
    return {style.font_size, notebook::parse_color(style.stroke, operation), align, style.bold};
}

}  // namespace

Drawing::Drawing(int width, int height) : data_(std::make_unique<notebook::DrawingData>()) {
    LANES_REQUIRE(width > 0 && height > 0 && width <= 2000 && height <= 2000, "Drawing: ", width,
                  " x ", height, " pixels. Give between 1 and 2000 each way.");
    data_->width = width, data_->height = height;
}

Drawing::~Drawing() = default;
Drawing::Drawing(const Drawing& other)
    : data_(std::make_unique<notebook::DrawingData>(*other.data_)) {}
Drawing& Drawing::operator=(const Drawing& other) { return *data_ = *other.data_, *this; }

Drawing& Drawing::rectangle(double x, double y, double width, double height, const Style& style) {
    require_finite("Drawing::rectangle", {x, y, width, height});
    data_->steps.push_back([=, paint = paint_of("Drawing::rectangle", style)](Canvas& canvas) {
        canvas.rectangle(x, y, width, height, paint);
    });
    return *this;
}

Drawing& Drawing::circle(double x, double y, double radius, const Style& style) {
    require_finite("Drawing::circle", {x, y, radius});
    LANES_REQUIRE(radius >= 0, "Drawing::circle: the radius is ", radius, ". Give 0 or more.");
    data_->steps.push_back([=, paint = paint_of("Drawing::circle", style)](Canvas& canvas) {
        canvas.circle(x, y, radius, paint);
    });
    return *this;
}

Drawing& Drawing::line(double x1, double y1, double x2, double y2, const Style& style) {
    require_finite("Drawing::line", {x1, y1, x2, y2});
    data_->steps.push_back([=, paint = paint_of("Drawing::line", style)](Canvas& canvas) {
        canvas.polyline({{x1, y1}, {x2, y2}}, false, paint);
    });
    return *this;
}

Drawing& Drawing::lines(const std::vector<std::pair<double, double>>& places, const Style& style) {
    std::vector<notebook::Point> points;
    for (const auto& [x, y] : places) {
        require_finite("Drawing::lines", {x, y});
        points.push_back({x, y});
    }
    data_->steps.push_back([points, paint = paint_of("Drawing::lines", style)](Canvas& canvas) {
        canvas.polyline(points, paint.fill.alpha > 0, paint);
    });
    return *this;
}

Drawing& Drawing::arrow(double x1, double y1, double x2, double y2, const Style& style) {
    require_finite("Drawing::arrow", {x1, y1, x2, y2});
    const Paint paint = paint_of("Drawing::arrow", style);
    data_->steps.push_back([=](Canvas& canvas) {
        const double length = std::hypot(x2 - x1, y2 - y1),
                     head = std::min(5 + 3 * paint.width, length);
        if (length == 0) return;
        const double dx = (x2 - x1) / length, dy = (y2 - y1) / length, half = 0.4 * head,
                     x = x2 - head * dx, y = y2 - head * dy;
        canvas.polyline({{x1, y1}, {x + dx, y + dy}}, false,
                        {notebook::transparent, paint.stroke, paint.width,
                         paint.dashed});  // the tip stays sharp
        canvas.polyline({{x2, y2}, {x - half * dy, y + half * dx}, {x + half * dy, y - half * dx}},
                        true, {paint.stroke});
    });
    return *this;
}

Drawing& Drawing::text(double x, double y, const std::string& text, const Style& style) {
    require_finite("Drawing::text", {x, y});
    data_->steps.push_back(
        [=, font = font_of(style),
         plate = notebook::parse_color(style.fill, "Drawing::text")](Canvas& canvas) {
            if (plate.alpha > 0) {
                const double width = canvas.text_width(text, font) + 6, height = 1.3 * font.size;
                const double left = font.align == notebook::Align::left    ? x - 3
                                    : font.align == notebook::Align::right ? x + 3 - width
                                                                           : x - width / 2;
                canvas.rectangle(left, y - height / 2, width, height, {plate});
            }
            canvas.text(x, y, text, font);
        });
    return *this;
}

std::string Drawing::png() const {
    if (!Canvas::available()) return "";
    Canvas canvas(data_->width, data_->height);
    for (const auto& step : data_->steps) step(canvas);
    return canvas.png();
}

void Drawing::show(const std::string& what) const {
    notebook::Bundle bundle;
    bundle.text = "drawing: " + what;
    if (notebook::is_rich()) bundle.png = png();
    bundle.png_width = data_->width, bundle.png_height = data_->height;
    notebook::publish(bundle);
}

}  // namespace lanes
