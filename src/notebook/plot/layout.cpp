#include "notebook/plot/layout.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <tuple>

namespace lanes::notebook {

namespace {

using Kind = Series::Kind;

// Each row and column of a small heat map has its number.
double ticks_of_cells(const Axis& axis, double ticks) {
    const double cells = axis.span.high - axis.span.low;
    return cells <= 16 ? cells : ticks;
}

Json scale_of(const Axis& axis) {
    Json scale{{"type", axis.log ? "log" : "linear"}, {"nice", false}};
    if (!axis.log) scale["zero"] = false;
    if (axis.log && axis.powers_of_two) scale["base"] = 2;
    if (axis.span.low == axis.span.high) {  // one value, which belongs in the middle
        const double low = axis.span.low;
        const double room = low == 0 ? 1 : std::fabs(low) * 0.1;
        scale["domain"] = axis.log ? Json{low / 2, low * 2} : Json{low - room, low + room};
    }
    return scale;
}

}  // namespace

Json number(double value) {
    if (value == std::floor(value) && std::fabs(value) < 1e15) return static_cast<long long>(value);
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return std::strtod(text, nullptr);
}

Json title_of(const std::string& title) { return title.empty() ? Json(nullptr) : Json(title); }

void Axis::add(double value) {
    span.add(value);
    whole_numbers = whole_numbers && value == std::floor(value);
    powers_of_two = powers_of_two && value > 0 && std::log2(value) == std::floor(std::log2(value));
}

double Axis::place(double value) const {
    if (span.low == span.high) return 0.5;
    return log ? std::log(value / span.low) / std::log(span.high / span.low)
               : (value - span.low) / (span.high - span.low);
}

Layout::Layout(const PlotData& data) : data(data), edges(bin_edges(data)) {
    x.log = data.log_x;
    y.log = data.log_y;
    for (const Series& series : data.series) {
        const bool is_histogram = series.kind == Kind::histogram;
        points.push_back(is_histogram ? bins_of(series) : reduced(series));
        from_zero = from_zero || series.kind == Kind::bars || is_histogram;
    }
    if (data.heat) {
        heat = reduced(*data.heat);
        for (const float value : heat) heat_span.add(value);
        if (heat_span.low == heat_span.high) heat_span.high += 1;
    }
    fit_size();
    measure_axes();
}

// The middle of each bin, and its count.
std::vector<Point> Layout::bins_of(const Series& series) const {
    const auto counts = count_in_bins(series.xs, edges);
    std::vector<Point> bins;
    bins.reserve(counts.size());
    for (std::size_t i = 0; i < counts.size(); ++i)
        bins.push_back({(edges[i] + edges[i + 1]) / 2, static_cast<double>(counts[i])});
    return bins;
}

void Layout::fit_size() {
    if (data.size) {
        std::tie(width, height) = *data.size;
    } else if (!data.timeline.empty()) {
        constexpr int row_height = 34;
        const int rows = static_cast<int>(lanes_of(data).size());
        height = std::clamp(110 + row_height * rows, 160, 800);
    } else if (data.heat) {
        // Square cells, as far as the page allows. Axes and legend take about 130 x 80 pixels.
        const double aspect =
            static_cast<double>(data.heat->shape(1)) / static_cast<double>(data.heat->shape(0));
        if (aspect < 1.6)
            width = std::clamp(static_cast<int>(130 + 320 * aspect), 340, 640);
        else
            height = std::clamp(static_cast<int>(80 + 510 / aspect), 200, 400);
    }
}

void Layout::measure_axes() {
    if (data.heat) {
        x.span = {-0.5, static_cast<double>(data.heat->shape(1)) - 0.5};
        y.span = {-0.5, static_cast<double>(data.heat->shape(0)) - 0.5};
        return;
    }
    for (const TimelineBar& bar : data.timeline) {
        x.span.add(bar.start);
        x.span.add(bar.end);
        x.whole_numbers = false;
    }
    for (std::size_t s = 0; s < data.series.size(); ++s) {
        const Series& series = data.series[s];
        if (series.kind == Kind::line || series.kind == Kind::points)
            for (const double value : series.xs) x.add(value);
        for (const double value : series.ys) y.span.add(value);
        for (std::size_t i = 0; i < series.errors.size(); ++i) {
            y.span.add(series.ys[i] + series.errors[i]);
            if (!y.log || series.ys[i] > series.errors[i])
                y.span.add(series.ys[i] - series.errors[i]);
        }
        if (series.kind == Kind::histogram)
            for (const Point& point : points[s])
                if (!y.log || point.y > 0) y.span.add(point.y);
    }
    for (const double edge : edges) x.add(edge);
    y.whole_numbers = !edges.empty();  // counts
    y.powers_of_two = false;
    for (const Mark& mark : data.marks) {
        x.span.add(mark.x);
        y.span.add(mark.y);
    }
    for (const Rule& rule : data.rules) (rule.horizontal ? y : x).span.add(rule.at);
    if (data.range_x) x.span = {data.range_x->first, data.range_x->second};
    if (data.range_y) y.span = {data.range_y->first, data.range_y->second};
}

Json Layout::axis_of(const Axis& axis, const std::string& title, double ticks) const {
    // No more ticks than whole numbers: else there would be ticks between them.
    if (!axis.log && axis.whole_numbers)
        ticks = std::max(1.0, std::min(ticks, std::floor(axis.span.high - axis.span.low)));
    return {{"title", title_of(title)},
            {"grid", !data.heat},
            {"tickCount", number(std::floor(ticks))},
            {"labelExpr", short_labels}};
}

Json Layout::x_axis() const {
    const double ticks = width / 90;  // NOLINT(bugprone-integer-division): whole ticks
    return axis_of(x, data.x_title, data.heat ? ticks_of_cells(x, ticks) : ticks);
}

Json Layout::y_axis() const {
    const double ticks = height / 65;  // NOLINT(bugprone-integer-division): whole ticks
    Json axis = axis_of(y, data.y_title, data.heat ? ticks_of_cells(y, ticks) : ticks);
    if (!data.labels.empty())
        axis["gridColor"] = {{"condition", {{"test", "datum.value == 0"}, {"value", axis_gray}}},
                             {"value", grid_gray}};
    return axis;
}

Json Layout::x_scale() const {
    Json scale = scale_of(x);
    if (data.range_x || data.heat)
        scale["domain"] = {x.span.low, x.span.high};
    else if (!scale.contains("domain"))
        scale["padding"] = 12;
    return scale;
}

Json Layout::y_scale() const {
    Json scale = scale_of(y);
    if (data.heat) scale["reverse"] = true;  // the first row is on top
    if (data.range_y || data.heat) {
        scale["domain"] = {y.span.low, y.span.high};
        return scale;
    }
    const bool near_zero = y.span.low > 0 && y.span.low < 0.35 * y.span.high;
    if (y.log && from_zero) {
        scale["domain"] = {base_of_bars(), y.span.high * 1.3};
    } else if (y.log) {
        if (!scale.contains("domain")) scale["padding"] = 12;
    } else if (from_zero || near_zero) {
        scale.erase("domain");
        scale["zero"] = true;
        scale["nice"] = true;
    } else if (!scale.contains("domain")) {
        scale["nice"] = true;
    }
    return scale;
}

// A logarithmic axis has no 0: the lowest bar then has the height of a factor of two.
double Layout::base_of_bars() const {
    if (!y.log) return 0;
    return data.range_y ? y.span.low : y.span.low / 2;
}

Json Layout::x_field() const {
    return {{"field", "x"}, {"type", "quantitative"}, {"scale", x_scale()}, {"axis", x_axis()}};
}

Json Layout::y_field() const {
    return {{"field", "y"}, {"type", "quantitative"}, {"scale", y_scale()}, {"axis", y_axis()}};
}

}  // namespace lanes::notebook
