#include "lanes/notebook/drawing.hpp"

#include "notebook/canvas.hpp"
#include "picture_file.hpp"

#include "lanes/base/error.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace {

using lanes::Drawing;
using lanes::Style;

template <class Deed>
std::string error_of(Deed deed) {
    try {
        deed();
    } catch (const lanes::Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(Drawing, IsAPngOfTwiceItsSize) {
    const Picture picture(Drawing(30, 20).png());
    EXPECT_EQ(picture.width, 60U);
    EXPECT_EQ(picture.height, 40U);
    EXPECT_EQ(picture.at(5, 5), "#ffffff");
}

TEST(Drawing, DrawsWhereItWasTold) {
    Drawing drawing(100, 60);
    drawing.rectangle(10, 10, 20, 10, {"#ff0000", "none"})
        .circle(60, 30, 10, {"blue", "none"})
        .line(0, 50, 100, 50, {"none", "#00ff00", 4});
    const Picture picture(drawing.png());
    EXPECT_EQ(picture.at(40, 30), "#ff0000");  // (20, 15)
    EXPECT_EQ(picture.at(16, 30), "#ffffff");
    EXPECT_EQ(picture.at(120, 60), "#0072b2");
    EXPECT_EQ(picture.at(120, 84), "#ffffff");
    EXPECT_EQ(picture.at(100, 100), "#00ff00");
}

TEST(Drawing, AnArrowPointsAtItsEnd) {
    Drawing drawing(100, 40);
    drawing.arrow(10, 20, 90, 20, {"none", "#000000", 2});
    const Picture picture(drawing.png());
    const auto dark_in = [&](std::size_t x) {
        std::size_t count = 0;
        for (std::size_t y = 0; y < picture.height; ++y) count += picture.at(x, y) != "#ffffff";
        return count;
    };
    EXPECT_GT(dark_in(164), dark_in(40) + 3);  // the head is near x = 90
    EXPECT_EQ(dark_in(184), 0U);
}

TEST(Drawing, TextStandsAtItsPlace) {
    const auto columns = [](const char* align) {
        Drawing drawing(200, 40);
        drawing.text(100, 20, "HHHH", Style{"none", "#000000", 1, 16, align});
        const Picture picture(drawing.png());
        return picture.ink_columns();
    };
    const auto [left_begin, left_end] = columns("left");
    const auto [right_begin, right_end] = columns("right");
    EXPECT_NEAR(left_begin, 200, 8);
    EXPECT_NEAR(right_end, 200, 8);
    EXPECT_NEAR(static_cast<double>(left_end - left_begin),
                static_cast<double>(right_end - right_begin), 2);
}

TEST(Drawing, CopiesAreTheirOwn) {
    const Drawing first(20, 20);
    Drawing second = first;
    second.rectangle(0, 0, 20, 20, {"#ff0000", "none"});
    EXPECT_EQ(Picture(first.png()).at(20, 20), "#ffffff");
    EXPECT_EQ(Picture(second.png()).at(20, 20), "#ff0000");
}

TEST(Drawing, RefusesWhatCannotBeDrawn) {
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

TEST(Drawing, ShowsItsWordsWhereThereIsNoFrontEnd) {
    testing::internal::CaptureStdout();
    Drawing(10, 10).show("nothing at all");
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "drawing: nothing at all\n");
}

}  // namespace
