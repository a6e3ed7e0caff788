// A picture as SVG text: shapes, text and embedded images on a white background. Units are pixels;
// x goes to the right and y down.
#pragma once

#include "notebook/display/image.hpp"

#include <string>
#include <utility>
#include <vector>

namespace lanes::notebook {

// Colours are written as SVG writes them: "none", "#rrggbb" or "#rrggbbaa".
struct Paint {
    std::string fill = "none";
    std::string stroke = "none";
    double width = 1;  // of the stroke
    bool dashed = false;
};

struct Font {
    double size = 12;
    std::string color = "#222222";
    std::string align = "center";  // left, center or right of the given x
    bool bold = false;
    std::string halo = "none";  // colour around the letters, so that they stand out from lines
};

class Svg {
public:
    using Points = std::vector<std::pair<double, double>>;

    Svg(int width, int height) : width_(width), height_(height) {}

    void rectangle(double x, double y, double width, double height, const Paint& paint);
    void circle(double x, double y, double radius, const Paint& paint);
    void polyline(const Points& points, bool closed, const Paint& paint);
    // y: the middle of the line. _{…} is written as a subscript and ^{…} as a superscript; if one
    // follows the other directly, they stand above each other.
    void text(double x, double y, const std::string& text, const Font& font);
    // What is drawn until the end of the group can be shown and hidden by style sheets, by its
    // class; a browser shows the title under the mouse.
    void begin_group(const std::string& name, bool hidden, const std::string& title = "");
    void end_group();
    void image(double x, double y, double width, double height, const Pixels& pixels);

    int width() const { return width_; }
    int height() const { return height_; }
    std::string file() const;

private:
    int width_;
    int height_;
    std::string body_;
};

// Nobody knows which font the reader's browser has: about 0.62 of the font's size per character.
double estimated_width(const std::string& text, double font_size);

}  // namespace lanes::notebook
