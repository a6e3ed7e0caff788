// A plot as Vega-Lite, version 5: one layer per series, rule and mark. Vega-Lite picks ticks and
// ends of the axes.
#include "notebook/plot/layers.hpp"
#include "notebook/text.hpp"

#include <sstream>
#include <string>
#include <vector>

namespace lanes::notebook {

namespace {

// The title, or a list of lines if it is wider than the plot.
Json lines_of_title(const Layout& layout) {
    constexpr double bold_width = 0.7;  // of a letter, in units of the font's size
    const double letters = (layout.width - outside) / (bold_width * title_size);
    std::vector<std::string> lines(1);
    std::istringstream words(layout.data.title);
    for (std::string word; words >> word;) {
        std::string& line = lines.back();
        if (line.empty())
            line = word;
        else if (static_cast<double>(length(line) + 1 + length(word)) <= letters)
            line += " " + word;
        else
            lines.push_back(word);
    }
    return lines.size() == 1 ? Json(lines[0]) : Json(lines);
}

Json layers_of(const Layout& layout) {
    Json layers = Json::array();
    // Rules lie behind lines, but in front of what fills an area.
    const bool rules_behind = !layout.from_zero && !layout.data.heat;
    if (rules_behind) add_rules(layers, layout);
    if (layout.data.heat)
        add_heat_map(layers, layout);
    else if (!layout.data.timeline.empty())
        add_timeline(layers, layout);
    else
        add_series(layers, layout);
    if (!rules_behind) add_rules(layers, layout);
    add_rule_texts(layers, layout);
    add_marks(layers, layout);
    return layers;
}

}  // namespace

std::string vega_lite(const PlotData& data) {
    const Layout layout(data);
    Json spec{{"$schema", "https://vega.github.io/schema/vega-lite/v5.json"}};
    if (!data.title.empty())
        spec["title"] = {{"text", lines_of_title(layout)}, {"limit", layout.width - 60}};
    spec["width"] = layout.width;
    spec["height"] = layout.height;
    spec["autosize"] = {{"type", "fit"}, {"contains", "padding"}};
    spec["layer"] = layers_of(layout);
    spec["config"] = theme();
    return spec.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace lanes::notebook
