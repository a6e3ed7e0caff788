// Plots below a cell: lines, points, bars, histograms, heat maps and timelines. JupyterLab draws
// them from a Vega-Lite specification; beside it stands a text for terminals and for nbval.
//
//   const std::vector<double> epochs{1, 2, 3};
//   const std::vector<double> accuracies{0.901, 0.942, 0.953};
//   lanes::Plot plot("Accuracy while training");
//   plot.x("epoch").y("accuracy");
//   plot.line("plain", epochs, accuracies).rule_y("95 %", 0.95);
//   plot.show();
//
// Numbers that cannot be drawn (NaN, infinity, zero on a logarithmic axis) throw an Error that
// names the series and the index. Introduced in the notebook 01_mlp.
#pragma once

#include "lanes/array/types.hpp"

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace lanes {

namespace notebook {
struct PlotData;  // src/notebook/plot/plot_data.hpp
}

// A list of numbers from any range: std::vector<float>, an xtensor, {1, 2, 4}.
class Numbers {
public:
    Numbers() = default;
    Numbers(std::initializer_list<double> values) : values_(values) {}
    Numbers(std::vector<double> values) : values_(std::move(values)) {}
    template <class Range, class = std::enable_if_t<std::is_arithmetic_v<
                               std::decay_t<decltype(*std::begin(std::declval<const Range&>()))>>>>
    Numbers(const Range& range) {
        for (const auto& value : range) values_.push_back(static_cast<double>(value));
    }

    const std::vector<double>& values() const { return values_; }

private:
    std::vector<double> values_;
};

class Plot {
public:
    explicit Plot(const std::string& title = "");
    ~Plot();
    Plot(const Plot& other);
    Plot& operator=(const Plot& other);

    Plot& x(const std::string& title);
    Plot& y(const std::string& title);
    Plot& log_x();
    Plot& log_y();
    Plot& range_x(double low, double high);  // default: the axis fits the data
    Plot& range_y(double low, double high);
    // Of the whole plot, in pixels. Default: 640 x 400, or what makes a heat map's cells square.
    Plot& size(int width, int height);

    // Series. Several series of bars stand side by side, all others lie on top of each other. The
    // name stands in the legend.
    Plot& line(const std::string& name, const Numbers& xs, const Numbers& ys);
    Plot& line(const std::string& name, const Numbers& ys);  // against 1, 2, 3, …
    Plot& points(const std::string& name, const Numbers& xs, const Numbers& ys);
    // errors: none, or one per value, drawn from value - error to value + error.
    Plot& bars(const std::string& name, const std::vector<std::string>& labels,
               const Numbers& values, const Numbers& errors = {});
    Plot& histogram(const std::string& name, const Numbers& values, std::size_t bins = 20);
    // The first row is on top. Up to 12 columns the values stand in the cells. Beside a heat map a
    // plot can hold only marks and rules.
    Plot& heat_map(const Matrix& values, const std::string& x_title = "",
                   const std::string& y_title = "");

    // A bar from start to end in the row `lane`, coloured by `kind`: a timeline, as profilers draw
    // it. Rows stand in the order in which they first occur. A timeline fills its plot.
    Plot& span(const std::string& lane, const std::string& kind, double start, double end);

    Plot& mark(const std::string& text, double x, double y);  // a dot with a text beside it
    Plot& rule_x(const std::string& text, double x);          // a dashed line across the plot
    Plot& rule_y(const std::string& text, double y);

    void show() const;

    // Title, axes, names and counts: no value that differs from run to run.
    std::string text() const;
    std::string vega_lite() const;  // version 5, as JSON

private:
    std::unique_ptr<notebook::PlotData> data_;
};

}  // namespace lanes
