// Lines, points, histograms and bars.
#include "notebook/plot/layers.hpp"
#include "notebook/text.hpp"

#include <algorithm>

namespace lanes::notebook {

namespace {

using Kind = Series::Kind;

constexpr double dot_area = 52;        // of the dots of a series, in square pixels
constexpr std::size_t most_dots = 40;  // a line of more points is drawn without dots

// The same scale in every layer, so that the layers share one legend. The theme has the colours.
Json color_scale(const Layout& layout) {
    Json names = Json::array();
    for (const Series& series : layout.data.series) names.push_back(series.name);
    return {{"domain", names}};
}

// Series differ by shape as well as by colour.
Json shape_scale(const Layout& layout) {
    Json scale = color_scale(layout);
    scale["range"] = {"circle", "square", "triangle-up", "diamond", "triangle-down"};
    return scale;
}

Json legend(const Layout& layout) {
    std::size_t longest = 0;
    for (const Series& series : layout.data.series)
        longest = std::max(longest, length(series.name));
    if (layout.data.series.size() < 2 || longest == 0) return nullptr;
    const double entry = 34 + letter_width * label_size * static_cast<double>(longest);
    return {{"columns", std::max(1, static_cast<int>((layout.width - outside) / entry))}};
}

Json by_name(const Layout& layout, const Series& series, const Json& scale) {
    return {
        {"datum", series.name}, {"type", "nominal"}, {"scale", scale}, {"legend", legend(layout)}};
}

void add_histogram(Json& layers, const Layout& layout, std::size_t index) {
    const auto is_histogram = [](const Series& one) { return one.kind == Kind::histogram; };
    const auto histograms =
        std::count_if(layout.data.series.begin(), layout.data.series.end(), is_histogram);
    Json values = Json::array();
    for (std::size_t i = 0; i + 1 < layout.edges.size(); ++i)
        values.push_back({{"x", number(layout.edges[i])},
                          {"x2", number(layout.edges[i + 1])},
                          {"y", number(layout.points[index][i].y)}});
    // Several histograms lie on top of each other: each is half transparent.
    const Json mark{{"type", "bar"}, {"opacity", histograms > 1 ? 0.55 : 1}, {"binSpacing", 1}};
    Json transform = Json::array();
    if (layout.y.log) transform.push_back({{"filter", "datum.y > 0"}});
    layers.push_back(
        {{"data", {{"values", values}}},
         {"transform", transform},
         {"mark", mark},
         {"encoding",
          {{"x", layout.x_field()},
           {"x2", {{"field", "x2"}}},
           {"y", layout.y_field()},
           {"y2", {{"datum", layout.base_of_bars()}}},
           {"color", by_name(layout, layout.data.series[index], color_scale(layout))}}}});
}

void add_line_or_points(Json& layers, const Layout& layout, std::size_t index) {
    const Series& series = layout.data.series[index];
    const auto& points = layout.points[index];
    Json values = Json::array();
    for (const Point& point : points)
        values.push_back({{"x", number(point.x)}, {"y", number(point.y)}});
    Json inner = Json::array();
    if (series.kind == Kind::line)
        inner.push_back({{"mark",
                          {{"type", "line"},
                           {"strokeWidth", points.size() > 300 ? 1.2 : 2.2},
                           {"strokeJoin", "round"},
                           {"clip", true}}}});
    const bool dense = points.size() > 200;  // dots that overlap are half transparent
    if (series.kind == Kind::points || points.size() <= most_dots)
        inner.push_back({{"mark",
                          {{"type", "point"},
                           {"filled", true},
                           {"opacity", dense ? 0.4 : 1},
                           {"size", dot_area},
                           {"stroke", dense ? Json(nullptr) : Json("white")},
                           {"strokeWidth", 1},
                           {"clip", layout.data.range_x || layout.data.range_y}}},
                         {"encoding", {{"shape", by_name(layout, series, shape_scale(layout))}}}});
    layers.push_back({{"data", {{"values", values}}},
                      {"encoding",
                       {{"x", layout.x_field()},
                        {"y", layout.y_field()},
                        {"color", by_name(layout, series, color_scale(layout))}}},
                      {"layer", inner}});
}

Json bar_rows(const Layout& layout) {
    Json rows = Json::array();
    for (std::size_t s = 0; s < layout.data.series.size(); ++s) {
        const Series& series = layout.data.series[s];
        for (std::size_t i = 0; i < layout.data.labels.size(); ++i) {
            Json row{{"label", layout.data.labels[i]},
                     {"series", series.name},
                     {"place", std::to_string(s)},
                     {"y", number(series.ys[i])}};
            if (!series.errors.empty()) {
                const double low = series.ys[i] - series.errors[i];
                row["low"] = number(layout.y.log ? std::max(low, layout.base_of_bars()) : low);
                row["high"] = number(series.ys[i] + series.errors[i]);
            }
            rows.push_back(row);
        }
    }
    return rows;
}

// Labels that are too long to stand side by side are slanted.
double label_angle(const Layout& layout) {
    const double available =
        (layout.width - outside) / static_cast<double>(layout.data.labels.size());
    for (const std::string& label : layout.data.labels)
        if (letter_width * label_size * static_cast<double>(length(label)) > 0.95 * available)
            return -30;
    return 0;
}

void add_error_bars(Json& layers, const Layout& layout) {
    const auto has_errors = [](const Series& series) { return !series.errors.empty(); };
    if (std::none_of(layout.data.series.begin(), layout.data.series.end(), has_errors)) return;
    const Json only_with_errors = Json::array({{{"filter", "isValid(datum.low)"}}});
    Json low = layout.y_field();
    low["field"] = "low";
    layers.push_back({{"transform", only_with_errors},
                      {"mark", {{"type", "rule"}, {"strokeWidth", 1.5}}},
                      {"encoding", {{"y", low}, {"y2", {{"field", "high"}}}}}});
    for (const char* end : {"low", "high"}) {
        Json cap = layout.y_field();
        cap["field"] = end;
        layers.push_back({{"transform", only_with_errors},
                          {"mark",
                           {{"type", "tick"},
                            {"orient", "horizontal"},
                            {"color", ink},
                            {"thickness", 1.5},
                            {"size", 9}}},
                          {"encoding", {{"y", cap}}}});
    }
}

void add_bars(Json& layers, const Layout& layout) {
    const Json x{{"field", "label"},
                 {"type", "nominal"},
                 {"sort", layout.data.labels},
                 {"scale", {{"paddingInner", 0.25}, {"paddingOuter", 0.15}}},
                 {"axis",
                  {{"title", title_of(layout.data.x_title)},
                   {"labelAngle", label_angle(layout)},
                   {"labelLimit", 200},
                   {"grid", false},
                   {"ticks", false},
                   {"labelPadding", 6}}}};
    const Json color{{"field", "series"},
                     {"type", "nominal"},
                     {"scale", color_scale(layout)},
                     {"legend", legend(layout)}};
    Json inner = Json::array();
    inner.push_back({{"mark", {{"type", "bar"}, {"clip", true}}},
                     {"encoding",
                      {{"y", layout.y_field()},
                       {"y2", {{"datum", layout.base_of_bars()}}},
                       {"color", color}}}});
    add_error_bars(inner, layout);
    Json encoding{{"x", x}};
    if (layout.data.series.size() > 1) {
        Json places = Json::array();
        for (std::size_t s = 0; s < layout.data.series.size(); ++s)
            places.push_back(std::to_string(s));
        encoding["xOffset"] = {{"field", "place"}, {"type", "nominal"}, {"sort", places}};
    }
    layers.push_back(
        {{"data", {{"values", bar_rows(layout)}}}, {"encoding", encoding}, {"layer", inner}});
}

}  // namespace

void add_series(Json& layers, const Layout& layout) {
    if (!layout.data.labels.empty()) return add_bars(layers, layout);
    for (std::size_t i = 0; i < layout.data.series.size(); ++i)
        if (layout.data.series[i].kind == Kind::histogram)
            add_histogram(layers, layout, i);
        else
            add_line_or_points(layers, layout, i);
}

}  // namespace lanes::notebook
