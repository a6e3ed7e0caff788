#include "plot_layout.hpp"

#include "plot_style.hpp"
#include "text.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace lanes::notebook {

namespace {

// More than this is not told apart at this width, and would only make the notebook large.
constexpr std::size_t most_line_points = 1000, most_points = 2000, most_cells = 160;

using Kind = Series::Kind;

void require_positive(const PlotData& data) {
    const auto look = [](bool log, const char* axis, const std::string& name,
                         const std::vector<double>& values) {
        for (std::size_t i = 0; log && i < values.size(); ++i)
            LANES_REQUIRE(values[i] > 0, "Plot::log_", axis, ": '", name, "' has ", axis, "[", i,
                          "] = ", values[i],
                          ", and a logarithmic axis has no place for numbers that are not above 0. "
                          "Leave it out, or use a plain axis.");
    };
    for (const Series& series : data.series) {
        if (series.kind != Kind::bars) look(data.log_x, "x", series.name, series.xs);
        look(data.log_y, "y", series.name, series.ys);
    }
    for (const Mark& mark : data.marks)
        look(data.log_x, "x", mark.text, {mark.x}), look(data.log_y, "y", mark.text, {mark.y});
    for (const Rule& rule : data.rules)
        look(rule.across ? data.log_y : data.log_x, rule.across ? "y" : "x", rule.text, {rule.at});
    if (data.range_x) look(data.log_x, "x", "range_x", {data.range_x->first});
    if (data.range_y) look(data.log_y, "y", "range_y", {data.range_y->first});
}

// The lowest and the highest of each stretch: what a line of many points looks like.
std::vector<Point> outline(const Series& series) {
    std::vector<Point> kept;
    const std::size_t stretches = most_line_points / 2, count = series.xs.size();
    for (std::size_t s = 0; s < stretches; ++s) {
        std::size_t low = s * count / stretches, high = low;
        for (std::size_t i = low; i < (s + 1) * count / stretches; ++i) {
            if (series.ys[i] < series.ys[low]) low = i;
            if (series.ys[i] > series.ys[high]) high = i;
        }
        kept.push_back({series.xs[std::min(low, high)], series.ys[std::min(low, high)]});
        if (low != high)
            kept.push_back({series.xs[std::max(low, high)], series.ys[std::max(low, high)]});
    }
    return kept;
}

struct Span {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    void add(double value) { low = std::min(low, value), high = std::max(high, value); }
};

}  // namespace

PlotLayout::PlotLayout(const PlotData& data) {
    LANES_REQUIRE(!data.series.empty() || data.heat || !data.marks.empty(), "Plot::show: '",
                  data.title, "' holds nothing. Add a line, bars, a histogram or a heat map.");
    const bool bars = !data.labels.empty();
    LANES_REQUIRE(!(data.log_x && (bars || data.heat)), "Plot::log_x: '", data.title,
                  "' has no numbers on its x axis. Leave log_x out.");
    LANES_REQUIRE(!(data.log_y && data.heat), "Plot::log_y: '", data.title,
                  "' has no numbers on its y axis. Leave log_y out.");
    require_positive(data);
    bin(data);
    reduce(data);
    if (data.heat) reduce_heat(*data.heat);
    if (data.size) std::tie(width, height) = *data.size;
    make_axes(data);
    for (const Series& series : data.series)
        rules_behind = rules_behind && series.kind != Kind::bars && series.kind != Kind::histogram;
    fit_texts(data);
}

// Without a canvas nobody knows how wide a text is: about 0.6 of the font's size for each letter,
// 0.7 in bold.
void PlotLayout::fit_texts(const PlotData& data) {
    constexpr double outside = 80;  // labels of the y axis and margins
    const double room = width - outside;
    title_size =
        std::clamp(room / (0.7 * static_cast<double>(std::max<std::size_t>(length(data.title), 1))),
                   9.0, title_size);
    for (const std::string& label : data.labels)
        slanted = slanted || 0.6 * label_size * static_cast<double>(length(label)) >
                                 0.95 * room / static_cast<double>(data.labels.size());
    std::size_t longest = 0;
    for (std::size_t i = 0; i < data.series.size(); ++i) {
        if (data.series.size() < 2 || data.series[i].name.empty()) continue;
        legend.push_back(i);
        longest = std::max(longest, length(data.series[i].name));
    }
    legend_columns = std::max(
        1, static_cast<int>(room / (34 + 0.6 * label_size * static_cast<double>(longest))));
}

void PlotLayout::bin(const PlotData& data) {
    Span span;
    std::size_t bins = 0;
    for (const Series& series : data.series)
        if (series.kind == Kind::histogram) {
            bins = series.bins;
            for (const double value : series.xs) span.add(value);
        }
    if (bins == 0) return;
    if (span.low == span.high && !data.log_x) span.low -= 0.5, span.high += 0.5;
    if (span.low == span.high && data.log_x) span.low /= 2, span.high *= 2;
    for (std::size_t i = 0; i <= bins; ++i) {
        const double part = static_cast<double>(i) / static_cast<double>(bins);
        edges.push_back(data.log_x ? span.low * std::pow(span.high / span.low, part)
                                   : span.low + part * (span.high - span.low));
    }
    edges.back() = span.high;
}

void PlotLayout::reduce(const PlotData& data) {
    for (const Series& series : data.series) {
        std::vector<Point> kept;
        if (series.kind == Kind::histogram) {
            kept.reserve(edges.size());
            for (std::size_t i = 0; i + 1 < edges.size(); ++i)
                kept.push_back({(edges[i] + edges[i + 1]) / 2, 0});
            for (const double value : series.xs) {
                const auto after = std::upper_bound(edges.begin(), edges.end() - 1, value) -
                                   edges.begin();  // the last bin holds its upper edge, too
                ++kept[static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - 1, 0))].y;
            }
        } else if (series.kind == Kind::line && series.xs.size() > most_line_points) {
            kept = outline(series);
        } else {
            const std::size_t stride = series.kind == Kind::points
                                           ? (series.xs.size() + most_points - 1) / most_points
                                           : 1;
            for (std::size_t i = 0; i < series.xs.size(); i += stride)
                kept.push_back({series.xs[i], series.ys[i]});
        }
        points.push_back(std::move(kept));
    }
}

void PlotLayout::reduce_heat(const Matrix& values) {
    const std::size_t down = (values.shape(0) + most_cells - 1) / most_cells,
                      right = (values.shape(1) + most_cells - 1) / most_cells;
    const std::size_t rows = (values.shape(0) + down - 1) / down,
                      columns = (values.shape(1) + right - 1) / right;
    heat = Matrix(Matrix::shape_type{rows, columns});
    Span span;
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < columns; ++column) {
            double sum = 0;
            std::size_t count = 0;
            for (std::size_t i = row * down; i < std::min((row + 1) * down, values.shape(0)); ++i)
                for (std::size_t j = column * right;
                     j < std::min((column + 1) * right, values.shape(1)); ++j)
                    sum += values(i, j), ++count;
            heat(row, column) = static_cast<float>(sum / static_cast<double>(count));
            span.add(heat(row, column));
        }
    heat_low = span.low, heat_high = span.high == span.low ? span.low + 1 : span.high;
    heat_numbers = values.shape(0) <= 16 && values.shape(1) <= 12;
    // square cells, as far as the page allows; the axes and the bar of colours take about 130 x 80
    const double aspect =
        static_cast<double>(values.shape(1)) / static_cast<double>(values.shape(0));
    if (aspect < 1.6)
        width = std::clamp(static_cast<int>(130 + 320 * aspect), 340, 640);
    else
        height = std::clamp(static_cast<int>(80 + 510 / aspect), 200, 400);
    AxisWishes wishes;
    wishes.ticks = 5;
    heat_axis = fixed_axis(heat_low, heat_high, wishes);
}

void PlotLayout::make_axes(const PlotData& data) {
    Span xs, ys;
    bool whole = true, twos = true, from_zero = false;
    const auto add_x = [&](double value) {
        xs.add(value);
        whole = whole && value == std::floor(value);
        twos = twos && value > 0 && std::log2(value) == std::floor(std::log2(value));
    };
    for (std::size_t s = 0; s < data.series.size(); ++s) {
        const Series& series = data.series[s];
        from_zero = from_zero || series.kind == Kind::bars || series.kind == Kind::histogram;
        if (series.kind == Kind::line || series.kind == Kind::points)
            for (const double value : series.xs) add_x(value);
        for (const double value : series.ys) ys.add(value);
        for (std::size_t i = 0; i < series.errors.size(); ++i) {
            ys.add(series.ys[i] + series.errors[i]);
            if (!data.log_y || series.ys[i] > series.errors[i])
                ys.add(series.ys[i] - series.errors[i]);
        }
        if (series.kind == Kind::histogram)
            for (const Point& point : points[s])
                if (!data.log_y || point.y > 0) ys.add(point.y);
    }
    if (!edges.empty()) whole = twos = false, xs.add(edges.front()), xs.add(edges.back());
    for (const Mark& mark : data.marks) xs.add(mark.x), ys.add(mark.y);
    for (const Rule& rule : data.rules) (rule.across ? ys : xs).add(rule.at);
    if (xs.low > xs.high) xs.add(0), xs.add(1);
    if (ys.low > ys.high) ys.add(data.log_y ? 1 : 0), ys.add(10);

    AxisWishes x_wishes{data.log_x, whole, twos && data.log_x, true,
                        static_cast<std::size_t>(width / 90)};
    AxisWishes y_wishes{data.log_y, !edges.empty(), false, false,
                        static_cast<std::size_t>(height / 65)};
    if (data.heat) {
        const auto rows = static_cast<double>(data.heat->shape(0)),
                   columns = static_cast<double>(data.heat->shape(1));
        x_wishes.whole_numbers = y_wishes.whole_numbers = true;
        if (rows <= 16) y_wishes.ticks = static_cast<std::size_t>(rows);  // each has its number
        if (columns <= 16) x_wishes.ticks = static_cast<std::size_t>(columns);
        x = fixed_axis(-0.5, columns - 0.5, x_wishes);
        y = fixed_axis(-0.5, rows - 0.5, y_wishes);
        return;
    }
    if (!data.log_y && (from_zero || (ys.low > 0 && ys.low < 0.35 * ys.high))) ys.add(0);
    if (data.log_y && from_zero) ys.add(ys.low / 2);  // the lowest bar has a height, too
    x = data.range_x ? fixed_axis(data.range_x->first, data.range_x->second, x_wishes)
                     : make_axis(xs.low, xs.high, x_wishes);
    y = data.range_y ? fixed_axis(data.range_y->first, data.range_y->second, y_wishes)
                     : make_axis(ys.low, ys.high, y_wishes);
}

}  // namespace lanes::notebook
