// Rules and marks, with their texts.
#include "notebook/plot/layers.hpp"

#include <algorithm>
#include <cmath>

namespace lanes::notebook {

namespace {

using Kind = Series::Kind;

Json place_of(const Layout& layout, const Rule& rule) {
    return {{"datum", rule.at},
            {"type", "quantitative"},
            {"scale", rule.horizontal ? layout.y_scale() : layout.x_scale()},
            {"axis", rule.horizontal ? layout.y_axis() : layout.x_axis()}};
}

Json one_row() { return {{"values", Json::array({Json::object()})}}; }

void add_rule(Json& layers, const Layout& layout, const Rule& rule) {
    layers.push_back({{"data", one_row()},
                      {"mark", {{"type", "rule"}, {"strokeDash", {5, 4}}, {"strokeWidth", 1.2}}},
                      {"encoding", {{rule.horizontal ? "y" : "x", place_of(layout, rule)}}}});
}

void add_rule_text(Json& layers, const Layout& layout, const Rule& rule) {
    if (rule.text.empty()) return;
    const Json mark{{"type", "text"},
                    {"text", rule.text},
                    {"align", rule.horizontal ? "right" : "left"},
                    {"dx", rule.horizontal ? -4 : 5},
                    {"dy", rule.horizontal ? -8 : 8}};
    Json place{{rule.horizontal ? "y" : "x", place_of(layout, rule)}};
    place[rule.horizontal ? "x" : "y"] = {{"value", rule.horizontal ? Json("width") : Json(0)}};
    layers.push_back({{"data", one_row()}, {"mark", mark}, {"encoding", place}});
}

// On the right of the plot the text of a mark stands left of it.
bool text_is_left(const Layout& layout, const Mark& mark) { return layout.x.place(mark.x) > 0.75; }

// Whether a line goes up from the mark on the side of its text: the line would run through a
// text above the mark.
bool text_is_below(const Layout& layout, const Mark& mark) {
    const bool left = text_is_left(layout, mark);
    const double x = layout.x.place(mark.x);
    const double y = layout.y.place(mark.y);
    for (std::size_t i = 0; i < layout.data.series.size(); ++i) {
        if (layout.data.series[i].kind != Kind::line) continue;
        for (std::size_t k = 0; k + 1 < layout.points[i].size(); ++k) {
            const double x0 = layout.x.place(layout.points[i][k].x);
            const double x1 = layout.x.place(layout.points[i][k + 1].x);
            const double y0 = layout.y.place(layout.points[i][k].y);
            const double y1 = layout.y.place(layout.points[i][k + 1].y);
            if (left ? x <= x0 || x > x1 : x < x0 || x >= x1) continue;
            const bool on_line = std::abs(y0 + (y1 - y0) * (x - x0) / (x1 - x0) - y) < 0.05;
            if (on_line && (left ? y0 > y1 : y1 > y0)) return true;
        }
    }
    return false;
}

const char* color_of(const Layout& layout, const Mark& mark) {
    if (!layout.data.heat) return ink;
    const auto cell = [](double place, std::size_t count) {
        const double index = std::max(place, 0.0) * static_cast<double>(count);
        return std::min(static_cast<std::size_t>(index), count - 1);
    };
    return text_color(layout, layout.heat(cell(layout.y.place(mark.y), layout.heat.shape(0)),
                                          cell(layout.x.place(mark.x), layout.heat.shape(1))));
}

void add_mark(Json& layers, const Layout& layout, const Mark& mark) {
    const bool left = text_is_left(layout, mark);
    const Json dot{
        {"type", "point"}, {"filled", true}, {"opacity", 1}, {"size", 50}, {"color", ink}};
    const Json text{{"type", "text"},
                    {"text", mark.text},
                    {"align", left ? "right" : "left"},
                    {"dx", left ? -8 : 8},
                    {"dy", text_is_below(layout, mark) ? 10 : -8},
                    {"color", color_of(layout, mark)}};
    layers.push_back({{"data", {{"values", Json::array({{{"x", mark.x}, {"y", mark.y}}})}}},
                      {"encoding", {{"x", layout.x_field()}, {"y", layout.y_field()}}},
                      {"layer", Json::array({{{"mark", dot}}, {{"mark", text}}})}});
}

}  // namespace

void add_rules(Json& layers, const Layout& layout) {
    for (const Rule& rule : layout.data.rules) add_rule(layers, layout, rule);
}

void add_rule_texts(Json& layers, const Layout& layout) {
    for (const Rule& rule : layout.data.rules) add_rule_text(layers, layout, rule);
}

void add_marks(Json& layers, const Layout& layout) {
    for (const Mark& mark : layout.data.marks) add_mark(layers, layout, mark);
}

}  // namespace lanes::notebook
