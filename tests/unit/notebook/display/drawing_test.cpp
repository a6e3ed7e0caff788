#include "lanes/notebook/drawing.hpp"

#include "error_of.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace {

using lanes::Drawing;
using lanes::Style;
using lanes_test::error_of;

// What stands between the white background and the end of the file.
std::string shapes_of(const Drawing& drawing) {
    const std::string svg = drawing.svg();
    const std::string background = "fill=\"white\"/>\n";
    const std::size_t begin = svg.find(background) + background.size();
    return svg.substr(begin, svg.rfind("</svg>") - begin);
}

TEST(Drawing, IsAnSvgOfItsSize) {
    const std::string svg = Drawing(30, 20).svg();
    EXPECT_EQ(svg.find("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"30\" height=\"20\""), 0U)
        << svg;
    EXPECT_EQ(shapes_of(Drawing(30, 20)), "");
}

TEST(Drawing, WritesShapesWithTheirPlacesAndColours) {
    Drawing drawing(100, 60);
    drawing.rectangle(10, 10, 20, 10.5, {"#ff0000", "none"}).circle(60, 30, 10, {"blue", "none"});
    EXPECT_EQ(shapes_of(drawing),
              "<rect x=\"10\" y=\"10\" width=\"20\" height=\"10.5\" fill=\"#ff0000\"/>\n"
              "<circle cx=\"60\" cy=\"30\" r=\"10\" fill=\"#0072b2\"/>\n");
    EXPECT_EQ(shapes_of(Drawing(9, 9).line(0, 5, 9, 5, {"none", "#00ff00", 4, 14, "center", true})),
              "<polyline points=\"0,5 9,5\" fill=\"none\" stroke=\"#00ff00\" stroke-width=\"4\" "
              "stroke-dasharray=\"5 4\"/>\n");
    EXPECT_EQ(shapes_of(Drawing(9, 9).lines({{0, 0}, {9, 0}, {9, 9}}, {"red", "none"})),
              "<polygon points=\"0,0 9,0 9,9\" fill=\"#d55e00\"/>\n");
    EXPECT_EQ(shapes_of(Drawing(9, 9).rectangle(5, 5, -5, -4, {"red", "none"})),
              "<rect x=\"0\" y=\"1\" width=\"5\" height=\"4\" fill=\"#d55e00\"/>\n");
}

TEST(Drawing, AnArrowHasItsTipAtItsEnd) {
    const std::string shapes = shapes_of(Drawing(100, 40).arrow(10, 20, 90, 20));
    EXPECT_NE(shapes.find("<polygon points=\"90,20 "), std::string::npos) << shapes;
    EXPECT_EQ(shapes_of(Drawing(9, 9).arrow(5, 5, 5, 5)), "");
}

TEST(Drawing, TextIsAlignedAtItsPlace) {
    const auto text = [](const char* align) {
        return shapes_of(
            Drawing(200, 40).text(100, 20, "H", Style{"none", "#000000", 1, 10, align}));
    };
    const std::string begin = "<text x=\"100\" y=\"23.6\" font-size=\"10\" fill=\"#000000\"";
    const std::string end = "><tspan dy=\"0\">H</tspan></text>\n";
    EXPECT_EQ(text("left"), begin + end);
    EXPECT_EQ(text("center"), begin + " text-anchor=\"middle\"" + end);
    EXPECT_EQ(text("right"), begin + " text-anchor=\"end\"" + end);
}

TEST(Drawing, SubscriptsAndSuperscriptsAreSmallAndReturnToTheLine) {
    const std::string text = shapes_of(Drawing(200, 40).text(0, 0, "a_{1}+<b^{2}"));
    EXPECT_NE(text.find("<tspan dy=\"0\">a</tspan>"
                        "<tspan dy=\"3.5\" font-size=\"10.08\">1</tspan>"
                        "<tspan dy=\"-3.5\">+&lt;b</tspan>"
                        "<tspan dy=\"-6.3\" font-size=\"10.08\">2</tspan>"),
              std::string::npos)
        << text;
}

TEST(Drawing, AFillMakesTextReadableAcrossLines) {
    const std::string text = shapes_of(Drawing(200, 40).text(0, 0, "a", {"white"}));
    EXPECT_NE(text.find("stroke=\"#ffffff\""), std::string::npos) << text;
    EXPECT_NE(text.find("paint-order=\"stroke\""), std::string::npos) << text;
}

TEST(Drawing, AChangedCopyLeavesTheOriginalAlone) {
    const Drawing first(20, 20);
    Drawing second = first;
    second.rectangle(0, 0, 20, 20, {"#ff0000", "none"});
    EXPECT_EQ(shapes_of(first), "");
    EXPECT_NE(shapes_of(second), "");
}

TEST(Drawing, ThrowsForWhatCannotBeDrawn) {
    EXPECT_NE(error_of([] { Drawing(0, 10); }).find("Drawing: 0 x 10 pixels"), std::string::npos);
    Drawing drawing(10, 10);
    EXPECT_NE(error_of([&] {
                  drawing.circle(1, 1, 1, {"bleu"});
              }).find("Drawing::circle: no colour is called 'bleu'"),
              std::string::npos);
    EXPECT_NE(error_of([&] {
                  drawing.line(0, std::numeric_limits<double>::quiet_NaN(), 1, 1);
              }).find("Drawing::line"),
              std::string::npos);
    EXPECT_NE(error_of([&] { drawing.circle(1, 1, -1); }).find("the radius is -1"),
              std::string::npos);
    EXPECT_NE(error_of([&] {
                  drawing.text(1, 1, "a", {"none", "black", 1, 14, "middle"});
              }).find("align is 'middle'"),
              std::string::npos);
}

TEST(Drawing, PrintsItsDescriptionWithoutAFrontEnd) {
    testing::internal::CaptureStdout();
    Drawing(10, 10).show("nothing at all");
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "drawing: nothing at all\n");
}

}  // namespace
