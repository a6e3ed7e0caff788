// What a Plot was told, checked, and not yet drawn.
#pragma once

#include "lanes/array/types.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lanes::notebook {

struct Series {
    enum class Kind { line, points, bars, histogram };
    Kind kind;
    std::string name;
    std::vector<double> xs, ys;  // of a histogram: the values in xs
    std::vector<double> errors;  // of bars, or none
    std::size_t bins = 0;        // of a histogram
};

struct Mark {
    std::string text;
    double x, y;
};

struct Rule {
    std::string text;
    bool across;  // at a y, from left to right; else at an x
    double at;
};

struct PlotData {
    std::string title, x_title, y_title;
    bool log_x = false, log_y = false;
    std::optional<std::pair<double, double>> range_x, range_y;
    std::optional<std::pair<int, int>> size;
    std::vector<Series> series;
    std::vector<std::string> labels;  // under the bars; empty where there are none
    std::optional<Matrix> heat;
    std::vector<Mark> marks;
    std::vector<Rule> rules;
};

}  // namespace lanes::notebook
