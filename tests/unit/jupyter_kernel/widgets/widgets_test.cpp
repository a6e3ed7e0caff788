// Widgets without a front end, as in a program made of a notebook: values with a text. Their
// messages to a front end are tested in comms_test.cpp.
#include "fake_front_end.hpp"

#include "xcpp/widgets.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <sstream>

namespace {

using Names = std::vector<std::string>;

template <class Call>
std::string error_of(const Call& call) {
    try {
        call();
    } catch (const std::exception& error) {
        return error.what();
    }
    return "";
}

class Widgets : public testing::Test {
protected:
    Widgets() { FakeFrontEnd::get().is_present = false; }
    ~Widgets() override { FakeFrontEnd::get().is_present = true; }
};

TEST_F(Widgets, APropertyIsAssignedAndRead) {
    xw::slider<double> slider;
    slider.max = 20;
    slider.value = 3;
    const double read = slider.value;
    EXPECT_EQ(read, 3.0);
    EXPECT_EQ(slider.value(), 3.0);
    EXPECT_EQ(slider.value * 2 + slider.max, 26.0);
    slider.description = "rate";
    std::ostringstream text;
    text << slider.description << "=" << slider.value;
    EXPECT_EQ(text.str(), "rate=3");
    EXPECT_TRUE(slider.description == "rate" && slider.description != "other");
    slider.value() = 7;  // as in xwidgets: observers are not called
    EXPECT_EQ(slider.value(), 7.0);
}

TEST_F(Widgets, ACopyOfAPropertyIsAValueOnly) {
    xw::slider<int> slider;
    int runs = 0;
    slider.observe([&] { ++runs; });
    auto copy = slider.value;
    copy = 5;
    EXPECT_EQ(copy(), 5);
    EXPECT_EQ(slider.value(), 0);
    EXPECT_EQ(runs, 0);
}

TEST_F(Widgets, ObserversSeeTheNewValue) {
    xw::slider<double> slider;
    std::vector<double> seen;
    XOBSERVE(slider, value, [&](const auto& s) { seen.push_back(s.value); });
    slider.observe([&](double value) { seen.push_back(value + 0.5); });
    slider.observe([&](xw::slider<double>& s) { seen.push_back(s.value() + 0.25); });
    slider.value = 4;
    EXPECT_EQ(seen, (std::vector<double>{4, 4.5, 4.25}));
    // As in xwidgets: observers run for every assignment, and notebooks draw their first picture
    // that way.
    slider.value = 4;
    EXPECT_EQ(seen.size(), 6U);
    XUNOBSERVE(slider, value);
    slider.value = 5;
    EXPECT_EQ(seen.size(), 6U);
    EXPECT_EQ(error_of([&] { slider.observe("colour", [](auto&) {}); }).substr(0, 49),
              "observe: this widget has no property 'colour'. It");
}

TEST_F(Widgets, AnObserverMayEndItsWidget) {
    auto button = std::make_unique<xw::slider<int>>();
    int runs = 0;
    button->observe([&] {
        ++runs;
        button.reset();
    });
    button->observe([&] { ++runs; });
    button->value = 3;
    EXPECT_EQ(runs, 1);
}

TEST_F(Widgets, ValidatorsChangeOrRefuse) {
    xw::number<double> number;
    XVALIDATE(number, value, [](const auto&, double& proposal) {
        if (proposal < 0) throw std::runtime_error("negative");
        if (proposal > 10) proposal = 10;
    });
    number.value = 50;
    EXPECT_EQ(number.value(), 10);
    EXPECT_THROW(number.value = -1, std::runtime_error);
    EXPECT_EQ(number.value(), 10);
    XUNVALIDATE(number, value);
    number.value = -1;
    EXPECT_EQ(number.value(), -1);
}

TEST_F(Widgets, ASlidersValueStaysInItsBounds) {
    xw::slider<int> slider;
    slider.value = 500;
    EXPECT_EQ(slider.value(), 100);
    slider.max = 50;
    EXPECT_EQ(slider.value(), 50);
    slider.min = 200;  // notebooks for xwidgets set min before max
    slider.max = 300;
    EXPECT_EQ(slider.min(), 200);
    EXPECT_EQ(slider.value(), 200);
}

TEST_F(Widgets, AChainMakesAWidget) {
    auto slider =
        xw::slider<double>::initialize().min(-1.0).max(1.0).value(7).description("x").finalize();
    EXPECT_EQ(slider.min(), -1);
    EXPECT_EQ(slider.max(), 1);
    EXPECT_EQ(slider.value(), 1);
    EXPECT_EQ(slider.description(), "x");
    auto old = xw::slider_generator<int>().max(10).finalize();
    EXPECT_EQ(old.max(), 10);
    auto part = xw::slider<float>::initialize();
    part.min = 2.5f;
    EXPECT_EQ(std::move(part).finalize().min(), 2.5f);
}

TEST_F(Widgets, CopiesAreIndependentMovesAreNot) {
    xw::slider<int> one;
    int runs = 0;
    one.observe([&] { ++runs; });
    one.value = 1;
    xw::slider<int> two = one;
    two.value = 2;
    EXPECT_EQ(one.value(), 1);
    EXPECT_EQ(runs, 1);
    EXPECT_NE(one.id(), two.id());
    const std::string id = one.id();
    xw::slider<int> three = std::move(one);
    EXPECT_EQ(three.id(), id);
    three.value = 3;
    EXPECT_EQ(runs, 2);
    two = three;
    EXPECT_EQ(two.value(), 3);
    EXPECT_NE(two.id(), three.id());
    two = std::move(three);
    EXPECT_EQ(two.id(), id);
}

TEST_F(Widgets, LinksOfPropertiesEnd) {
    xw::slider<int> a, b;
    a.value = 5;
    XLINK(a, value, b, value);
    EXPECT_EQ(b.value(), 5);
    a.value = 6;
    EXPECT_EQ(b.value(), 6);
    b.value = 7;
    EXPECT_EQ(a.value(), 7);
    xw::label label;
    xw::text text;
    XDLINK(text, value, label, value);
    text.value = "hello";
    EXPECT_EQ(label.value(), "hello");
}

TEST_F(Widgets, ASelectionHasAValueAndAnIndex) {
    xw::dropdown choice(Names({"sgd", "adam"}), "adam");
    EXPECT_EQ(choice.index(), 1);
    int runs = 0;
    choice.observe([&](const std::string&) { ++runs; });
    choice.value = "sgd";
    EXPECT_EQ(choice.index(), 0);
    EXPECT_EQ(runs, 1);
    choice.index = 1;
    EXPECT_EQ(choice.value(), "adam");
    EXPECT_EQ(runs, 2);
    choice._options_labels = Names{"rmsprop"};
    EXPECT_EQ(choice.value(), "rmsprop");
    EXPECT_EQ(error_of([&] { choice.value = "adam"; }),
              "value: 'adam' is not an option. The options are: rmsprop.");
    EXPECT_EQ(error_of([&] { choice.index = 3; }), "index: 3 is out of range for 1 options.");
    EXPECT_EQ(error_of([] { xw::dropdown wrong(Names{"a"}, "b"); }),
              "selection: 'b' is not an option. The options are: a.");
}

TEST_F(Widgets, WordsAreChecked) {
    xw::button button;
    button.button_style = "success";
    EXPECT_EQ(
        error_of([&] { button.button_style = "loud"; }),
        "button_style: 'loud' is not one of its values. Use one of: '' (none)  primary success "
        "info warning danger.");
    EXPECT_EQ(button.button_style(), "success");
    button.button_style = "";
    xw::slider<int> slider;
    EXPECT_THROW(slider.orientation = "", std::invalid_argument);
}

TEST_F(Widgets, ImagesComeFromFiles) {
    const std::string name = testing::TempDir() + "widget.jpg";
    std::ofstream(name, std::ios::binary) << std::string("\x00\xff\x10", 3);
    auto picture = xw::image_from_file(name).finalize();
    EXPECT_EQ(picture.value(), (std::vector<char>{'\x00', '\xff', '\x10'}));
    EXPECT_EQ(picture.format(), "jpeg");
    std::remove(name.c_str());
    EXPECT_EQ(
        error_of([&] { xw::read_file(name); }),
        "read_file: '" + name +
            "' cannot be opened. Give a path from the notebook's folder, or an absolute one.");
    EXPECT_EQ(xw::image_from_url("http://x/y.png").finalize().format(), "url");
}

TEST_F(Widgets, LayoutAndStyleAreMadeWhenAskedFor) {
    xw::slider<int> slider;
    slider.layout().width = "50%";
    slider.layout().border = "1px solid";
    slider.style().handle_color = "blue";
    EXPECT_EQ(*slider.layout().border_left(), "1px solid");
    auto copy = slider;
    copy.layout().width = "10px";
    EXPECT_EQ(*slider.layout().width(), "50%");
    EXPECT_EQ(*copy.style().handle_color(), "blue");
}

// The text is what a terminal, GitHub and nbval see: the same on every machine.
TEST_F(Widgets, EveryWidgetHasAText) {
    xw::slider<double> slider;
    slider.description = "rate";
    slider.value = 0.3;
    EXPECT_EQ(slider.text(), "rate: 0.3 (slider from 0 to 100 in steps of 0.1)");
    xw::checkbox box;
    box.description = "shuffle";
    EXPECT_EQ(box.text(), "[ ] shuffle");
    box.value = true;
    EXPECT_EQ(box.text(), "[x] shuffle");
    xw::button button;
    button.description = "train";
    EXPECT_EQ(button.text(), "[train]");
    EXPECT_EQ(xw::dropdown(Names{"a", "b"}, "b").text(), "b (one of a, b)");
    xw::html html;
    html.value = "<b>95</b> percent";
    EXPECT_EQ(html.text(), "95 percent");
    xw::progress<int> progress;
    progress.value = 60;
    EXPECT_EQ(progress.text(), "60 of 100");
    xw::password password;
    password.value = "secret";
    EXPECT_EQ(password.text(), "***");
    EXPECT_EQ(xw::image().text(), "image (empty)");
}

TEST_F(Widgets, DisplayPrintsTheText) {
    xw::hbox row;
    xw::vbox column;
    xw::checkbox yes, no;
    yes.value = true;
    row.add(yes);
    row.add(no);
    column.add(std::move(row));
    column.add(xw::button());
    testing::internal::CaptureStdout();
    column.display();
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "[x]  [ ]\n[button]\n");
}

TEST_F(Widgets, AWidgetThatGoesLeavesItsBox) {
    xw::vbox box;
    {
        xw::checkbox inside;
        box.add(inside);
        EXPECT_EQ(box.children.size(), 1U);
    }
    EXPECT_EQ(box.children.size(), 0U);
    xw::label stays;
    box.add(stays);
    box.add(xw::button());
    box.remove(stays);
    EXPECT_EQ(box.text(), "[button]");
    box.clear();
    EXPECT_EQ(box.children.size(), 0U);
    xw::hbox outer;
    outer.add(box);
    EXPECT_EQ(error_of([&] { box.add(outer); }),
              "add: a box cannot hold itself, nor a box in which it is.");
    EXPECT_EQ(error_of([&] { box.add(box); }),
              "add: a box cannot hold itself, nor a box in which it is.");
}

TEST_F(Widgets, OutputIsAPlainScopeHere) {
    xw::output out;
    testing::internal::CaptureStdout();
    {
        const auto here = out.guard();
        std::printf("seen\n");
    }
    out.capture();
    out.release();
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "seen\n");
}

}  // namespace
