// An axis: which numbers it spans, and where its ticks are. Vega-Lite and the PNG take both from
// here, so that the two pictures agree.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace lanes::notebook {

struct Tick {
    double value;
    std::string label;
};

struct Axis {
    bool log = false;
    double low = 0, high = 1;
    std::vector<Tick> ticks;

    double place(double value) const;  // 0 at the low end, 1 at the high end
};

struct AxisWishes {
    bool log = false;
    bool whole_numbers = false;  // no ticks between them
    bool powers_of_two = false;  // ticks there, on a logarithmic axis
    bool tight = false;          // ends a little outside the values; else at a tick
    std::size_t ticks = 6;       // about as many
};

// Values from low to high must fit.
Axis make_axis(double low, double high, const AxisWishes& wishes);

// From low to high exactly, as the user said.
Axis fixed_axis(double low, double high, const AxisWishes& wishes);

}  // namespace lanes::notebook
