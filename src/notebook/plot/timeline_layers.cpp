#include "notebook/plot/layers.hpp"

namespace lanes::notebook {

// One row per lane, one colour per kind.
void add_timeline(Json& layers, const Layout& layout) {
    const std::vector<std::string> kinds = kinds_of(layout.data);
    Json values = Json::array();
    for (const TimelineBar& bar : layout.data.timeline)
        values.push_back({{"lane", bar.lane},
                          {"kind", bar.kind},
                          {"start", number(bar.start)},
                          {"end", number(bar.end)}});
    Json x = layout.x_field();
    x["field"] = "start";
    const Json y{{"field", "lane"},
                 {"type", "nominal"},
                 {"sort", lanes_of(layout.data)},
                 {"scale", {{"paddingInner", 0.25}, {"paddingOuter", 0.15}}},
                 {"axis",
                  {{"title", title_of(layout.data.y_title)},
                   {"labelLimit", 200},
                   {"grid", false},
                   {"ticks", false},
                   {"labelPadding", 6}}}};
    const Json color{{"field", "kind"},
                     {"type", "nominal"},
                     {"scale", {{"domain", kinds}}},
                     {"legend", kinds.size() < 2 ? Json(nullptr) : Json::object()}};
    layers.push_back(
        {{"data", {{"values", values}}},
         {"mark", {{"type", "bar"}, {"stroke", "white"}, {"strokeWidth", 0.5}}},
         {"encoding", {{"x", x}, {"x2", {{"field", "end"}}}, {"y", y}, {"color", color}}}});
}

}  // namespace lanes::notebook
