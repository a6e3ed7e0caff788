#include "notebook/plot/theme.hpp"

namespace lanes::notebook {

Json theme() {
    const char* font = "DejaVu Sans, Verdana, Arial, sans-serif";
    return {{"font", font},
            {"background", "white"},
            {"padding", 8},
            {"title",
             {{"anchor", "start"},
              {"frame", "group"},
              {"color", ink},
              {"offset", 12},
              {"fontSize", title_size},
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
            {"text", {{"fontSize", label_size}, {"color", ink}}},
            {"rule", {{"color", ink}}},
            {"range", {{"category", series_colors()}}},
            {"view", {{"stroke", nullptr}}}};
}

}  // namespace lanes::notebook
