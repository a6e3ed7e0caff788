#include "notebook/display/svg.hpp"

#include "base/text.hpp"
#include "notebook/text.hpp"

#include <algorithm>
#include <cstdio>

namespace lanes::notebook {

namespace {

constexpr double letter_width = 0.62;  // average of DejaVu Sans, in units of the font's size
constexpr double script_size = 0.72;   // of subscripts and superscripts, likewise

// A hundredth of a pixel is finer than any screen.
std::string number(double value) {
    char text[64];
    std::snprintf(text, sizeof text, "%.2f", value);
    std::string short_text = text;
    short_text.erase(short_text.find_last_not_of('0') + 1);
    if (short_text.back() == '.') short_text.pop_back();
    return short_text == "-0" ? "0" : short_text;
}

std::string attribute(const char* name, const std::string& value) {
    return std::string(" ") + name + "=\"" + value + "\"";
}

std::string attribute(const char* name, double value) { return attribute(name, number(value)); }

std::string attributes(const Paint& paint) {
    std::string text = attribute("fill", paint.fill);
    if (paint.stroke == "none" || paint.width <= 0) return text;
    text += attribute("stroke", paint.stroke) + attribute("stroke-width", paint.width);
    if (paint.dashed) return text + attribute("stroke-dasharray", "5 4");
    return text + attribute("stroke-linecap", "round") + attribute("stroke-linejoin", "round");
}

// A piece of a text on one level: 0 the line itself, -1 a subscript, +1 a superscript.
struct Run {
    std::string text;
    int level;
};

std::vector<Run> runs_of(const std::string& text) {
    std::vector<Run> runs;
    const auto add = [&](const std::string& piece, int level) {
        if (!piece.empty()) runs.push_back({piece, level});
    };
    std::size_t begin = 0;
    for (std::size_t i = 0; i + 1 < text.size(); ++i) {
        if ((text[i] != '_' && text[i] != '^') || text[i + 1] != '{') continue;
        const std::size_t end = text.find('}', i);
        if (end == std::string::npos) break;
        add(text.substr(begin, i - begin), 0);
        add(text.substr(i + 2, end - i - 2), text[i] == '_' ? -1 : 1);
        begin = end + 1;
        i = end;
    }
    add(text.substr(begin), 0);
    return runs;
}

}  // namespace

double estimated_width(const std::string& text, double font_size) {
    return letter_width * font_size * static_cast<double>(length(text));
}

void Svg::rectangle(double x, double y, double width, double height, const Paint& paint) {
    body_ += "<rect" + attribute("x", x) + attribute("y", y) + attribute("width", width) +
             attribute("height", height) + attributes(paint) + "/>\n";
}

void Svg::circle(double x, double y, double radius, const Paint& paint) {
    body_ += "<circle" + attribute("cx", x) + attribute("cy", y) + attribute("r", radius) +
             attributes(paint) + "/>\n";
}

void Svg::polyline(const Points& points, bool closed, const Paint& paint) {
    std::string list;
    for (const auto& [x, y] : points)
        list += (list.empty() ? "" : " ") + number(x) + "," + number(y);
    body_ += (closed ? "<polygon" : "<polyline") + attribute("points", list) + attributes(paint) +
             "/>\n";
}

void Svg::text(double x, double y, const std::string& text, const Font& font) {
    constexpr double half_capital = 0.36;  // half the height of a capital letter
    body_ += "<text" + attribute("x", x) + attribute("y", y + half_capital * font.size) +
             attribute("font-size", font.size) + attribute("fill", font.color);
    if (font.align != "left")
        body_ += attribute("text-anchor", font.align == "right" ? "end" : "middle");
    if (font.bold) body_ += attribute("font-weight", "bold");
    if (font.halo != "none")
        body_ += attribute("stroke", font.halo) + attribute("stroke-width", font.size / 2) +
                 attribute("stroke-linejoin", "round") + attribute("paint-order", "stroke");
    body_ += ">";
    double shift = 0;  // of the baseline, in units of the font's size
    int before = 0;    // level of the run before
    double width = 0;  // of that run
    double gap = 0;    // before the next run
    for (const Run& run : runs_of(text)) {
        const double wanted = run.level > 0 ? -0.45 : run.level < 0 ? 0.25 : 0;
        const double size = (run.level == 0 ? 1 : script_size) * font.size;
        const double run_width = estimated_width(run.text, size);
        const bool above_each_other = run.level * before < 0;
        if (above_each_other) gap -= width;
        body_ += "<tspan" + attribute("dy", (wanted - shift) * font.size);
        if (run.level != 0) body_ += attribute("font-size", size);
        if (gap != 0) body_ += attribute("dx", gap);
        body_ += ">" + escaped(run.text) + "</tspan>";
        gap = above_each_other ? std::max(0.0, width - run_width) : 0;
        before = above_each_other ? 0 : run.level;
        shift = wanted;
        width = run_width;
    }
    body_ += "</text>\n";
}

// Pixels of a small image stay squares when they are enlarged.
void Svg::begin_group(const std::string& name, bool hidden, const std::string& title) {
    body_ += "<g" + attribute("class", name) + (hidden ? attribute("display", "none") : "") + ">";
    if (!title.empty()) body_ += "<title>" + escaped(title) + "</title>";
    body_ += '\n';
}

void Svg::end_group() { body_ += "</g>\n"; }

void Svg::image(double x, double y, double width, double height, const Pixels& pixels) {
    body_ += "<image" + attribute("x", x) + attribute("y", y) + attribute("width", width) +
             attribute("height", height);
    if (width >= static_cast<double>(pixels.width))
        body_ += attribute("style", "image-rendering:pixelated");
    body_ += attribute("href", "data:image/png;base64," + base64(png(pixels))) + "/>\n";
}

std::string Svg::file() const {
    return "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("width", width_) +
           attribute("height", height_) +
           attribute("font-family", "DejaVu Sans, Verdana, Arial, sans-serif") +
           ">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n" + body_ + "</svg>\n";
}

}  // namespace lanes::notebook
