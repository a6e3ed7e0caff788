// The messages between widgets and a front end.
#include "fake_front_end.hpp"

#include "xcpp/widgets.hpp"

#include <gtest/gtest.h>

namespace {

using nlohmann::json;

class WidgetComms : public testing::Test {
protected:
    WidgetComms() {
        page.run_again.clear();
        page.has_comms = true;
        next_cell();
        page.said.clear();
        page.shown.clear();
        page.areas.clear();
    }

    // The execution count only grows, as in a session.
    int next_cell() { return page.cell = ++last_cell; }
    void run_again(int cell) { page.run_again[cell] = next_cell(); }

    std::string view() const {
        return page.shown.back()["application/vnd.jupyter.widget-view+json"]["model_id"];
    }

    FakeFrontEnd& page = FakeFrontEnd::get();
    static int last_cell;
};
int WidgetComms::last_cell = 0;

TEST_F(WidgetComms, AWidgetOpensWithItsWholeState) {
    std::string id;
    {
        xw::slider<double> slider;
        id = slider.id();
        const auto opened = page.heard();
        ASSERT_EQ(opened.size(), 1U);  // layout and style only on request
        const json& state = opened[0].data["state"];
        EXPECT_EQ(state["_model_name"], "FloatSliderModel");
        EXPECT_EQ(state["_view_name"], "FloatSliderView");
        EXPECT_EQ(state["_model_module"], "@jupyter-widgets/controls");
        EXPECT_EQ(state["_model_module_version"], "2.0.0");
        EXPECT_EQ(state["max"], 100);
        EXPECT_EQ(state["step"], 0.1);
        EXPECT_EQ(state["layout"], nullptr);
    }
    const auto closed = page.heard();
    ASSERT_EQ(closed.size(), 1U);
    EXPECT_EQ(closed[0].event, "close");
    EXPECT_EQ(closed[0].id, id);
}

TEST_F(WidgetComms, IntegersHaveModelsOfTheirOwn) {
    xw::slider<int> slider;
    xw::progress<float> progress;
    xw::number_bounded<long> field;
    EXPECT_EQ(page.open[slider.id()]["_model_name"], "IntSliderModel");
    EXPECT_EQ(page.open[progress.id()]["_model_name"], "FloatProgressModel");
    EXPECT_EQ(page.open[field.id()]["_model_name"], "BoundedIntTextModel");
}

TEST_F(WidgetComms, AnAssignmentIsToldOnce) {
    xw::slider<double> slider;
    page.heard();
    slider.value = 3;
    slider.value = 3;
    auto said = page.heard();
    ASSERT_EQ(said.size(), 1U);
    EXPECT_EQ(
        said[0].data,
        json({{"method", "update"}, {"state", {{"value", 3}}}, {"buffer_paths", json::array()}}));
    slider.value = 500;  // limited by its bounds
    EXPECT_EQ(page.open[slider.id()]["value"], 100);
    slider.max = 40;
    EXPECT_EQ(page.open[slider.id()]["value"], 40);
    EXPECT_EQ(page.open[slider.id()]["max"], 40);
}

TEST_F(WidgetComms, AChainIsToldOnce) {
    page.heard();
    auto slider = xw::slider<double>::initialize().min(-1.0).max(1.0).finalize();
    const auto said = page.heard();
    ASSERT_EQ(said.size(), 1U);
    EXPECT_EQ(said[0].data["state"]["min"], -1);
    slider.value = 0.5;
    EXPECT_EQ(page.open[slider.id()]["value"], 0.5);
}

TEST_F(WidgetComms, ADragReachesTheValueAndTheObservers) {
    xw::slider<double> slider;
    std::vector<double> seen;
    slider.observe([&](double value) { seen.push_back(value); });
    page.heard();
    page.update(slider.id(), {{"value", 7.5}});
    EXPECT_EQ(slider.value(), 7.5);
    EXPECT_EQ(seen, std::vector<double>{7.5});
    const auto said = page.heard();
    ASSERT_EQ(said.size(), 1U);
    EXPECT_EQ(said[0].data["method"], "echo_update");  // another page may show it, too
    EXPECT_EQ(said[0].data["state"], json({{"value", 7.5}}));
}

TEST_F(WidgetComms, WhatAValidatorChangedGoesBack) {
    xw::number<int> number;
    XVALIDATE(number, value, [](auto&, int& proposal) {
        if (proposal == 13) throw std::runtime_error("unlucky");
        proposal -= proposal % 10;
    });
    page.heard();
    page.update(number.id(), {{"value", 57}});
    EXPECT_EQ(number.value(), 50);
    auto said = page.heard();
    ASSERT_EQ(said.size(), 1U);
    EXPECT_EQ(said[0].data["method"], "update");
    EXPECT_EQ(said[0].data["state"], json({{"value", 50}}));
    EXPECT_THROW(page.update(number.id(), {{"value", 13}}), std::runtime_error);
    EXPECT_EQ(number.value(), 50);
    said = page.heard();
    ASSERT_EQ(said.size(), 1U);
    EXPECT_EQ(said[0].data["state"], json({{"value", 50}}));
}

TEST_F(WidgetComms, OddMessagesAreRefused) {
    xw::slider<int> slider;
    page.heard();
    for (const json& odd : {json("text"), json(nullptr), json(2.5), json(json::array())})
        page.update(slider.id(), {{"value", odd}});
    EXPECT_EQ(slider.value(), 0);
    page.update(slider.id(), {{"nonsense", 1}, {"_model_name", "Evil"}});
    page.send(slider.id(), {{"method", "update"}});
    page.send(slider.id(), {{"method", "unheard of"}});
    page.send(slider.id(), json::array());
    EXPECT_EQ(page.open[slider.id()]["_model_name"], "IntSliderModel");
}

TEST_F(WidgetComms, AButtonIsPressed) {
    xw::button button;
    int clicks = 0;
    button.on_click([&] { ++clicks; });
    button.on_click([&] { ++clicks; });
    page.send(button.id(), {{"method", "custom"}, {"content", {{"event", "click"}}}});
    EXPECT_EQ(clicks, 2);
    xw::text text;
    text.on_submit([&] { clicks = 0; });
    page.update(text.id(), {{"value", "größe"}});
    page.send(text.id(), {{"method", "custom"}, {"content", {{"event", "submit"}}}});
    EXPECT_EQ(clicks, 0);
    EXPECT_EQ(text.value(), "größe");
}

TEST_F(WidgetComms, AChoiceTravelsAsItsIndex) {
    xw::dropdown choice(std::vector<std::string>{"sgd", "adam", "rmsprop"}, "adam");
    EXPECT_EQ(page.open[choice.id()]["index"], 1);
    EXPECT_FALSE(page.open[choice.id()].contains("value"));
    std::string seen;
    choice.observe([&](const std::string& value) { seen = value; });
    page.update(choice.id(), {{"index", 2}});
    EXPECT_EQ(seen, "rmsprop");
    choice.value = "sgd";
    EXPECT_EQ(page.open[choice.id()]["index"], 0);
    EXPECT_THROW(page.update(choice.id(), {{"index", 7}}), std::invalid_argument);
    EXPECT_EQ(choice.index(), 0);
}

TEST_F(WidgetComms, SeveralChoicesTravelAsTheirIndices) {
    xw::select_multiple columns(std::vector<std::string>{"loss", "accuracy", "time"});
    EXPECT_EQ(page.open[columns.id()]["_model_name"], "SelectMultipleModel");
    EXPECT_EQ(page.open[columns.id()]["index"], json::array());
    std::vector<std::string> seen;
    columns.observe([&](const std::vector<std::string>& value) { seen = value; });
    page.update(columns.id(), {{"index", {0, 2}}});
    EXPECT_EQ(seen, (std::vector<std::string>{"loss", "time"}));
    EXPECT_EQ(columns.text(), "loss, time (of loss, accuracy, time)");
    columns.value = std::vector<std::string>{"accuracy"};
    EXPECT_EQ(page.open[columns.id()]["index"], json::array({1}));
    EXPECT_THROW(page.update(columns.id(), {{"index", {7}}}), std::invalid_argument);
    EXPECT_THROW(columns.value = std::vector<std::string>{"speed"}, std::invalid_argument);
    EXPECT_EQ(columns.index(), std::vector<int>{1});
    columns._options_labels = std::vector<std::string>{"accuracy", "memory"};
    EXPECT_EQ(page.open[columns.id()]["index"], json::array({0}));
}

TEST_F(WidgetComms, ARangeHasTwoEnds) {
    xw::selection_rangeslider range(std::vector<std::string>{"May", "June", "July"});
    EXPECT_EQ(page.open[range.id()]["_view_name"], "SelectionRangeSliderView");
    EXPECT_EQ(page.open[range.id()]["index"], json::array({0, 0}));
    page.update(range.id(), {{"index", {1, 2}}});
    EXPECT_EQ(range.value(), (std::vector<std::string>{"June", "July"}));
    EXPECT_THROW(range.index = std::vector<int>{1}, std::invalid_argument);
    EXPECT_THROW(range._options_labels = std::vector<std::string>{}, std::invalid_argument);
    range._options_labels = std::vector<std::string>{"August", "July"};
    EXPECT_EQ(range.value(), (std::vector<std::string>{"August", "August"}));
}

TEST_F(WidgetComms, SoundAndFilmsAreBytesWithAFormat) {
    xw::audio sound = xw::audio_from_url("https://example.org/a.mp3").finalize();
    EXPECT_EQ(page.open[sound.id()]["_model_name"], "AudioModel");
    EXPECT_EQ(page.open[sound.id()]["format"], "url");
    EXPECT_EQ(page.open[sound.id()]["autoplay"], true);
    sound.loop = false;
    EXPECT_EQ(page.open[sound.id()]["loop"], false);
    xw::video film;
    EXPECT_EQ(page.open[film.id()]["_view_name"], "VideoView");
    EXPECT_EQ(film.text(), "video (empty)");
    film.value = std::vector<char>{'x'};
    EXPECT_EQ(film.text(), "video (mp4)");
    EXPECT_THROW(xw::video_from_file("no such file.mp4"), std::runtime_error);
}

// The page makes the models of the buttons, and the controller then names them.
TEST_F(WidgetComms, AGamepadBringsItsOwnButtons) {
    xw::controller pad;
    const auto offer = [&](const char* id, const json& state) {
        page.targets.at("jupyter.widget")("open", id, json{{"state", state}}.dump().c_str(), "{}",
                                          nullptr, 0, nullptr);
    };
    offer("b0", {{"_model_name", "ControllerButtonModel"}, {"value", 0.5}, {"pressed", true}});
    offer("a0", {{"_model_name", "ControllerAxisModel"}, {"value", -1.0}});
    page.update(pad.id(), {{"connected", true},
                           {"name", "Pad"},
                           {"buttons", {"IPY_MODEL_b0"}},
                           {"axes", {"IPY_MODEL_a0"}}});
    ASSERT_EQ(pad.buttons().size(), 1U);
    ASSERT_EQ(pad.axes().size(), 1U);
    EXPECT_TRUE(pad.buttons()[0].pressed());
    EXPECT_EQ(pad.buttons()[0].value(), 0.5);
    EXPECT_EQ(pad.axes()[0].value(), -1.0);
    EXPECT_EQ(pad.text(), "controller Pad (1 buttons, 1 axes)");
    double seen = 0;
    pad.buttons()[0].observe([&](double value) { seen = value; });
    page.update("b0", {{"value", 0.25}});
    EXPECT_EQ(seen, 0.25);
    page.update(pad.id(), {{"buttons", {"IPY_MODEL_b0"}}});  // the same one, with its observer
    page.update("b0", {{"value", 0.75}});
    EXPECT_EQ(seen, 0.75);
    page.update(pad.id(), {{"buttons", {"IPY_MODEL_unknown"}}});
    EXPECT_EQ(pad.buttons().size(), 1U);
}

TEST_F(WidgetComms, BytesTravelBesideTheText) {
    xw::image picture;
    page.heard();
    picture.value = std::vector<char>{'\x89', 'P', '\0', '\xff'};
    auto said = page.heard();
    ASSERT_EQ(said.size(), 1U);
    EXPECT_EQ(said[0].data["buffer_paths"], json::array({json::array({"value"})}));
    EXPECT_EQ(said[0].buffers, std::vector<std::string>{std::string("\x89P\0\xff", 4)});
    auto copy = picture;
    said = page.heard();
    EXPECT_EQ(said[0].event, "open");
    EXPECT_EQ(said[0].buffers[0].size(), 4U);
}

TEST_F(WidgetComms, ABoxNamesItsChildren) {
    xw::hbox box;
    xw::slider<int> slider;
    box.add(slider);
    EXPECT_EQ(page.open[box.id()]["children"], json::array({"IPY_MODEL_" + slider.id()}));
    {
        xw::label label;
        box.add(label);
        EXPECT_EQ(page.open[box.id()]["children"].size(), 2U);
    }
    // Before the duplicate is removed, or the page would look for it.
    EXPECT_EQ(page.open[box.id()]["children"].size(), 1U);
    box.add(xw::button());
    EXPECT_EQ(page.open.size(), 3U);
    box.clear();
    EXPECT_EQ(page.open.size(), 2U);
    EXPECT_EQ(page.open[box.id()]["children"], json::array());
}

TEST_F(WidgetComms, AMovedWidgetKeepsItsTwin) {
    xw::slider<int> first;
    const std::string id = first.id();
    page.heard();
    xw::slider<int> second = std::move(first);
    EXPECT_TRUE(page.heard().empty());
    page.update(id, {{"value", 4}});
    EXPECT_EQ(second.value(), 4);
    xw::slider<int> third;
    const std::string old = third.id();
    third = std::move(second);
    EXPECT_EQ(page.open.count(old), 0U);
    page.update(id, {{"value", 5}});
    EXPECT_EQ(third.value(), 5);
}

TEST_F(WidgetComms, LayoutIsATwinOfItsOwn) {
    xw::button button;
    button.layout().width = "50%";
    const std::string id = button.layout().id();
    EXPECT_EQ(page.open[button.id()]["layout"], "IPY_MODEL_" + id);
    EXPECT_EQ(page.open[id]["width"], "50%");
    EXPECT_EQ(page.open[id]["_model_name"], "LayoutModel");
    EXPECT_FALSE(page.open[id].contains("height"));
    button.style().button_color = "red";
    EXPECT_EQ(page.open[button.style().id()]["_model_name"], "ButtonStyleModel");
    xw::slider<int> a, b;
    const xw::link link(a, "value", b, "value");
    EXPECT_EQ(page.open[link.id()]["source"], json::array({"IPY_MODEL_" + a.id(), "value"}));
    EXPECT_EQ(page.open[link.id()]["_view_name"], nullptr);
}

TEST_F(WidgetComms, DisplayShowsTheWidgetAndARoomForItsOutput) {
    xw::slider<int> slider;
    slider.display();
    EXPECT_EQ(page.shown.back()["text/plain"], "0 (slider from 0 to 100 in steps of 1)");
    const json& frame = page.open[view()];
    EXPECT_EQ(frame["_model_name"], "VBoxModel");
    ASSERT_EQ(frame["children"].size(), 2U);
    EXPECT_EQ(frame["children"][0], "IPY_MODEL_" + slider.id());
    xw::label label;  // it runs nothing of the user's code
    label.display();
    EXPECT_EQ(view(), label.id());
}

TEST_F(WidgetComms, WithoutCommsTheTextIsShown) {
    page.has_comms = false;
    xw::slider<int> slider;
    slider.value = 4;
    slider.display();
    EXPECT_EQ(page.shown.back(), json({{"text/plain", "4 (slider from 0 to 100 in steps of 1)"}}));
    EXPECT_TRUE(page.heard().empty());
}

TEST_F(WidgetComms, WhatAnObserverShowsGoesBelowItsWidget) {
    xw::hbox row;
    xw::slider<int> slider, silent;
    row.add(slider);
    row.add(silent);
    slider.observe([] {});
    page.update(slider.id(), {{"value", 1}});
    EXPECT_TRUE(page.areas.empty());  // not shown yet
    next_cell();
    row.display();
    const std::string area = std::string(page.open[view()]["children"][1]).substr(10);
    EXPECT_EQ(page.open[area]["_model_name"], "OutputModel");
    page.update(slider.id(), {{"value", 2}});
    EXPECT_EQ(page.areas, std::vector<std::string>{area});
    page.update(silent.id(), {{"value", 2}});
    EXPECT_EQ(page.areas.size(), 1U);
    // The page has sent its request; remember it here.
    page.heard();
    page.update(
        area, {{"outputs",
                json::array({{{"output_type", "stream"}, {"name", "stdout"}, {"text", "2\n"}}})}});
    EXPECT_TRUE(page.heard().empty());
    page.send(area, {{"method", "request_state"}});
    EXPECT_EQ(page.heard()[0].data["state"]["outputs"][0]["text"], "2\n");
}

TEST_F(WidgetComms, AnOutputWidgetIsEnteredAndLeft) {
    xw::output outer, inner;
    {
        const auto a = outer.guard();
        {
            const auto b = inner.guard();
        }
    }
    EXPECT_EQ(page.areas, (std::vector<std::string>{outer.id(), inner.id(), outer.id(), ""}));
    page.areas.clear();
    outer.capture();
    next_cell();  // the request has ended, and the capture with it
    outer.capture();
    outer.release();
    EXPECT_EQ(page.areas, (std::vector<std::string>{outer.id(), outer.id(), ""}));
}

TEST_F(WidgetComms, APageThatIsLoadedAgainGetsEverything) {
    xw::slider<int> slider;
    xw::image picture;
    picture.value = std::vector<char>{'x', 'y'};
    slider.value = 12;
    page.heard();
    const auto control = page.targets.at("jupyter.widget.control");
    control("open", "control", "{}", "{}", nullptr, 0, nullptr);
    control("msg", "control", R"({"method": "request_states"})", "{}", nullptr, 0, nullptr);
    const auto said = page.heard();
    ASSERT_EQ(said.size(), 1U);
    EXPECT_EQ(said[0].id, "control");
    EXPECT_EQ(said[0].data["method"], "update_states");
    const json& states = said[0].data["states"];
    EXPECT_EQ(states.size(), 2U);
    EXPECT_EQ(states[slider.id()]["model_name"], "IntSliderModel");
    EXPECT_EQ(states[slider.id()]["state"]["value"], 12);
    EXPECT_EQ(said[0].data["buffer_paths"],
              json::array({json::array({picture.id(), "state", "value"})}));
    EXPECT_EQ(said[0].buffers, std::vector<std::string>{"xy"});
}

// Each run keeps its variables alive, as a cell does that defines them again.
TEST_F(WidgetComms, CellsThatAreRunAgainLeakNothing) {
    std::vector<std::unique_ptr<xw::slider<double>>> variables;
    int cell = page.cell;
    std::size_t open = 0;
    for (int run = 0; run < 20; ++run) {
        variables.push_back(std::make_unique<xw::slider<double>>());
        variables.back()->layout().width = "50%";
        variables.back()->display();
        if (run == 1) open = page.open.size();
        if (run > 1) EXPECT_EQ(page.open.size(), open);
        const int before = cell;
        run_again(before);
        cell = page.cell;
        for (auto& [old, newest] : page.run_again) newest = cell;
    }
    EXPECT_EQ(open, 4U);  // slider, layout, frame, area
    // It is still a variable: it reappears when it is shown.
    next_cell();
    variables.front()->value = 3;
    variables.front()->display();
    EXPECT_EQ(page.open[variables.front()->id()]["value"], 3);
    EXPECT_EQ(page.open[variables.front()->layout().id()]["width"], "50%");
}

TEST_F(WidgetComms, ObserversThatShowLeakNothing) {
    const int cell = page.cell;
    auto slider = std::make_unique<xw::slider<int>>();
    xw::checkbox shown;
    slider->observe([&](int) { shown.display(); });
    slider->display();
    page.update(slider->id(), {{"value", 1}});
    const auto open = page.open.size();
    for (int drag = 2; drag < 20; ++drag) page.update(slider->id(), {{"value", drag}});
    EXPECT_EQ(page.open.size(), open);
    run_again(cell);
    slider = std::make_unique<xw::slider<int>>();
    EXPECT_EQ(page.open.size(), 1U);  // only the new slider
}

TEST_F(WidgetComms, WhatAnotherCellShowsStays) {
    const int maker = page.cell;
    auto first = std::make_unique<xw::slider<int>>();
    const int shower = next_cell();
    first->display();
    run_again(maker);
    auto second = std::make_unique<xw::slider<int>>();
    EXPECT_EQ(page.open.count(first->id()), 1U);  // the other cell's output shows it
    run_again(shower);
    second->display();
    EXPECT_EQ(page.open.count(first->id()), 0U);
    EXPECT_EQ(page.open.count(second->id()), 1U);
}

}  // namespace
