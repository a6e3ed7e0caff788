#include "lanes/notebook/plot.hpp"

#include "notebook/front_end.hpp"
#include "notebook/plot/plot_data.hpp"

#include "lanes/base/error.hpp"

#include <cmath>

namespace lanes {

using notebook::PlotData;
using notebook::Series;

namespace {

std::string quoted(const std::string& function, const std::string& name) {
    return "Plot::" + function + " '" + name + "'";
}

void require_finite(const std::string& operation, const char* what,
                    const std::vector<double>& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
        LANES_REQUIRE(std::isfinite(values[i]), operation, ": ", what, "[", i, "] is ", values[i],
                      ", which has no place on an axis. Leave it out.");
}

void require_finite(const std::string& operation, const char* what, double value) {
    LANES_REQUIRE(std::isfinite(value), operation, ": ", what, " is ", value,
                  ", which has no place on an axis. Give a finite number.");
}

Series checked(Series::Kind kind, const char* function, const std::string& name, const Numbers& xs,
               const Numbers& ys) {
    const std::string operation = quoted(function, name);
    LANES_REQUIRE(xs.values().size() == ys.values().size(), operation, ": ", xs.values().size(),
                  " x but ", ys.values().size(), " y. Give one y for each x.");
    LANES_REQUIRE(!xs.values().empty(), operation, ": there are no points. Give at least one.");
    require_finite(operation, "x", xs.values());
    require_finite(operation, "y", ys.values());
    return {kind, name, xs.values(), ys.values(), {}, 0};
}

// The x axis of bars holds labels, that of all others numbers: the two cannot share it. A heat map
// fills the plot.
void require_fits(const PlotData& data, const std::string& operation, bool bars) {
    LANES_REQUIRE(!data.heat, operation,
                  ": the plot holds a heat map, which fills it. Use a second Plot.");
    LANES_REQUIRE(data.timeline.empty(), operation,
                  ": the plot holds a timeline, which fills it. Use a second Plot.");
    for (const Series& other : data.series)
        LANES_REQUIRE((other.kind == Series::Kind::bars) == bars, operation,
                      ": the plot already holds '", other.name,
                      "', and bars share no x axis with other series. Use a second Plot.");
}

std::string count(std::size_t number, const char* one, const char* many) {
    return std::to_string(number) + " " + (number == 1 ? one : many);
}

std::string described(const PlotData& data, const Series& series) {
    const std::string name = series.name.empty() ? "" : " " + series.name;
    switch (series.kind) {
        case Series::Kind::line:
            return "line" + name + ": " + count(series.xs.size(), "point", "points");
        case Series::Kind::points:
            return "points" + name + ": " + count(series.xs.size(), "point", "points");
        case Series::Kind::histogram:
            return "histogram" + name + ": " + count(series.xs.size(), "value", "values") + ", " +
                   count(series.bins, "bin", "bins");
        case Series::Kind::bars:
            break;
    }
    std::string text = "bars" + name + (series.errors.empty() ? ": " : " with errors: ");
    for (std::size_t i = 0; i < data.labels.size(); ++i) text += (i ? ", " : "") + data.labels[i];
    return text;
}

}  // namespace

Plot::Plot(const std::string& title) : data_(std::make_unique<PlotData>()) { data_->title = title; }
Plot::~Plot() = default;
Plot::Plot(const Plot& other) : data_(std::make_unique<PlotData>(*other.data_)) {}
Plot& Plot::operator=(const Plot& other) { return *data_ = *other.data_, *this; }

Plot& Plot::x(const std::string& title) { return data_->x_title = title, *this; }
Plot& Plot::y(const std::string& title) { return data_->y_title = title, *this; }
Plot& Plot::log_x() { return data_->log_x = true, *this; }
Plot& Plot::log_y() { return data_->log_y = true, *this; }

Plot& Plot::range_x(double low, double high) {
    LANES_REQUIRE(std::isfinite(low) && std::isfinite(high) && low < high, "Plot::range_x: from ",
                  low, " to ", high, ". Give the smaller number first.");
    return data_->range_x = {low, high}, *this;
}

Plot& Plot::range_y(double low, double high) {
    LANES_REQUIRE(std::isfinite(low) && std::isfinite(high) && low < high, "Plot::range_y: from ",
                  low, " to ", high, ". Give the smaller number first.");
    return data_->range_y = {low, high}, *this;
}

Plot& Plot::size(int width, int height) {
    LANES_REQUIRE(width >= 200 && height >= 150 && width <= 2000 && height <= 2000,
                  "Plot::size: ", width, " x ", height,
                  " pixels. Give between 200 x 150 and 2000 x 2000.");
    return data_->size = {width, height}, *this;
}

Plot& Plot::line(const std::string& name, const Numbers& xs, const Numbers& ys) {
    require_fits(*data_, quoted("line", name), false);
    data_->series.push_back(checked(Series::Kind::line, "line", name, xs, ys));
    return *this;
}

Plot& Plot::line(const std::string& name, const Numbers& ys) {
    std::vector<double> xs;
    xs.reserve(ys.values().size());
    for (std::size_t i = 1; i <= ys.values().size(); ++i) xs.push_back(static_cast<double>(i));
    return line(name, xs, ys);
}

Plot& Plot::points(const std::string& name, const Numbers& xs, const Numbers& ys) {
    require_fits(*data_, quoted("points", name), false);
    data_->series.push_back(checked(Series::Kind::points, "points", name, xs, ys));
    return *this;
}

Plot& Plot::bars(const std::string& name, const std::vector<std::string>& labels,
                 const Numbers& values, const Numbers& errors) {
    const std::string operation = quoted("bars", name);
    require_fits(*data_, operation, true);
    LANES_REQUIRE(labels.size() == values.values().size(), operation, ": ", labels.size(),
                  " labels but ", values.values().size(), " values. Give one for each label.");
    LANES_REQUIRE(!labels.empty(), operation, ": there are no bars. Give at least one.");
    LANES_REQUIRE(errors.values().empty() || errors.values().size() == labels.size(), operation,
                  ": ", labels.size(), " bars but ", errors.values().size(),
                  " errors. Give one for each bar, or none.");
    LANES_REQUIRE(data_->labels.empty() || data_->labels == labels, operation,
                  ": its labels differ from those of '",
                  data_->series.empty() ? std::string() : data_->series.front().name,
                  "'. Give all series of bars the same labels.");
    for (std::size_t i = 0; i < labels.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            LANES_REQUIRE(labels[i] != labels[j], operation, ": two bars are labelled '", labels[i],
                          "'. Give each a label of its own.");
    require_finite(operation, "value", values.values());
    require_finite(operation, "error", errors.values());
    for (const double error : errors.values())
        LANES_REQUIRE(error >= 0, operation, ": an error is ", error,
                      ". Errors are lengths: give 0 or more.");
    data_->labels = labels;
    std::vector<double> xs;
    xs.reserve(labels.size());
    for (std::size_t i = 0; i < labels.size(); ++i) xs.push_back(static_cast<double>(i));
    data_->series.push_back({Series::Kind::bars, name, xs, values.values(), errors.values(), 0});
    return *this;
}

Plot& Plot::histogram(const std::string& name, const Numbers& values, std::size_t bins) {
    const std::string operation = quoted("histogram", name);
    require_fits(*data_, operation, false);
    LANES_REQUIRE(!values.values().empty(), operation, ": there are no values. Give at least one.");
    LANES_REQUIRE(bins > 0 && bins <= 1000, operation, ": ", bins,
                  " bins. Give between 1 and 1000.");
    for (const Series& other : data_->series)
        LANES_REQUIRE(other.kind != Series::Kind::histogram || other.bins == bins, operation, ": ",
                      bins, " bins, but '", other.name, "' has ", other.bins,
                      ". Give both the same number, so that they can be compared.");
    require_finite(operation, "value", values.values());
    data_->series.push_back({Series::Kind::histogram, name, values.values(), {}, {}, bins});
    return *this;
}

Plot& Plot::heat_map(const Matrix& values, const std::string& x_title, const std::string& y_title) {
    LANES_REQUIRE(values.size() > 0, "Plot::heat_map: the matrix is empty, its shape is ",
                  values.shape(), ". Give at least one value.");
    LANES_REQUIRE(!data_->heat && data_->series.empty() && data_->timeline.empty(),
                  "Plot::heat_map: the plot already holds something else, and a heat map fills it. "
                  "Use a second Plot.");
    for (std::size_t row = 0; row < values.shape(0); ++row)
        for (std::size_t column = 0; column < values.shape(1); ++column)
            LANES_REQUIRE(std::isfinite(values(row, column)), "Plot::heat_map: the value at (", row,
                          ", ", column, ") is ", values(row, column),
                          ", which has no colour. Look where it came from.");
    data_->heat = values;
    if (!x_title.empty()) data_->x_title = x_title;
    if (!y_title.empty()) data_->y_title = y_title;
    return *this;
}

Plot& Plot::span(const std::string& lane, const std::string& kind, double start, double end) {
    const std::string operation = quoted("span", lane);
    LANES_REQUIRE(!data_->heat && data_->series.empty(), operation,
                  ": the plot already holds something else, and a timeline fills it. "
                  "Use a second Plot.");
    require_finite(operation, "start", start);
    require_finite(operation, "end", end);
    LANES_REQUIRE(start <= end, operation, ": it ends at ", end, ", before its start at ", start,
                  ". Give start, then end.");
    data_->timeline.push_back({lane, kind, start, end});
    return *this;
}

Plot& Plot::mark(const std::string& text, double x, double y) {
    require_finite(quoted("mark", text), "x", x);
    require_finite(quoted("mark", text), "y", y);
    data_->marks.push_back({text, x, y});
    return *this;
}

Plot& Plot::rule_x(const std::string& text, double x) {
    require_finite(quoted("rule_x", text), "x", x);
    data_->rules.push_back({text, false, x});
    return *this;
}

Plot& Plot::rule_y(const std::string& text, double y) {
    require_finite(quoted("rule_y", text), "y", y);
    data_->rules.push_back({text, true, y});
    return *this;
}

void Plot::show() const {
    notebook::Bundle bundle;
    bundle.text = text();
    notebook::require_drawable(*data_);  // also in a program, which shows only the text
    if (notebook::is_rich()) bundle.vega_lite = notebook::vega_lite(*data_);
    notebook::publish(bundle);
}

std::string Plot::vega_lite() const {
    notebook::require_drawable(*data_);
    return notebook::vega_lite(*data_);
}

std::string Plot::text() const {
    const PlotData& data = *data_;
    std::string text =
        "plot: " + (data.title.empty() ? std::string("without a title") : data.title);
    const auto axis = [&](const char* name, const std::string& title, bool log) {
        if (!title.empty() || log)
            text += std::string("\n") + name + ": " + title +
                    (log ? std::string(title.empty() ? "" : ", ") + "logarithmic" : "");
    };
    axis("x", data.x_title, data.log_x);
    axis("y", data.y_title, data.log_y);
    for (const Series& series : data.series) text += "\n" + described(data, series);
    if (data.heat)
        text += "\nheat map: " + count(data.heat->shape(0), "row", "rows") + ", " +
                count(data.heat->shape(1), "column", "columns");
    if (!data.timeline.empty()) {
        const auto listed = [](const std::vector<std::string>& names) {
            std::string list;
            for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
            return list;
        };
        text += "\ntimeline: " + listed(notebook::lanes_of(data)) + " (" +
                listed(notebook::kinds_of(data)) + ")";
    }
    for (const auto& rule : data.rules)
        text += std::string("\nrule ") + (rule.horizontal ? "y" : "x") +
                (rule.text.empty() ? "" : ": " + rule.text);
    for (const auto& mark : data.marks) text += "\nmark: " + mark.text;
    return text;
}

}  // namespace lanes
