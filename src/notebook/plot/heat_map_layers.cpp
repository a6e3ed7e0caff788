// Heat maps: the cells, their legend and the values in them.
#include "notebook/display/image.hpp"
#include "notebook/plot/layers.hpp"
#include "notebook/text.hpp"

#include "lanes/notebook/table.hpp"

#include <algorithm>

namespace lanes::notebook {

namespace {

// 0 for the lowest value, 1 for the highest.
double heat_part(const Layout& layout, double value) {
    return (value - layout.heat_span.low) / (layout.heat_span.high - layout.heat_span.low);
}

// One pixel per cell.
Pixels heat_pixels(const Layout& layout) {
    Pixels pixels(layout.heat.shape(1), layout.heat.shape(0), 3);
    for (std::size_t y = 0; y < pixels.height; ++y)
        for (std::size_t x = 0; x < pixels.width; ++x)
            write_heat_color(heat_part(layout, layout.heat(y, x)), pixels.at(x, y));
    return pixels;
}

// The values, in their cells.
void add_numbers(Json& layers, const Layout& layout) {
    Json values = Json::array();
    for (std::size_t row = 0; row < layout.heat.shape(0); ++row)
        for (std::size_t column = 0; column < layout.heat.shape(1); ++column) {
            const double value = layout.heat(row, column);
            values.push_back({{"x", column},
                              {"y", row},
                              {"text", compact(value)},
                              {"color", text_color(layout, value)}});
        }
    const Json color{
        {"field", "color"}, {"type", "nominal"}, {"scale", nullptr}, {"legend", nullptr}};
    layers.push_back({{"data", {{"values", values}}},
                      {"mark", {{"type", "text"}}},
                      {"encoding",
                       {{"x", layout.x_field()},
                        {"y", layout.y_field()},
                        {"text", {{"field", "text"}, {"type", "nominal"}}},
                        {"color", color}}}});
}

}  // namespace

const char* text_color(const Layout& layout, double value) {
    return heat_part(layout, value) < 0.6 ? "#ffffff" : ink;
}

// The cells are an image: as data they would make the notebook's file large.
void add_heat_map(Json& layers, const Layout& layout) {
    const std::string url = "data:image/png;base64," + base64(png(heat_pixels(layout)));
    layers.push_back({{"data", {{"values", Json::array({{{"url", url}}})}}},
                      {"mark",
                       {{"type", "image"},
                        {"aspect", false},
                        {"smooth", false},
                        {"align", "left"},
                        {"baseline", "top"}}},
                      {"encoding",
                       {{"url", {{"field", "url"}, {"type", "nominal"}}},
                        {"x", {{"value", 0}}},
                        {"y", {{"value", 0}}},
                        {"x2", {{"value", "width"}}},
                        {"y2", {{"value", "height"}}}}}});
    const Json color{{"field", "value"},
                     {"type", "quantitative"},
                     {"scale",
                      {{"domain", {layout.heat_span.low, layout.heat_span.high}},
                       {"range", heat_colors},
                       {"nice", false}}},
                     {"legend",
                      {{"orient", "right"},
                       {"direction", "vertical"},
                       {"tickCount", 5},
                       {"labelExpr", short_labels},
                       {"gradientLength", std::min(220, layout.height - 100)}}}};
    // Two invisible points, at the ends of both axes, bring axes and legend with them.
    Json ends = Json::array();
    ends.push_back({{"x", layout.x.span.low},
                    {"y", layout.y.span.low},
                    {"value", number(layout.heat_span.low)}});
    ends.push_back({{"x", layout.x.span.high},
                    {"y", layout.y.span.high},
                    {"value", number(layout.heat_span.high)}});
    layers.push_back(
        {{"data", {{"values", ends}}},
         {"mark", {{"type", "point"}, {"opacity", 0}}},
         {"encoding", {{"x", layout.x_field()}, {"y", layout.y_field()}, {"color", color}}}});
    const auto& heat = layout.data.heat;
    if (heat && heat->shape(0) <= 16 && heat->shape(1) <= 12) add_numbers(layers, layout);
}

}  // namespace lanes::notebook
