#include "notebook/plot/plot_data.hpp"

#include "base/math.hpp"
#include "lanes/base/error.hpp"

#include <cmath>

namespace lanes::notebook {

namespace {

constexpr std::size_t most_line_points = 1000;
constexpr std::size_t most_points = 2000;
constexpr std::size_t most_cells = 160;  // per side of a heat map

using Kind = Series::Kind;

// The lowest and the highest of each stretch: what a line of many points looks like.
std::vector<Point> outline(const Series& series) {
    std::vector<Point> kept;
    const std::size_t stretches = most_line_points / 2;
    const std::size_t count = series.xs.size();
    for (std::size_t s = 0; s < stretches; ++s) {
        std::size_t low = s * count / stretches;
        std::size_t high = low;
        for (std::size_t i = low; i < (s + 1) * count / stretches; ++i) {
            if (series.ys[i] < series.ys[low]) low = i;
            if (series.ys[i] > series.ys[high]) high = i;
        }
        const auto [first, second] = std::minmax(low, high);
        kept.push_back({series.xs[first], series.ys[first]});
        if (first != second) kept.push_back({series.xs[second], series.ys[second]});
    }
    return kept;
}

void require_positive(const PlotData& data) {
    const auto check = [](bool log, const char* axis, const std::string& name,
                          const std::vector<double>& values) {
        for (std::size_t i = 0; log && i < values.size(); ++i)
            LANES_REQUIRE(values[i] > 0, "Plot::log_", axis, ": '", name, "' has ", axis, "[", i,
                          "] = ", values[i],
                          ", and a logarithmic axis shows only numbers above 0. Leave it out, or "
                          "use a linear axis.");
    };
    for (const Series& series : data.series) {
        if (series.kind != Kind::bars) check(data.log_x, "x", series.name, series.xs);
        check(data.log_y, "y", series.name, series.ys);
    }
    for (const Mark& mark : data.marks) {
        check(data.log_x, "x", mark.text, {mark.x});
        check(data.log_y, "y", mark.text, {mark.y});
    }
    for (const Rule& rule : data.rules)
        check(rule.horizontal ? data.log_y : data.log_x, rule.horizontal ? "y" : "x", rule.text,
              {rule.at});
    if (data.range_x) check(data.log_x, "x", "range_x", {data.range_x->first});
    if (data.range_y) check(data.log_y, "y", "range_y", {data.range_y->first});
}

}  // namespace

std::vector<Point> reduced(const Series& series) {
    if (series.kind == Kind::line && series.xs.size() > most_line_points) return outline(series);
    const std::size_t stride =
        series.kind == Kind::points ? ceil_div(series.xs.size(), most_points) : 1;
    std::vector<Point> kept;
    for (std::size_t i = 0; i < series.xs.size(); i += stride)
        kept.push_back({series.xs[i], series.ys[i]});
    return kept;
}

Matrix reduced(const Matrix& heat) {
    const std::size_t down = ceil_div(heat.shape(0), most_cells);
    const std::size_t right = ceil_div(heat.shape(1), most_cells);
    const std::size_t rows = ceil_div(heat.shape(0), down);
    const std::size_t columns = ceil_div(heat.shape(1), right);
    Matrix means(Matrix::shape_type{rows, columns});
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < columns; ++column) {
            const std::size_t last_row = std::min((row + 1) * down, heat.shape(0));
            const std::size_t last_column = std::min((column + 1) * right, heat.shape(1));
            double sum = 0;
            std::size_t count = 0;
            for (std::size_t i = row * down; i < last_row; ++i)
                for (std::size_t j = column * right; j < last_column; ++j) {
                    sum += heat(i, j);
                    ++count;
                }
            means(row, column) = static_cast<float>(sum / static_cast<double>(count));
        }
    return means;
}

std::vector<double> bin_edges(const PlotData& data) {
    Span span;
    std::size_t bins = 0;
    for (const Series& series : data.series)
        if (series.kind == Kind::histogram) {
            bins = series.bins;
            for (const double value : series.xs) span.add(value);
        }
    if (bins == 0) return {};
    if (span.low == span.high && data.log_x) {
        span.low /= 2;
        span.high *= 2;
    } else if (span.low == span.high) {
        span.low -= 0.5;
        span.high += 0.5;
    }
    std::vector<double> edges;
    for (std::size_t i = 0; i <= bins; ++i) {
        const double part = static_cast<double>(i) / static_cast<double>(bins);
        edges.push_back(data.log_x ? span.low * std::pow(span.high / span.low, part)
                                   : span.low + part * (span.high - span.low));
    }
    edges.back() = span.high;
    return edges;
}

std::vector<std::size_t> count_in_bins(const std::vector<double>& values,
                                       const std::vector<double>& edges) {
    std::vector<std::size_t> counts(edges.size() - 1);
    for (const double value : values) {
        const auto after = std::upper_bound(edges.begin(), edges.end() - 1, value) - edges.begin();
        ++counts[static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - 1, 0))];
    }
    return counts;
}

namespace {

std::vector<std::string> distinct(const std::vector<TimelineBar>& bars,
                                  std::string TimelineBar::* member) {
    std::vector<std::string> names;
    for (const TimelineBar& bar : bars)
        if (std::find(names.begin(), names.end(), bar.*member) == names.end())
            names.push_back(bar.*member);
    return names;
}

}  // namespace

std::vector<std::string> lanes_of(const PlotData& data) {
    return distinct(data.timeline, &TimelineBar::lane);
}

std::vector<std::string> kinds_of(const PlotData& data) {
    return distinct(data.timeline, &TimelineBar::kind);
}

void require_drawable(const PlotData& data) {
    LANES_REQUIRE(
        !data.series.empty() || data.heat || !data.timeline.empty() || !data.marks.empty(),
        "Plot::show: '", data.title,
        "' holds nothing. Add a line, bars, a histogram or a heat map.");
    LANES_REQUIRE(!(data.log_x && (!data.labels.empty() || data.heat)), "Plot::log_x: '",
                  data.title, "' has no numbers on its x axis. Leave log_x out.");
    LANES_REQUIRE(!(data.log_y && data.heat), "Plot::log_y: '", data.title,
                  "' has no numbers on its y axis. Leave log_y out.");
    require_positive(data);
}

}  // namespace lanes::notebook
