// What a Plot holds once its arguments were checked, and the functions that turn it into Vega-Lite.
#pragma once

#include "lanes/array/types.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lanes::notebook {

struct Series {
    enum class Kind { line, points, bars, histogram };
    Kind kind;
    std::string name;
    std::vector<double> xs;  // of a histogram: the values
    std::vector<double> ys;
    std::vector<double> errors;  // of bars; may be empty
    std::size_t bins = 0;        // of a histogram
};

struct Mark {
    std::string text;
    double x, y;
};

struct Rule {
    std::string text;
    bool horizontal;  // at a y, from left to right; else vertical, at an x
    double at;
};

struct TimelineBar {
    std::string lane;
    std::string kind;
    double start, end;
};

struct PlotData {
    std::string title;
    std::string x_title;
    std::string y_title;
    bool log_x = false;
    bool log_y = false;
    std::optional<std::pair<double, double>> range_x;
    std::optional<std::pair<double, double>> range_y;
    std::optional<std::pair<int, int>> size;
    std::vector<Series> series;
    std::vector<std::string> labels;  // under the bars; empty if there are none
    std::optional<Matrix> heat;
    std::vector<TimelineBar> timeline;
    std::vector<Mark> marks;
    std::vector<Rule> rules;
};

struct Point {
    double x = 0;
    double y = 0;
};

struct Span {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    void add(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    bool is_empty() const { return low > high; }
};

// Data cut down to what a plot can show, so that the notebook's file stays small: 1000 points of a
// line (the lowest and the highest of each stretch), 2000 of a cloud of points, 160 x 160 cells of
// a heat map (means over blocks).
std::vector<Point> reduced(const Series& series);
Matrix reduced(const Matrix& heat);

// The rows of a timeline and its kinds of bars, in the order in which they first occur.
std::vector<std::string> lanes_of(const PlotData& data);
std::vector<std::string> kinds_of(const PlotData& data);

// The edges of the bins that all histograms of a plot share; empty if it has none.
std::vector<double> bin_edges(const PlotData& data);
// The number of values in each bin. The last bin holds its upper edge, too.
std::vector<std::size_t> count_in_bins(const std::vector<double>& values,
                                       const std::vector<double>& edges);

// Throws Error for what cannot be drawn: no data, or numbers that a logarithmic axis cannot show.
void require_drawable(const PlotData& data);

// The Vega-Lite specification, version 5, as JSON. The data must be drawable.
std::string vega_lite(const PlotData& data);

}  // namespace lanes::notebook
