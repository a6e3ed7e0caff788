// A white sheet to draw on, with smooth lines and text; ends as a PNG. Drawn by Cairo, which is
// opened at the first picture (canvas.cpp).
#pragma once

#include "color.hpp"
#include "png.hpp"

#include <memory>
#include <string>
#include <vector>

namespace lanes::notebook {

struct Point {
    double x = 0, y = 0;
};

struct Paint {
    Color fill = transparent;
    Color stroke = transparent;
    double width = 1;
    bool dashed = false;
};

enum class Align { left, center, right };

struct Font {
    double size = 12;
    Color color = ink;
    Align align = Align::center;
    bool bold = false;
    double slant = 0;  // in degrees, against the clock; 90 reads from bottom to top
};

class Canvas {
public:
    static bool available();  // whether this machine has Cairo

    // Units are pixels of the page; each has scale x scale in the file, so that screens with fine
    // pixels show fine lines.
    Canvas(int width, int height, double scale = 2);
    ~Canvas();
    Canvas(const Canvas&) = delete;
    Canvas& operator=(const Canvas&) = delete;

    void rectangle(double x, double y, double width, double height, const Paint& paint);
    void circle(double x, double y, double radius, const Paint& paint);
    void polyline(const std::vector<Point>& points, bool closed, const Paint& paint);
    // y: the middle of the line. _{…} is written below the line, ^{…} above it, one behind the
    // other above each other.
    void text(double x, double y, const std::string& text, const Font& font);
    double text_width(const std::string& text, const Font& font);
    Font fitting(Font font, const std::string& text,
                 double room);  // smaller where the text would not fit
    void image(double x, double y, double width, double height, const Pixels& pixels,
               bool smooth = false);
    void clip(double x, double y, double width, double height);  // until unclip()
    void unclip();

    std::string png() const;

private:
    struct Surface;
    std::unique_ptr<Surface> surface_;
};

}  // namespace lanes::notebook
