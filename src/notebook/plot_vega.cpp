// A plot as Vega-Lite, version 5: one layer per series, rule and mark. Vega-Lite picks ticks and
// ends of the axes.
#include "notebook/color.hpp"
#include "notebook/image.hpp"
#include "notebook/plot_data.hpp"
#include "notebook/text.hpp"

#include "lanes/notebook/table.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace lanes::notebook {

namespace {

using Json = nlohmann::ordered_json;
using Kind = Series::Kind;

// Sizes in pixels.
constexpr double axis_title_size = 12.5;
constexpr double label_size = 11.5;
constexpr double dot_area = 52;        // of the dots of a series, in square pixels
constexpr std::size_t most_dots = 40;  // a line of more points is drawn without dots
constexpr double outside = 80;         // width of margins and the labels of the y axis
constexpr double letter_width = 0.6;   // average, in units of the font's size

// Six significant digits: a plot needs no more, and the notebook's file stays small.
Json number(double value) {
    if (value == std::floor(value) && std::fabs(value) < 1e15) return static_cast<long long>(value);
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return std::strtod(text, nullptr);
}

Json title_of(const std::string& title) { return title.empty() ? Json(nullptr) : Json(title); }

// Very large and very small numbers would make long labels.
constexpr const char* short_labels =
    "length(datum.label) <= 9 ? datum.label : datum.value == 0 ? '0' : format(datum.value, '~e')";

// Where the numbers of one axis lie, as far as the specification depends on it.
struct Axis {
    bool log = false;
    Span span;
    bool whole_numbers = true;
    bool powers_of_two = true;

    void add(double value) {
        span.add(value);
        whole_numbers = whole_numbers && value == std::floor(value);
        powers_of_two =
            powers_of_two && value > 0 && std::log2(value) == std::floor(std::log2(value));
    }
    // 0 at the low end, 1 at the high end.
    double place(double value) const {
        if (span.low == span.high) return 0.5;
        return log ? std::log(value / span.low) / std::log(span.high / span.low)
                   : (value - span.low) / (span.high - span.low);
    }
};

class Spec {
public:
    explicit Spec(const PlotData& data) : data_(data), edges_(bin_edges(data)) {
        x_.log = data.log_x;
        y_.log = data.log_y;
        for (const Series& series : data.series) {
            const bool is_histogram = series.kind == Kind::histogram;
            points_.push_back(is_histogram ? bins_of(series) : reduced(series));
            from_zero_ = from_zero_ || series.kind == Kind::bars || is_histogram;
        }
        if (data.heat) {
            heat_ = reduced(*data.heat);
            for (const float value : heat_) heat_span_.add(value);
            if (heat_span_.low == heat_span_.high) heat_span_.high += 1;
        }
        fit_size();
        measure_axes();
    }

    std::string text() {
        Json layers = Json::array();
        const auto add_rules = [&] {
            for (const Rule& rule : data_.rules) add_rule(layers, rule);
        };
        // Rules lie behind lines, but in front of what fills an area.
        const bool rules_behind = !from_zero_ && !data_.heat;
        if (rules_behind) add_rules();
        if (data_.heat)
            add_heat(layers);
        else if (!data_.labels.empty())
            add_bars(layers);
        else
            for (std::size_t i = 0; i < data_.series.size(); ++i) add_series(layers, i);
        if (!rules_behind) add_rules();
        for (const Rule& rule : data_.rules) add_rule_text(layers, rule);
        for (const Mark& mark : data_.marks) add_mark(layers, mark);

        Json spec{{"$schema", "https://vega.github.io/schema/vega-lite/v5.json"}};
        if (!data_.title.empty())
            spec["title"] = {
                {"text", data_.title}, {"fontSize", title_size()}, {"limit", width_ - 60}};
        spec["width"] = width_;
        spec["height"] = height_;
        spec["autosize"] = {{"type", "fit"}, {"contains", "padding"}};
        spec["layer"] = layers;
        spec["config"] = config();
        return spec.dump(-1, ' ', false, Json::error_handler_t::replace);
    }

private:
    // The middle of each bin, and its count.
    std::vector<Point> bins_of(const Series& series) const {
        const auto counts = count_in_bins(series.xs, edges_);
        std::vector<Point> points;
        for (std::size_t i = 0; i < counts.size(); ++i)
            points.push_back({(edges_[i] + edges_[i + 1]) / 2, static_cast<double>(counts[i])});
        return points;
    }

    void fit_size() {
        if (data_.size) {
            std::tie(width_, height_) = *data_.size;
        } else if (data_.heat) {
            // Square cells, as far as the page allows. Axes and legend take about 130 x 80 pixels.
            const double aspect = static_cast<double>(data_.heat->shape(1)) /
                                  static_cast<double>(data_.heat->shape(0));
            if (aspect < 1.6)
                width_ = std::clamp(static_cast<int>(130 + 320 * aspect), 340, 640);
            else
                height_ = std::clamp(static_cast<int>(80 + 510 / aspect), 200, 400);
        }
    }

    void measure_axes() {
        if (data_.heat) {
            x_.span = {-0.5, static_cast<double>(data_.heat->shape(1)) - 0.5};
            y_.span = {-0.5, static_cast<double>(data_.heat->shape(0)) - 0.5};
            return;
        }
        for (std::size_t s = 0; s < data_.series.size(); ++s) {
            const Series& series = data_.series[s];
            if (series.kind == Kind::line || series.kind == Kind::points)
                for (const double value : series.xs) x_.add(value);
            for (const double value : series.ys) y_.span.add(value);
            for (std::size_t i = 0; i < series.errors.size(); ++i) {
                y_.span.add(series.ys[i] + series.errors[i]);
                if (!y_.log || series.ys[i] > series.errors[i])
                    y_.span.add(series.ys[i] - series.errors[i]);
            }
            if (series.kind == Kind::histogram)
                for (const Point& point : points_[s])
                    if (!y_.log || point.y > 0) y_.span.add(point.y);
        }
        for (const double edge : edges_) x_.add(edge);
        y_.whole_numbers = !edges_.empty();  // counts
        y_.powers_of_two = false;
        for (const Mark& mark : data_.marks) {
            x_.span.add(mark.x);
            y_.span.add(mark.y);
        }
        for (const Rule& rule : data_.rules) (rule.horizontal ? y_ : x_).span.add(rule.at);
        if (data_.range_x) x_.span = {data_.range_x->first, data_.range_x->second};
        if (data_.range_y) y_.span = {data_.range_y->first, data_.range_y->second};
    }

    double title_size() const {
        constexpr double largest = 15;
        constexpr double bold_width = 0.7;  // of a letter, in units of the font's size
        const auto letters = static_cast<double>(std::max<std::size_t>(length(data_.title), 1));
        return std::clamp((width_ - outside) / (bold_width * letters), 9.0, largest);
    }

    static Json config() {
        const char* font = "DejaVu Sans, Verdana, Arial, sans-serif";
        return {{"font", font},
                {"background", "white"},
                {"padding", 8},
                {"title",
                 {{"anchor", "start"},
                  {"frame", "group"},
                  {"color", ink},
                  {"offset", 12},
                  {"font", font}}},
                {"axis",
                 {{"labelFontSize", label_size},
                  {"titleFontSize", axis_title_size},
                  {"titleFontWeight", "normal"},
                  {"labelColor", ink},
                  {"titleColor", ink},
                  {"gridColor", grid_gray},
                  {"domainColor", axis_gray},
                  {"tickColor", axis_gray},
                  {"titlePadding", 8}}},
                {"legend",
                 {{"orient", "top"},
                  {"title", nullptr},
                  {"labelFontSize", label_size},
                  {"labelColor", ink},
                  {"symbolStrokeWidth", 2},
                  {"symbolSize", 80},
                  {"labelLimit", 400}}},
                {"view", {{"stroke", nullptr}}}};
    }

    Json axis_of(const Axis& axis, const std::string& title, double ticks) const {
        // No more ticks than whole numbers: else there would be ticks between them.
        if (!axis.log && axis.whole_numbers)
            ticks = std::max(1.0, std::min(ticks, std::floor(axis.span.high - axis.span.low)));
        return {{"title", title_of(title)},
                {"grid", !data_.heat},
                {"tickCount", number(std::floor(ticks))},
                {"labelExpr", short_labels}};
    }
    // Each row and column of a small heat map has its number.
    static double ticks_of_cells(const Axis& axis, double ticks) {
        const double cells = axis.span.high - axis.span.low;
        return cells <= 16 ? cells : ticks;
    }
    Json x_axis() const {
        const double ticks = width_ / 90;
        return axis_of(x_, data_.x_title, data_.heat ? ticks_of_cells(x_, ticks) : ticks);
    }
    Json y_axis() const {
        const double ticks = height_ / 65;
        Json axis = axis_of(y_, data_.y_title, data_.heat ? ticks_of_cells(y_, ticks) : ticks);
        if (!data_.labels.empty())
            axis["gridColor"] = {
                {"condition", {{"test", "datum.value == 0"}, {"value", axis_gray}}},
                {"value", grid_gray}};
        return axis;
    }

    static Json scale_of(const Axis& axis) {
        Json scale{{"type", axis.log ? "log" : "linear"}, {"nice", false}};
        if (!axis.log) scale["zero"] = false;
        if (axis.log && axis.powers_of_two) scale["base"] = 2;
        if (axis.span.low == axis.span.high) {  // one value, which belongs in the middle
            const double low = axis.span.low;
            const double room = low == 0 ? 1 : std::fabs(low) * 0.1;
            scale["domain"] = axis.log ? Json{low / 2, low * 2} : Json{low - room, low + room};
        }
        return scale;
    }
    Json x_scale() const {
        Json scale = scale_of(x_);
        if (data_.range_x || data_.heat)
            scale["domain"] = {x_.span.low, x_.span.high};
        else if (!scale.contains("domain"))
            scale["padding"] = 12;
        return scale;
    }
    Json y_scale() const {
        Json scale = scale_of(y_);
        if (data_.heat) scale["reverse"] = true;  // the first row is on top
        if (data_.range_y || data_.heat) {
            scale["domain"] = {y_.span.low, y_.span.high};
            return scale;
        }
        const bool near_zero = y_.span.low > 0 && y_.span.low < 0.35 * y_.span.high;
        if (y_.log && from_zero_) {
            scale["domain"] = {base_of_bars(), y_.span.high * 1.3};
        } else if (y_.log) {
            if (!scale.contains("domain")) scale["padding"] = 12;
        } else if (from_zero_ || near_zero) {
            scale.erase("domain");
            scale["zero"] = true;
            scale["nice"] = true;
        } else if (!scale.contains("domain")) {
            scale["nice"] = true;
        }
        return scale;
    }

    // A logarithmic axis has no 0: the lowest bar then has the height of a factor of two.
    double base_of_bars() const {
        if (!y_.log) return 0;
        return data_.range_y ? y_.span.low : y_.span.low / 2;
    }

    Json x_field() const {
        return {{"field", "x"}, {"type", "quantitative"}, {"scale", x_scale()}, {"axis", x_axis()}};
    }
    Json y_field() const {
        return {{"field", "y"}, {"type", "quantitative"}, {"scale", y_scale()}, {"axis", y_axis()}};
    }

    // The same scale in every layer, so that the layers share one legend.
    template <class Value>
    Json scale_by_name(Value value) const {
        Json domain = Json::array();
        Json range = Json::array();
        for (std::size_t i = 0; i < data_.series.size(); ++i) {
            domain.push_back(data_.series[i].name);
            range.push_back(value(i));
        }
        return {{"domain", domain}, {"range", range}};
    }
    Json color_scale() const { return scale_by_name(series_color); }
    // Series differ by shape as well as by colour.
    Json shape_scale() const {
        return scale_by_name([](std::size_t series) {
            constexpr const char* names[] = {"circle", "square", "triangle-up", "diamond",
                                             "triangle-down"};
            return names[series % std::size(names)];
        });
    }
    Json legend() const {
        std::size_t longest = 0;
        for (const Series& series : data_.series) longest = std::max(longest, length(series.name));
        if (data_.series.size() < 2 || longest == 0) return nullptr;
        const double entry = 34 + letter_width * label_size * static_cast<double>(longest);
        return {{"columns", std::max(1, static_cast<int>((width_ - outside) / entry))}};
    }
    Json by_name(const Series& series, const Json& scale) const {
        return {
            {"datum", series.name}, {"type", "nominal"}, {"scale", scale}, {"legend", legend()}};
    }

    void add_series(Json& layers, std::size_t index) const {
        if (data_.series[index].kind == Kind::histogram)
            add_histogram(layers, index);
        else
            add_line_or_points(layers, index);
    }

    void add_histogram(Json& layers, std::size_t index) const {
        const auto is_histogram = [](const Series& one) { return one.kind == Kind::histogram; };
        const auto histograms =
            std::count_if(data_.series.begin(), data_.series.end(), is_histogram);
        Json values = Json::array();
        for (std::size_t i = 0; i + 1 < edges_.size(); ++i)
            values.push_back({{"x", number(edges_[i])},
                              {"x2", number(edges_[i + 1])},
                              {"y", number(points_[index][i].y)}});
        // Several histograms lie on top of each other: each is half transparent.
        const Json mark{{"type", "bar"}, {"opacity", histograms > 1 ? 0.55 : 1}, {"binSpacing", 1}};
        Json transform = Json::array();
        if (y_.log) transform.push_back({{"filter", "datum.y > 0"}});
        layers.push_back({{"data", {{"values", values}}},
                          {"transform", transform},
                          {"mark", mark},
                          {"encoding",
                           {{"x", x_field()},
                            {"x2", {{"field", "x2"}}},
                            {"y", y_field()},
                            {"y2", {{"datum", base_of_bars()}}},
                            {"color", by_name(data_.series[index], color_scale())}}}});
    }

    void add_line_or_points(Json& layers, std::size_t index) const {
        const Series& series = data_.series[index];
        const auto& points = points_[index];
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
                               {"clip", data_.range_x || data_.range_y}}},
                             {"encoding", {{"shape", by_name(series, shape_scale())}}}});
        layers.push_back(
            {{"data", {{"values", values}}},
             {"encoding",
              {{"x", x_field()}, {"y", y_field()}, {"color", by_name(series, color_scale())}}},
             {"layer", inner}});
    }

    Json bar_rows() const {
        Json rows = Json::array();
        for (std::size_t s = 0; s < data_.series.size(); ++s) {
            const Series& series = data_.series[s];
            for (std::size_t i = 0; i < data_.labels.size(); ++i) {
                Json row{{"label", data_.labels[i]},
                         {"series", series.name},
                         {"place", std::to_string(s)},
                         {"y", number(series.ys[i])}};
                if (!series.errors.empty()) {
                    const double low = series.ys[i] - series.errors[i];
                    row["low"] = number(y_.log ? std::max(low, base_of_bars()) : low);
                    row["high"] = number(series.ys[i] + series.errors[i]);
                }
                rows.push_back(row);
            }
        }
        return rows;
    }

    // Labels that are too long to stand side by side are slanted.
    double label_angle() const {
        const double available = (width_ - outside) / static_cast<double>(data_.labels.size());
        for (const std::string& label : data_.labels)
            if (letter_width * label_size * static_cast<double>(length(label)) > 0.95 * available)
                return -30;
        return 0;
    }

    void add_bars(Json& layers) const {
        const Json x{{"field", "label"},
                     {"type", "nominal"},
                     {"sort", data_.labels},
                     {"scale", {{"paddingInner", 0.25}, {"paddingOuter", 0.15}}},
                     {"axis",
                      {{"title", title_of(data_.x_title)},
                       {"labelAngle", label_angle()},
                       {"labelLimit", 200},
                       {"grid", false},
                       {"ticks", false},
                       {"labelPadding", 6}}}};
        const Json color{{"field", "series"},
                         {"type", "nominal"},
                         {"scale", color_scale()},
                         {"legend", legend()}};
        Json inner = Json::array();
        inner.push_back(
            {{"mark", {{"type", "bar"}, {"clip", true}}},
             {"encoding",
              {{"y", y_field()}, {"y2", {{"datum", base_of_bars()}}}, {"color", color}}}});
        add_error_bars(inner);
        Json encoding{{"x", x}};
        if (data_.series.size() > 1) {
            Json places = Json::array();
            for (std::size_t s = 0; s < data_.series.size(); ++s)
                places.push_back(std::to_string(s));
            encoding["xOffset"] = {{"field", "place"}, {"type", "nominal"}, {"sort", places}};
        }
        layers.push_back(
            {{"data", {{"values", bar_rows()}}}, {"encoding", encoding}, {"layer", inner}});
    }

    void add_error_bars(Json& layers) const {
        const auto has_errors = [](const Series& series) { return !series.errors.empty(); };
        if (std::none_of(data_.series.begin(), data_.series.end(), has_errors)) return;
        const Json only_with_errors = Json::array({{{"filter", "isValid(datum.low)"}}});
        Json low = y_field();
        low["field"] = "low";
        layers.push_back({{"transform", only_with_errors},
                          {"mark", {{"type", "rule"}, {"color", ink}, {"strokeWidth", 1.5}}},
                          {"encoding", {{"y", low}, {"y2", {{"field", "high"}}}}}});
        for (const char* end : {"low", "high"}) {
            Json cap = y_field();
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

    double heat_part(double value) const {
        return (value - heat_span_.low) / (heat_span_.high - heat_span_.low);
    }

    // Of a text on a cell with this value.
    const char* text_color(double value) const { return heat_part(value) < 0.6 ? "#ffffff" : ink; }

    // One pixel per cell.
    Pixels heat_pixels() const {
        Pixels pixels(heat_.shape(1), heat_.shape(0), 3);
        for (std::size_t y = 0; y < pixels.height; ++y)
            for (std::size_t x = 0; x < pixels.width; ++x)
                write_heat_color(heat_part(heat_(y, x)), pixels.at(x, y));
        return pixels;
    }

    // The cells are an image: as data they would make the notebook's file large.
    void add_heat(Json& layers) const {
        const std::string url = "data:image/png;base64," + base64(png(heat_pixels()));
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
                          {{"domain", {heat_span_.low, heat_span_.high}},
                           {"range", heat_colors},
                           {"nice", false}}},
                         {"legend",
                          {{"orient", "right"},
                           {"direction", "vertical"},
                           {"tickCount", 5},
                           {"labelExpr", short_labels},
                           {"gradientLength", std::min(220, height_ - 100)}}}};
        // Two invisible points, at the ends of both axes, bring axes and legend with them.
        Json ends = Json::array();
        ends.push_back({{"x", x_.span.low}, {"y", y_.span.low}, {"value", number(heat_span_.low)}});
        ends.push_back(
            {{"x", x_.span.high}, {"y", y_.span.high}, {"value", number(heat_span_.high)}});
        layers.push_back({{"data", {{"values", ends}}},
                          {"mark", {{"type", "point"}, {"opacity", 0}}},
                          {"encoding", {{"x", x_field()}, {"y", y_field()}, {"color", color}}}});
        if (data_.heat->shape(0) <= 16 && data_.heat->shape(1) <= 12) add_numbers(layers);
    }

    // The values, in their cells.
    void add_numbers(Json& layers) const {
        Json values = Json::array();
        for (std::size_t row = 0; row < heat_.shape(0); ++row)
            for (std::size_t column = 0; column < heat_.shape(1); ++column) {
                const double value = heat_(row, column);
                values.push_back({{"x", column},
                                  {"y", row},
                                  {"text", compact(value)},
                                  {"color", text_color(value)}});
            }
        const Json color{
            {"field", "color"}, {"type", "nominal"}, {"scale", nullptr}, {"legend", nullptr}};
        layers.push_back({{"data", {{"values", values}}},
                          {"mark", {{"type", "text"}, {"fontSize", label_size}}},
                          {"encoding",
                           {{"x", x_field()},
                            {"y", y_field()},
                            {"text", {{"field", "text"}, {"type", "nominal"}}},
                            {"color", color}}}});
    }

    Json place_of(const Rule& rule) const {
        return {{"datum", rule.at},
                {"type", "quantitative"},
                {"scale", rule.horizontal ? y_scale() : x_scale()},
                {"axis", rule.horizontal ? y_axis() : x_axis()}};
    }

    static Json one_row() { return {{"values", Json::array({Json::object()})}}; }

    void add_rule(Json& layers, const Rule& rule) const {
        layers.push_back(
            {{"data", one_row()},
             {"mark",
              {{"type", "rule"}, {"color", ink}, {"strokeDash", {5, 4}}, {"strokeWidth", 1.2}}},
             {"encoding", {{rule.horizontal ? "y" : "x", place_of(rule)}}}});
    }

    void add_rule_text(Json& layers, const Rule& rule) const {
        if (rule.text.empty()) return;
        const Json mark{{"type", "text"},
                        {"text", rule.text},
                        {"color", ink},
                        {"fontSize", label_size},
                        {"align", rule.horizontal ? "right" : "left"},
                        {"dx", rule.horizontal ? -4 : 5},
                        {"dy", rule.horizontal ? -8 : 8}};
        Json place{{rule.horizontal ? "y" : "x", place_of(rule)}};
        place[rule.horizontal ? "x" : "y"] = {{"value", rule.horizontal ? Json("width") : Json(0)}};
        layers.push_back({{"data", one_row()}, {"mark", mark}, {"encoding", place}});
    }

    // On the right of the plot the text of a mark stands left of it.
    bool text_is_left(const Mark& mark) const { return x_.place(mark.x) > 0.75; }

    // Whether a line goes up from the mark on the side of its text: the line would run through a
    // text above the mark.
    bool text_is_below(const Mark& mark) const {
        const bool left = text_is_left(mark);
        const double x = x_.place(mark.x);
        const double y = y_.place(mark.y);
        for (std::size_t i = 0; i < data_.series.size(); ++i) {
            if (data_.series[i].kind != Kind::line) continue;
            for (std::size_t k = 0; k + 1 < points_[i].size(); ++k) {
                const double x0 = x_.place(points_[i][k].x);
                const double x1 = x_.place(points_[i][k + 1].x);
                const double y0 = y_.place(points_[i][k].y);
                const double y1 = y_.place(points_[i][k + 1].y);
                if (left ? x <= x0 || x > x1 : x < x0 || x >= x1) continue;
                const bool on_line = std::abs(y0 + (y1 - y0) * (x - x0) / (x1 - x0) - y) < 0.05;
                if (on_line && (left ? y0 > y1 : y1 > y0)) return true;
            }
        }
        return false;
    }

    const char* color_of(const Mark& mark) const {
        if (!data_.heat) return ink;
        const auto cell = [](double place, std::size_t count) {
            const double index = std::max(place, 0.0) * static_cast<double>(count);
            return std::min(static_cast<std::size_t>(index), count - 1);
        };
        return text_color(
            heat_(cell(y_.place(mark.y), heat_.shape(0)), cell(x_.place(mark.x), heat_.shape(1))));
    }

    void add_mark(Json& layers, const Mark& mark) const {
        const bool left = text_is_left(mark);
        const Json dot{
            {"type", "point"}, {"filled", true}, {"opacity", 1}, {"size", 50}, {"color", ink}};
        const Json text{{"type", "text"},
                        {"text", mark.text},
                        {"align", left ? "right" : "left"},
                        {"dx", left ? -8 : 8},
                        {"dy", text_is_below(mark) ? 10 : -8},
                        {"fontSize", label_size},
                        {"color", color_of(mark)}};
        layers.push_back({{"data", {{"values", Json::array({{{"x", mark.x}, {"y", mark.y}}})}}},
                          {"encoding", {{"x", x_field()}, {"y", y_field()}}},
                          {"layer", Json::array({{{"mark", dot}}, {{"mark", text}}})}});
    }

    const PlotData& data_;
    std::vector<double> edges_;               // of the bins of histograms
    std::vector<std::vector<Point>> points_;  // per series; of a histogram: middles and counts
    Matrix heat_;
    Span heat_span_;
    bool from_zero_ = false;  // bars and histograms start at 0
    int width_ = 640;
    int height_ = 400;
    Axis x_;
    Axis y_;
};

}  // namespace

std::string vega_lite(const PlotData& data) { return Spec(data).text(); }

}  // namespace lanes::notebook
