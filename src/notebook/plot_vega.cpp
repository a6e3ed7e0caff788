// A plot as Vega-Lite, version 5: one layer for each series, with the axes, ticks and colours of
// the PNG.
#include "base64.hpp"
#include "plot_layout.hpp"
#include "plot_style.hpp"

#include "lanes/notebook/table.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace lanes::notebook {

namespace {

using Json = nlohmann::ordered_json;
using Kind = Series::Kind;

// Six digits that count: a picture needs no more, and the notebook stays small.
Json number(double value) {
    if (value == std::floor(value) && std::fabs(value) < 1e15) return static_cast<long long>(value);
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return std::strtod(text, nullptr);
}

// A text in quotes of Vega's expressions, which are those of JSON.
std::string quoted(const std::string& text) {
    return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json title_of(const std::string& title) { return title.empty() ? Json(nullptr) : Json(title); }

Json axis_of(const Axis& axis, bool grid) {
    Json values = Json::array();
    std::string labels;
    for (const Tick& tick : axis.ticks) {
        values.push_back(tick.value);
        labels += "datum.value == " + Json(tick.value).dump() + " ? " + quoted(tick.label) + " : ";
    }
    return {{"values", values}, {"labelExpr", labels + "''"}, {"grid", grid}};
}

Json scale_of(const Axis& axis) {
    Json scale{{"type", axis.log ? "log" : "linear"},
               {"domain", {axis.low, axis.high}},
               {"nice", false},
               {"zero", false}};
    return scale;
}

class Spec {
public:
    Spec(const PlotData& data, const PlotLayout& layout) : data_(data), layout_(layout) {}

    std::string text() {
        Json layers = Json::array();
        const auto add_rules = [&] {
            for (const Rule& rule : data_.rules) add_rule(layers, rule);
        };
        const bool behind = layout_.rules_behind && !data_.heat;
        if (behind) add_rules();
        if (data_.heat)
            add_heat(layers);
        else if (!data_.labels.empty())
            add_bars(layers);
        else
            for (std::size_t i = 0; i < data_.series.size(); ++i) add_series(layers, i);
        if (!behind) add_rules();
        for (const Rule& rule : data_.rules) add_rule_text(layers, rule);
        for (const Mark& mark : data_.marks) add_mark(layers, mark);
        Json spec{{"$schema", "https://vega.github.io/schema/vega-lite/v5.json"}};
        if (!data_.title.empty())
            spec["title"] = {{"text", data_.title},
                             {"fontSize", layout_.title_size},
                             {"limit", layout_.width - 60}};
        spec["width"] = layout_.width;
        spec["height"] = layout_.height;
        spec["autosize"] = {{"type", "fit"}, {"contains", "padding"}};
        spec["layer"] = layers;
        spec["config"] = config();
        return spec.dump(-1, ' ', false, Json::error_handler_t::replace);
    }

private:
    static Json config() {
        const char* font = "DejaVu Sans, Verdana, Arial, sans-serif";
        return {{"font", font},
                {"background", "white"},
                {"padding", 8},
                {"title",
                 {{"anchor", "start"},
                  {"frame", "group"},
                  {"color", hex(ink)},
                  {"offset", 12},
                  {"font", font}}},
                {"axis",
                 {{"labelFontSize", label_size},
                  {"titleFontSize", axis_title_size},
                  {"titleFontWeight", "normal"},
                  {"labelColor", hex(ink)},
                  {"titleColor", hex(ink)},
                  {"gridColor", hex(grid_gray)},
                  {"domainColor", hex(axis_gray)},
                  {"tickColor", hex(axis_gray)},
                  {"titlePadding", 8}}},
                {"legend",
                 {{"orient", "top"},
                  {"title", nullptr},
                  {"labelFontSize", label_size},
                  {"labelColor", hex(ink)},
                  {"symbolStrokeWidth", 2},
                  {"symbolSize", 80},
                  {"labelLimit", 400}}},
                {"view", {{"stroke", nullptr}}}};
    }

    Json x_axis() const {
        Json axis = axis_of(layout_.x, !data_.heat);
        axis["title"] = title_of(data_.x_title);
        return axis;
    }
    Json y_axis() const {
        Json axis = axis_of(layout_.y, !data_.heat);
        if (!data_.labels.empty())
            axis["gridColor"] = {
                {"condition", {{"test", "datum.value == 0"}, {"value", hex(axis_gray)}}},
                {"value", hex(grid_gray)}};
        axis["title"] = title_of(data_.y_title);
        return axis;
    }
    Json x_field() const {
        return {{"field", "x"},
                {"type", "quantitative"},
                {"scale", scale_of(layout_.x)},
                {"axis", x_axis()}};
    }
    Json y_field() const {
        return {{"field", "y"},
                {"type", "quantitative"},
                {"scale", scale_of(layout_.y)},
                {"axis", y_axis()}};
    }

    // The same for every layer, so that they share one legend.
    Json color_scale() const {
        Json domain = Json::array(), range = Json::array();
        for (std::size_t i = 0; i < data_.series.size(); ++i)
            domain.push_back(data_.series[i].name), range.push_back(hex(series_color(i)));
        return {{"domain", domain}, {"range", range}};
    }
    Json shape_scale() const {
        Json domain = Json::array(), range = Json::array();
        for (std::size_t i = 0; i < data_.series.size(); ++i)
            domain.push_back(data_.series[i].name), range.push_back(shape_name(i));
        return {{"domain", domain}, {"range", range}};
    }
    Json legend() const {
        return layout_.legend.empty() ? Json(nullptr) : Json{{"columns", layout_.legend_columns}};
    }

    Json color(const Series& series) const {
        return {{"datum", series.name},
                {"type", "nominal"},
                {"scale", color_scale()},
                {"legend", legend()}};
    }

    void add_series(Json& layers, std::size_t number_of) {
        const Series& series = data_.series[number_of];
        const auto& points = layout_.points[number_of];
        Json values = Json::array();
        if (series.kind == Kind::histogram) {
            for (std::size_t i = 0; i < points.size(); ++i)
                values.push_back({{"x", number(layout_.edges[i])},
                                  {"x2", number(layout_.edges[i + 1])},
                                  {"y", number(points[i].y)}});
            Json mark{{"type", "bar"}, {"opacity", histogram_opacity(data_)}, {"binSpacing", 1}};
            layers.push_back({{"data", {{"values", values}}},
                              {"mark", mark},
                              {"encoding",
                               {{"x", x_field()},
                                {"x2", {{"field", "x2"}}},
                                {"y", y_field()},
                                {"y2", {{"datum", layout_.y.low}}},
                                {"color", color(series)}}}});
            return;
        }
        for (const Point& point : points)
            values.push_back({{"x", number(point.x)}, {"y", number(point.y)}});
        Json encoding{{"x", x_field()}, {"y", y_field()}, {"color", color(series)}};
        Json inner = Json::array();
        if (series.kind == Kind::line)
            inner.push_back({{"mark",
                              {{"type", "line"},
                               {"strokeWidth", line_width(points.size())},
                               {"strokeJoin", "round"},
                               {"clip", true}}}});
        if (series.kind == Kind::points || points.size() <= most_dots)
            inner.push_back(
                {{"mark",
                  {{"type", "point"},
                   {"filled", true},
                   {"opacity", dot_opacity(points.size())},
                   {"size", dot_area},
                   {"stroke", dot_opacity(points.size()) < 1 ? Json(nullptr) : Json("white")},
                   {"strokeWidth", 1},
                   {"clip", data_.range_x || data_.range_y}}},
                 {"encoding",
                  {{"shape",
                    {{"datum", series.name},
                     {"type", "nominal"},
                     {"scale", shape_scale()},
                     {"legend", legend()}}}}}});
        layers.push_back(
            {{"data", {{"values", values}}}, {"encoding", encoding}, {"layer", inner}});
    }

    void add_bars(Json& layers) {
        Json values = Json::array(), domain = data_.labels, offsets = Json::array();
        bool errors = false;
        for (std::size_t s = 0; s < data_.series.size(); ++s) {
            const Series& series = data_.series[s];
            offsets.push_back(std::to_string(s));
            for (std::size_t i = 0; i < data_.labels.size(); ++i) {
                Json row{{"label", data_.labels[i]},
                         {"series", series.name},
                         {"place", std::to_string(s)},
                         {"y", number(series.ys[i])}};
                if (!series.errors.empty()) {
                    errors = true;
                    const double below = series.ys[i] - series.errors[i];
                    row["low"] = number(layout_.y.log ? std::max(below, layout_.y.low) : below);
                    row["high"] = number(series.ys[i] + series.errors[i]);
                }
                values.push_back(row);
            }
        }
        const Json x{{"field", "label"},
                     {"type", "nominal"},
                     {"sort", domain},
                     {"scale", {{"paddingInner", 0.25}, {"paddingOuter", 0.15}}},
                     {"axis",
                      {{"title", title_of(data_.x_title)},
                       {"labelAngle", layout_.slanted ? -label_slant : 0},
                       {"labelLimit", 200},
                       {"grid", false},
                       {"ticks", false},
                       {"labelPadding", 6}}}};
        const Json offset{{"field", "place"}, {"type", "nominal"}, {"sort", offsets}};
        const Json bar_color{{"field", "series"},
                             {"type", "nominal"},
                             {"scale", color_scale()},
                             {"legend", legend()}};
        const double base = layout_.y.log ? layout_.y.low : 0;
        Json inner = Json::array();
        inner.push_back(
            {{"mark", {{"type", "bar"}, {"clip", true}}},
             {"encoding", {{"y", y_field()}, {"y2", {{"datum", base}}}, {"color", bar_color}}}});
        if (errors) {
            Json low = y_field();
            low["field"] = "low";
            inner.push_back(
                {{"transform", {{{"filter", "isValid(datum.low)"}}}},
                 {"mark", {{"type", "rule"}, {"color", hex(ink)}, {"strokeWidth", 1.5}}},
                 {"encoding", {{"y", low}, {"y2", {{"field", "high"}}}}}});
            for (const char* end : {"low", "high"}) {
                Json cap = y_field();
                cap["field"] = end;
                inner.push_back({{"transform", {{{"filter", "isValid(datum.low)"}}}},
                                 {"mark",
                                  {{"type", "tick"},
                                   {"orient", "horizontal"},
                                   {"color", hex(ink)},
                                   {"thickness", 1.5},
                                   {"size", 9}}},
                                 {"encoding", {{"y", cap}}}});
            }
        }
        Json encoding{{"x", x}};
        if (data_.series.size() > 1) encoding["xOffset"] = offset;
        layers.push_back(
            {{"data", {{"values", values}}}, {"encoding", encoding}, {"layer", inner}});
    }

    void add_heat(Json& layers) {
        Json colors = Json::array();
        for (int i = 0; i <= 9; ++i) colors.push_back(hex(heat_color(i / 9.0)));
        Json ticks = axis_of(layout_.heat_axis, false);
        const Json color{{"field", "value"},
                         {"type", "quantitative"},
                         {"scale",
                          {{"domain", {layout_.heat_low, layout_.heat_high}},
                           {"range", colors},
                           {"nice", false}}},
                         {"legend",
                          {{"orient", "right"},
                           {"direction", "vertical"},
                           {"values", ticks["values"]},
                           {"labelExpr", ticks["labelExpr"]},
                           {"gradientLength", std::min(220, layout_.height - 100)}}}};
        Json x = x_field(), y = y_field();
        y["scale"]["reverse"] = true;  // the first row on top
        Json values = Json::array();
        // Two points that nobody sees carry axes and legend; the image spans the plot.
        values.push_back(
            {{"x", layout_.x.low}, {"y", layout_.y.low}, {"value", number(layout_.heat_low)}});
        values.push_back(
            {{"x", layout_.x.high}, {"y", layout_.y.high}, {"value", number(layout_.heat_high)}});
        layers.push_back(
            {{"data",
              {{"values", Json::array({{{"url", "data:image/png;base64," +
                                                    base64(png(heat_pixels(layout_)))}}})}}},
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
        layers.push_back({{"data", {{"values", values}}},
                          {"mark", {{"type", "point"}, {"opacity", 0}}},
                          {"encoding", {{"x", x}, {"y", y}, {"color", color}}}});
        if (layout_.heat_numbers) add_numbers(layers, x, y);
    }

    void add_numbers(Json& layers, const Json& x, const Json& y) const {
        Json values = Json::array();
        for (std::size_t row = 0; row < layout_.heat.shape(0); ++row)
            for (std::size_t column = 0; column < layout_.heat.shape(1); ++column) {
                const double value = layout_.heat(row, column);
                values.push_back({{"x", column},
                                  {"y", row},
                                  {"text", compact(value)},
                                  {"color", hex(number_color(layout_, value))}});
            }
        layers.push_back({{"data", {{"values", values}}},
                          {"mark", {{"type", "text"}, {"fontSize", label_size}}},
                          {"encoding",
                           {{"x", x},
                            {"y", y},
                            {"text", {{"field", "text"}, {"type", "nominal"}}},
                            {"color",
                             {{"field", "color"},
                              {"type", "nominal"},
                              {"scale", nullptr},
                              {"legend", nullptr}}}}}});
    }

    Json place_of(const Rule& rule) const {
        Json place{{"datum", rule.at},
                   {"type", "quantitative"},
                   {"scale", scale_of(rule.across ? layout_.y : layout_.x)},
                   {"axis", rule.across ? y_axis() : x_axis()}};
        if (data_.heat && rule.across) place["scale"]["reverse"] = true;
        return place;
    }

    static Json one_row() { return {{"values", Json::array({Json::object()})}}; }

    void add_rule(Json& layers, const Rule& rule) const {
        layers.push_back({{"data", one_row()},
                          {"mark",
                           {{"type", "rule"},
                            {"color", hex(ink)},
                            {"strokeDash", {5, 4}},
                            {"strokeWidth", 1.2}}},
                          {"encoding", {{rule.across ? "y" : "x", place_of(rule)}}}});
    }

    void add_rule_text(Json& layers, const Rule& rule) const {
        if (rule.text.empty()) return;
        const Json mark{{"type", "text"},
                        {"text", rule.text},
                        {"color", hex(ink)},
                        {"fontSize", label_size},
                        {"align", rule.across ? "right" : "left"},
                        {"dx", rule.across ? -4 : 5},
                        {"dy", rule.across ? -8 : 8}};
        Json place{{rule.across ? "y" : "x", place_of(rule)}};
        place[rule.across ? "x" : "y"] = {{"value", rule.across ? Json("width") : Json(0)}};
        layers.push_back({{"data", one_row()}, {"mark", mark}, {"encoding", place}});
    }

    void add_mark(Json& layers, const Mark& mark) {
        Json x = x_field(), y = y_field();
        if (data_.heat) y["scale"]["reverse"] = true;
        const bool left = mark_text_left(layout_, mark);
        layers.push_back(
            {{"data", {{"values", Json::array({{{"x", mark.x}, {"y", mark.y}}})}}},
             {"encoding", {{"x", x}, {"y", y}}},
             {"layer", Json::array({{{"mark",
                                      {{"type", "point"},
                                       {"filled", true},
                                       {"opacity", 1},
                                       {"size", 50},
                                       {"color", hex(ink)}}}},
                                    {{"mark",
                                      {{"type", "text"},
                                       {"text", mark.text},
                                       {"align", left ? "right" : "left"},
                                       {"dx", left ? -8 : 8},
                                       {"dy", mark_text_below(data_, layout_, mark) ? 10 : -8},
                                       {"fontSize", label_size},
                                       {"color", hex(mark_color(data_, layout_, mark))}}}}})}});
    }

    const PlotData& data_;
    const PlotLayout& layout_;
};

}  // namespace

std::string vega_lite(const PlotData& data, const PlotLayout& layout) {
    return Spec(data, layout).text();
}

}  // namespace lanes::notebook
