// What the layers of a plot share: its size in pixels, the reduced data, and both axes.
#pragma once

#include "notebook/plot/plot_data.hpp"
#include "notebook/plot/theme.hpp"

#include <string>
#include <vector>

namespace lanes::notebook {

// Where the numbers of one axis lie, as far as the specification depends on it.
struct Axis {
    bool log = false;
    Span span;
    bool whole_numbers = true;
    bool powers_of_two = true;

    void add(double value);
    // 0 at the low end, 1 at the high end.
    double place(double value) const;
};

// Refers to the data of the plot, which must outlive it.
struct Layout {
    explicit Layout(const PlotData& data);

    // Encodings of the fields "x" and "y", with scale and axis.
    Json x_field() const;
    Json y_field() const;
    Json x_scale() const;
    Json y_scale() const;
    Json x_axis() const;
    Json y_axis() const;

    // The y at which bars and histograms start.
    double base_of_bars() const;

    const PlotData& data;
    std::vector<double> edges;               // of the bins of histograms
    std::vector<std::vector<Point>> points;  // per series; of a histogram: middles and counts
    Matrix heat;
    Span heat_span;
    bool from_zero = false;  // bars and histograms start at 0
    int width = 640;
    int height = 400;
    Axis x;
    Axis y;

private:
    std::vector<Point> bins_of(const Series& series) const;
    void fit_size();
    void measure_axes();
    Json axis_of(const Axis& axis, const std::string& title, double ticks) const;
};

// Six significant digits: a plot needs no more, and the notebook's file stays small.
Json number(double value);

// Null for an empty title: Vega-Lite then draws none.
Json title_of(const std::string& title);

// An expression of Vega's language for the labels of numbers. Very large and very small numbers
// would make long labels.
constexpr const char* short_labels =
    "length(datum.label) <= 9 ? datum.label : datum.value == 0 ? '0' : format(datum.value, '~e')";

}  // namespace lanes::notebook
