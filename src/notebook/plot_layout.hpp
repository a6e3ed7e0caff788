// A plot, worked out: axes, bins of histograms, and series cut down to what a picture of this size
// can show.
#pragma once

#include "axis.hpp"
#include "canvas.hpp"
#include "plot_data.hpp"

#include <string>
#include <vector>

namespace lanes::notebook {

struct PlotLayout {
    // Throws Error for what cannot be drawn: nothing at all, or numbers that a logarithmic axis has
    // no place for.
    explicit PlotLayout(const PlotData& data);

    int width = 640, height = 400;
    Axis x, y;
    bool slanted =
        false;  // the labels under the bars, because they are too long to stand side by side
    std::vector<std::vector<Point>>
        points;  // of each series, reduced; of a histogram: middle of the bin and count
    std::vector<double> edges;  // of the bins, common to all histograms
    Matrix heat;                // reduced by means over blocks
    double heat_low = 0, heat_high = 0;
    Axis heat_axis;
    bool heat_numbers = false;        // the values stand in the cells
    std::vector<std::size_t> legend;  // series that stand in it
    int legend_columns = 1;
    double title_size = 15;
    bool rules_behind = true;  // lines are drawn over them, bars are not

private:
    void bin(const PlotData& data);
    void reduce(const PlotData& data);
    void reduce_heat(const Matrix& values);
    void make_axes(const PlotData& data);
    void fit_texts(const PlotData& data);
};

std::string vega_lite(const PlotData& data, const PlotLayout& layout);
std::string picture(const PlotData& data, const PlotLayout& layout);  // needs Canvas::available()

}  // namespace lanes::notebook
