// Drawings below a cell: rectangles, circles, lines, arrows and text, as SVG. For networks, threads
// and tiles.
//
//   lanes::Drawing drawing(320, 120);
//   drawing.circle(60, 60, 24, {"#cfe5f3"}).text(60, 60, "a_{1}");
//   drawing.arrow(84, 60, 230, 60).text(157, 48, "w_{11}");
//   drawing.show("one neuron and its weight");
//
// x goes to the right and y down, in pixels. In a text, _{…} is a subscript and ^{…} a superscript.
// Introduced in the notebook 01_mlp.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lanes {

namespace notebook {
struct DrawingData;  // src/notebook/display/drawing.cpp
}

// Colours: "none", "#rrggbb", "#rrggbbaa", or one of the palette: black, white, gray, light, blue,
// orange, green, red, purple, sky, yellow. Text takes the stroke's colour; a fill is painted around
// its letters, so that they can be read across lines.
struct Style {
    std::string fill = "none";
    std::string stroke = "black";
    double width = 1.5;            // of lines
    double font_size = 14;         // of texts
    std::string align = "center";  // of texts at their x: left, center, right
    bool dashed = false;
    bool bold = false;
};

class Drawing {
public:
    Drawing(int width, int height);
    ~Drawing();
    Drawing(const Drawing& other);
    Drawing& operator=(const Drawing& other);

    // (x, y): the upper left corner.
    Drawing& rectangle(double x, double y, double width, double height, const Style& style = {});
    // (x, y): the centre.
    Drawing& circle(double x, double y, double radius, const Style& style = {});
    Drawing& line(double x1, double y1, double x2, double y2, const Style& style = {});
    // From point to point. A style with a fill makes it a filled polygon.
    Drawing& lines(const std::vector<std::pair<double, double>>& places, const Style& style = {});
    // The head is at (x2, y2).
    Drawing& arrow(double x1, double y1, double x2, double y2, const Style& style = {});
    // y: the middle of the line.
    Drawing& text(double x, double y, const std::string& text, const Style& style = {});

    // what: a description in words, for terminals and for nbval.
    void show(const std::string& what) const;

    std::string svg() const;  // the text of the file

private:
    std::unique_ptr<notebook::DrawingData> data_;
};

}  // namespace lanes
