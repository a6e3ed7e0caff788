// The layers of a plot's Vega-Lite specification. Each function appends to the array `layers`.
#pragma once

#include "notebook/plot/layout.hpp"

namespace lanes::notebook {

void add_series(Json& layers, const Layout& layout);  // lines, points, histograms or bars
void add_heat_map(Json& layers, const Layout& layout);
void add_timeline(Json& layers, const Layout& layout);
void add_rules(Json& layers, const Layout& layout);  // the lines only
void add_rule_texts(Json& layers, const Layout& layout);
void add_marks(Json& layers, const Layout& layout);

// The colour of a text on a cell of the heat map with this value.
const char* text_color(const Layout& layout, double value);

}  // namespace lanes::notebook
