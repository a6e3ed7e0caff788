// A plot as PNG, drawn on a Canvas.
#include "plot_layout.hpp"
#include "plot_style.hpp"

#include "lanes/notebook/table.hpp"

#include <algorithm>
#include <cmath>

namespace lanes::notebook {

namespace {

using Kind = Series::Kind;

constexpr double margin = 10, tick_length = 5, longest_label = 180;

class Picture {
public:
    Picture(const PlotData& data, const PlotLayout& layout)
        : data_(data), layout_(layout), canvas_(layout.width, layout.height) {
        make_room();
    }

    std::string draw() {
        const double size = layout_.title_size;
        if (!data_.title.empty())
            canvas_.text(left_, margin + size / 2, data_.title,
                         canvas_.fitting({size, ink, Align::left, true}, data_.title,
                                         layout_.width - left_ - 4));
        draw_legend();
        if (data_.heat) draw_heat();
        draw_axes();
        canvas_.clip(left_ - 6, top_ - 6, right_ - left_ + 12, bottom_ - top_ + 12);
        for (std::size_t i = 0; i < data_.series.size() && !layout_.rules_behind; ++i)
            draw_series(i);
        for (const Rule& rule : data_.rules) draw_rule(rule);
        for (std::size_t i = 0; i < data_.series.size() && layout_.rules_behind; ++i)
            draw_series(i);
        for (const Rule& rule : data_.rules) draw_rule_text(rule);
        for (const Mark& mark : data_.marks) draw_mark(mark);
        canvas_.unclip();
        return canvas_.png();
    }

private:
    static Font label_font(Align align) { return {label_size, ink, align}; }

    // From outside in: title, legend, titles of the axes, labels; what is left is the plot.
    void make_room() {
        top_ = margin + (data_.title.empty() ? 0 : layout_.title_size + 12);
        legend_top_ = top_;
        if (!layout_.legend.empty()) top_ += legend_rows() * legend_line + 6;
        if (data_.title.empty() && layout_.legend.empty()) top_ += 4;
        double widest = 0;
        for (const Tick& tick : layout_.y.ticks)
            widest = std::max(widest, canvas_.text_width(tick.label, label_font(Align::right)));
        left_ =
            margin + widest + tick_length + 5 + (data_.y_title.empty() ? 0 : axis_title_size + 10);
        bottom_ = layout_.height - margin - label_size - tick_length - 6 -
                  (data_.x_title.empty() ? 0 : axis_title_size + 8);
        right_ = layout_.width - margin - 8;
        if (data_.labels.empty() &&
            !layout_.x.ticks.empty()) {  // half of the last label stands out to the right
            const double half =
                canvas_.text_width(layout_.x.ticks.back().label, label_font(Align::center)) / 2;
            right_ = std::min(right_, layout_.width - 4 - half);
        }
        if (layout_.slanted) {
            double longest = 0;
            for (const std::string& label : data_.labels)
                longest = std::max(longest, canvas_.text_width(label, label_font(Align::right)));
            bottom_ -= std::min(longest, longest_label) * std::sin(label_slant * M_PI / 180);
        }
        if (data_.heat) {
            double labels = 0;
            for (const Tick& tick : layout_.heat_axis.ticks)
                labels = std::max(labels, canvas_.text_width(tick.label, label_font(Align::left)));
            right_ -= 16 + 16 + 6 + labels;
        }
    }

    double at_x(double value) const { return left_ + layout_.x.place(value) * (right_ - left_); }
    double at_y(double value) const {
        const double place = layout_.y.place(value);
        return data_.heat ? top_ + place * (bottom_ - top_) : bottom_ - place * (bottom_ - top_);
    }

    double entry_width(std::size_t series) {
        return 34 + canvas_.text_width(data_.series[series].name, label_font(Align::left));
    }

    double legend_rows() {
        double x = 0, rows = 1;
        for (const std::size_t series : layout_.legend) {
            if (x > 0 && x + entry_width(series) > layout_.width - 2 * margin) x = 0, ++rows;
            x += entry_width(series);
        }
        return rows;
    }

    void draw_legend() {
        double x = left_, y = legend_top_ + label_size / 2;
        for (const std::size_t series : layout_.legend) {
            if (x > left_ && x + entry_width(series) > layout_.width - margin)
                x = left_, y += legend_line;
            const Kind kind = data_.series[series].kind;
            const Color color = series_color(series);
            if (kind == Kind::line)
                canvas_.polyline({{x, y}, {x + 18, y}}, false, {transparent, color, line_width(2)});
            if (kind == Kind::line || kind == Kind::points) draw_dot({x + 9, y}, series);
            if (kind == Kind::bars || kind == Kind::histogram)
                canvas_.rectangle(
                    x + 3, y - 6, 12, 12,
                    {faded(color, kind == Kind::histogram ? histogram_opacity(data_) : 1)});
            canvas_.text(x + 23, y, data_.series[series].name, label_font(Align::left));
            x += entry_width(series);
        }
    }

    static Color faded(Color color, double opacity) {
        color.alpha = opacity;
        return color;
    }

    // Half a pixel: a line of one pixel's width is sharp there.
    static double sharp(double place) { return std::round(place) + 0.5; }

    void draw_axes() {
        const Paint grid{transparent, grid_gray, 1}, line{transparent, axis_gray, 1};
        const bool bars = !data_.labels.empty();
        for (const Tick& tick : layout_.y.ticks) {
            const double y = sharp(at_y(tick.value));
            if (!data_.heat)
                canvas_.polyline({{left_, y}, {right_, y}}, false,
                                 bars && tick.value == 0 ? line : grid);
            canvas_.polyline({{left_ - tick_length, y}, {left_, y}}, false, line);
            canvas_.text(left_ - tick_length - 4, y, tick.label, label_font(Align::right));
        }
        if (bars)
            for (std::size_t i = 0; i < data_.labels.size(); ++i) {
                Font font = label_font(layout_.slanted ? Align::right : Align::center);
                if (layout_.slanted)
                    font = canvas_.fitting(font, data_.labels[i], longest_label),
                    font.slant = label_slant;
                canvas_.text(left_ + (static_cast<double>(i) + 0.5) * group(),
                             bottom_ + tick_length + 4 + label_size / 2, data_.labels[i], font);
            }
        for (const Tick& tick : layout_.x.ticks) {
            if (bars) break;
            const double x = sharp(at_x(tick.value));
            if (!data_.heat) canvas_.polyline({{x, top_}, {x, bottom_}}, false, grid);
            canvas_.polyline({{x, bottom_}, {x, bottom_ + tick_length}}, false, line);
            canvas_.text(x, bottom_ + tick_length + 4 + label_size / 2, tick.label,
                         label_font(Align::center));
        }
        canvas_.polyline(
            {{sharp(left_), top_}, {sharp(left_), sharp(bottom_)}, {right_, sharp(bottom_)}}, false,
            line);
        if (!data_.x_title.empty())
            canvas_.text(
                (left_ + right_) / 2, layout_.height - margin - axis_title_size / 2, data_.x_title,
                canvas_.fitting({axis_title_size}, data_.x_title, layout_.width - 2 * margin));
        if (!data_.y_title.empty())
            canvas_.text(margin + axis_title_size / 2, (top_ + bottom_) / 2, data_.y_title,
                         canvas_.fitting({axis_title_size, ink, Align::center, false, 90},
                                         data_.y_title, bottom_ - top_));
    }

    double group() const { return (right_ - left_) / static_cast<double>(data_.labels.size()); }

    void draw_dot(const Point& at, std::size_t series, double opacity = 1) {
        const double size = std::sqrt(dot_area) / 2;
        const Paint paint{faded(series_color(series), opacity), opacity < 1 ? transparent : white,
                          1};
        switch (series % 5) {
            case 0:
                canvas_.circle(at.x, at.y, size * 1.1, paint);
                break;
            case 1:
                canvas_.rectangle(at.x - size, at.y - size, 2 * size, 2 * size, paint);
                break;
            case 3:
                canvas_.polyline({{at.x, at.y - size * 1.4},
                                  {at.x + size * 1.4, at.y},
                                  {at.x, at.y + size * 1.4},
                                  {at.x - size * 1.4, at.y}},
                                 true, paint);
                break;
            default: {
                const double up = series % 5 == 2 ? -1 : 1;
                canvas_.polyline({{at.x, at.y + up * size * 1.3},
                                  {at.x + size * 1.3, at.y - up * size},
                                  {at.x - size * 1.3, at.y - up * size}},
                                 true, paint);
            }
        }
    }

    void draw_series(std::size_t number) {
        const Series& series = data_.series[number];
        if (series.kind == Kind::bars) return draw_bars(number);
        const auto& points = layout_.points[number];
        const Color color = series_color(number);
        if (series.kind == Kind::histogram) {
            for (std::size_t i = 0; i < points.size(); ++i) {
                if (points[i].y == 0) continue;
                const double x1 = at_x(layout_.edges[i]), x2 = at_x(layout_.edges[i + 1]),
                             y = at_y(points[i].y);
                canvas_.rectangle(x1 + 0.5, y, std::max(x2 - x1 - 1, 0.5), bottom_ - y,
                                  {faded(color, histogram_opacity(data_))});
            }
            return;
        }
        std::vector<Point> places;
        places.reserve(points.size());
        for (const Point& point : points) places.push_back({at_x(point.x), at_y(point.y)});
        if (series.kind == Kind::line)
            canvas_.polyline(places, false, {transparent, color, line_width(points.size())});
        if (series.kind == Kind::points || points.size() <= most_dots)
            for (const Point& place : places) draw_dot(place, number, dot_opacity(points.size()));
    }

    void draw_bars(std::size_t number) {
        const Series& series = data_.series[number];
        const double width = 0.75 * group() / static_cast<double>(data_.series.size()),
                     base = at_y(layout_.y.log ? layout_.y.low : 0);
        for (std::size_t i = 0; i < series.ys.size(); ++i) {
            const double x = left_ + (static_cast<double>(i) + 0.125) * group() +
                             static_cast<double>(number) * width,
                         y = at_y(series.ys[i]);
            canvas_.rectangle(x + 0.5, std::min(y, base), width - 1, std::fabs(base - y),
                              {series_color(number)});
            if (series.errors.empty()) continue;
            const double below = series.ys[i] - series.errors[i], middle = x + width / 2;
            const double y1 = at_y(layout_.y.log ? std::max(below, layout_.y.low) : below),
                         y2 = at_y(series.ys[i] + series.errors[i]);
            const Paint paint{transparent, ink, 1.5};
            canvas_.polyline({{middle, y1}, {middle, y2}}, false, paint);
            for (const double end : {y1, y2})
                canvas_.polyline({{middle - 4.5, end}, {middle + 4.5, end}}, false, paint);
        }
    }

    void draw_heat() {
        canvas_.image(left_, top_, right_ - left_, bottom_ - top_, heat_pixels(layout_));
        if (layout_.heat_numbers) draw_numbers();
        constexpr std::size_t steps = 128;
        Pixels bar(1, steps, 3);
        for (std::size_t i = 0; i < steps; ++i)
            write_pixel(bar.at(0, i), heat_color(1 - static_cast<double>(i) / (steps - 1)));
        const double x = right_ + 16, height = std::min(220.0, bottom_ - top_);
        canvas_.image(x, top_, 16, height, bar);
        for (const Tick& tick : layout_.heat_axis.ticks)
            canvas_.text(x + 16 + 6, top_ + (1 - layout_.heat_axis.place(tick.value)) * height,
                         tick.label, label_font(Align::left));
    }

    void draw_numbers() {
        const Matrix& heat = layout_.heat;
        for (std::size_t row = 0; row < heat.shape(0); ++row)
            for (std::size_t column = 0; column < heat.shape(1); ++column) {
                const Font font{label_size, number_color(layout_, heat(row, column))};
                const std::string text = compact(heat(row, column));
                canvas_.text(
                    at_x(static_cast<double>(column)), at_y(static_cast<double>(row)), text,
                    canvas_.fitting(font, text,
                                    (right_ - left_) / static_cast<double>(heat.shape(1)) - 4));
            }
    }

    void draw_rule(const Rule& rule) {
        const double place = rule.across ? at_y(rule.at) : at_x(rule.at);
        const Point from = rule.across ? Point{left_, place} : Point{place, top_},
                    to = rule.across ? Point{right_, place} : Point{place, bottom_};
        canvas_.polyline({from, to}, false, {transparent, ink, 1.2, true});
    }

    void draw_rule_text(const Rule& rule) {
        if (rule.across)
            canvas_.text(right_ - 4, at_y(rule.at) - 8, rule.text, label_font(Align::right));
        else
            canvas_.text(at_x(rule.at) + 5, top_ + 8, rule.text, label_font(Align::left));
    }

    void draw_mark(const Mark& mark) {
        const double x = at_x(mark.x), y = at_y(mark.y);
        const bool left = mark_text_left(layout_, mark);
        canvas_.circle(x, y, 4, {ink, white, 1});
        Font font = label_font(left ? Align::right : Align::left);
        font.color = mark_color(data_, layout_, mark);
        canvas_.text(x + (left ? -8 : 8), y + (mark_text_below(data_, layout_, mark) ? 10 : -8),
                     mark.text, font);
    }

    static constexpr double legend_line = 18;

    const PlotData& data_;
    const PlotLayout& layout_;
    Canvas canvas_;
    double left_ = 0, right_ = 0, top_ = 0, bottom_ = 0, legend_top_ = 0;
};

}  // namespace

std::string picture(const PlotData& data, const PlotLayout& layout) {
    return Picture(data, layout).draw();
}

}  // namespace lanes::notebook
