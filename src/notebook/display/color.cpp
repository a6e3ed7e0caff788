#include "notebook/display/color.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lanes::notebook {

namespace {

constexpr std::pair<const char*, const char*> names[] = {
    {"black", "#222222"},  {"white", "#ffffff"},  {"gray", "#888888"},   {"light", "#e8e8e8"},
    {"blue", "#0072b2"},   {"orange", "#e69f00"}, {"green", "#009e73"},  {"red", "#d55e00"},
    {"purple", "#cc79a7"}, {"sky", "#56b4e9"},    {"yellow", "#f0e442"},
};

constexpr const char* series_names[] = {"blue", "red", "green", "purple", "orange", "sky", "black"};

}  // namespace

std::string parse_color(const std::string& text, const std::string& operation) {
    if (text == "none") return text;
    for (const auto& [name, value] : names)
        if (text == name) return value;
    const bool is_hex = (text.size() == 7 || text.size() == 9) && text[0] == '#' &&
                        text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
    if (is_hex) return text;
    std::string known;
    for (const auto& [name, value] : names) known += std::string(known.empty() ? "" : ", ") + name;
    throw Error(operation + ": no colour is called '" + text +
                "'. Write none, #rrggbb, #rrggbbaa, or one of: " + known + ".");
}

std::vector<std::string> series_colors() {
    std::vector<std::string> colors;
    for (const char* name : series_names) colors.push_back(parse_color(name, "Plot"));
    return colors;
}

void write_heat_color(double part, unsigned char* pixel) {
    constexpr std::size_t last = heat_colors.size() - 1;
    const double place = std::clamp(part, 0.0, 1.0) * last;
    const std::size_t below = std::min(static_cast<std::size_t>(place), last - 1);
    const double above = place - static_cast<double>(below);  // share of the colour above
    for (std::size_t channel = 0; channel < 3; ++channel) {
        const auto value = [&](std::size_t color) {
            return std::stoi(std::string(heat_colors[color]).substr(1 + 2 * channel, 2), nullptr,
                             16);
        };
        pixel[channel] = static_cast<unsigned char>(
            std::lround((1 - above) * value(below) + above * value(below + 1)));
    }
}

}  // namespace lanes::notebook
