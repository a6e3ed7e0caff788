#include "lanes/notebook/plot.hpp"

#include "error_of.hpp"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

using lanes::Matrix;
using lanes::Numbers;
using lanes::Plot;
using lanes_test::error_of;
using nlohmann::json;

const double nan_value = std::numeric_limits<double>::quiet_NaN();

#define EXPECT_SAYS(call, text) \
    EXPECT_NE(error_of([&] { call; }).find(text), std::string::npos) << error_of([&] { call; })

TEST(Numbers, TakesAnyRangeOfNumbers) {
    EXPECT_EQ(Numbers({1, 2.5}).values(), (std::vector<double>{1, 2.5}));
    EXPECT_EQ(Numbers(std::vector<int>{3, 4}).values(), (std::vector<double>{3, 4}));
    EXPECT_EQ(Numbers(lanes::Vector{0.5F, 2}).values(), (std::vector<double>{0.5, 2}));
    const std::vector<double> doubles{7};
    EXPECT_EQ(Numbers(doubles).values(), doubles);
}

TEST(Plot, TextNamesTheContentsButNoValues) {
    Plot plot("Accuracy");
    plot.x("epoch").y("accuracy in %").log_x();
    plot.line("plain", {1, 2}, {90, 95})
        .points("best", {2}, {95})
        .rule_y("95 %", 95)
        .rule_x("", 1.5)
        .mark("here", 2, 95);
    EXPECT_EQ(plot.text(),
              "plot: Accuracy\n"
              "x: epoch, logarithmic\n"
              "y: accuracy in %\n"
              "line plain: 2 points\n"
              "points best: 1 point\n"
              "rule y: 95 %\n"
              "rule x\n"
              "mark: here");
    EXPECT_EQ(Plot().bars("time", {"a", "b"}, {1, 2}, {0.1, 0.2}).text(),
              "plot: without a title\nbars time with errors: a, b");
    EXPECT_EQ(Plot("h").histogram("w", {1, 2, 3}, 4).text(),
              "plot: h\nhistogram w: 3 values, 4 bins");
    EXPECT_EQ(Plot("h").heat_map(Matrix{{1, 2, 3}}, "said", "was").text(),
              "plot: h\nx: said\ny: was\nheat map: 1 row, 3 columns");
}

TEST(Plot, PrintsItsTextWithoutAFrontEnd) {
    testing::internal::CaptureStdout();
    Plot("A").line("b", {1, 2}).show();
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "plot: A\nline b: 2 points\n");
}

TEST(Plot, ThrowsForSeriesThatCannotBeDrawn) {
    Plot plot("p");
    EXPECT_SAYS(plot.line("a", {1, 2, 3}, {1, 2}),
                "Plot::line 'a': 3 x but 2 y. Give one y for each x.");
    EXPECT_SAYS(plot.line("a", Numbers{}, Numbers{}), "Plot::line 'a': there are no points.");
    EXPECT_SAYS(plot.line("a", {1, 2}, {1, nan_value}), "Plot::line 'a': y[1] is nan");
    EXPECT_SAYS(plot.points("a", {-INFINITY}, {1}), "Plot::points 'a': x[0] is -inf");
    EXPECT_SAYS(plot.bars("a", {"x"}, {1, 2}), "1 labels but 2 values");
    EXPECT_SAYS(plot.bars("a", {}, Numbers{}), "there are no bars");
    EXPECT_SAYS(plot.bars("a", {"x", "y"}, {1, 2}, {1}), "2 bars but 1 errors");
    EXPECT_SAYS(plot.bars("a", {"x"}, {1}, {-1}), "an error is -1");
    EXPECT_SAYS(plot.bars("a", {"x", "x"}, {1, 2}), "two bars are labelled 'x'");
    EXPECT_SAYS(plot.histogram("a", Numbers{}, 3), "there are no values");
    EXPECT_SAYS(plot.histogram("a", {1}, 0), "0 bins");
    EXPECT_SAYS(plot.heat_map(Matrix({0, 3})), "the matrix is empty, its shape is (0, 3)");
    EXPECT_SAYS(plot.heat_map(Matrix{{1, NAN}}), "the value at (0, 1) is nan");
    EXPECT_SAYS(plot.mark("m", nan_value, 1), "Plot::mark 'm': x is nan");
    EXPECT_SAYS(plot.range_y(3, 3), "from 3 to 3");
    EXPECT_SAYS(plot.size(10, 10), "10 x 10 pixels");
    EXPECT_SAYS(plot.show(), "Plot::show: 'p' holds nothing");
}

TEST(Plot, ThrowsForSeriesThatCannotShareAPlot) {
    Plot lines, bars, heat;
    lines.line("a", {1});
    bars.bars("b", {"x"}, {1});
    heat.heat_map(Matrix{{1}});
    EXPECT_SAYS(lines.bars("b", {"x"}, {1}), "bars share no x axis");
    EXPECT_SAYS(bars.line("a", {1}), "bars share no x axis");
    EXPECT_SAYS(bars.bars("c", {"y"}, {1}), "its labels differ from those of 'b'");
    EXPECT_SAYS(heat.line("a", {1}), "the plot holds a heat map");
    EXPECT_SAYS(lines.heat_map(Matrix{{1}}), "a heat map fills it");
    EXPECT_SAYS(Plot().histogram("a", {1}, 3).histogram("b", {1}, 4), "4 bins, but 'a' has 3");
    EXPECT_SAYS(bars.log_x().show(), "has no numbers on its x axis");
    EXPECT_SAYS(heat.log_y().show(), "has no numbers on its y axis");
}

TEST(Plot, ALogarithmicAxisThrowsForNumbersNotAboveZero) {
    EXPECT_SAYS(Plot().log_x().line("a", {1, 0}, {1, 1}).show(), "Plot::log_x: 'a' has x[1] = 0");
    EXPECT_SAYS(Plot().log_y().line("a", {1, 2}, {-3, 1}).show(), "Plot::log_y: 'a' has y[0] = -3");
    EXPECT_SAYS(Plot().log_y().bars("a", {"x"}, {0}).show(), "Plot::log_y: 'a' has y[0] = 0");
    EXPECT_SAYS(Plot().log_y().line("a", {1}).rule_y("r", 0).show(),
                "Plot::log_y: 'r' has y[0] = 0");
    EXPECT_SAYS(Plot().log_x().line("a", {1}).mark("m", -1, 1).show(),
                "Plot::log_x: 'm' has x[0] = -1");
    EXPECT_SAYS(Plot().log_x().line("a", {1}).range_x(0, 2).show(),
                "Plot::log_x: 'range_x' has x[0] = 0");
}

TEST(Plot, VegaLiteHoldsTheValues) {
    const json spec =
        json::parse(Plot("T").x("epoch").line("plain", {1, 2}, {90.5, 95}).vega_lite());
    EXPECT_EQ(spec["$schema"], "https://vega.github.io/schema/vega-lite/v5.json");
    EXPECT_EQ(spec["title"]["text"], "T");
    EXPECT_EQ(spec["layer"][0]["data"]["values"],
              json::parse(R"([{"x": 1, "y": 90.5}, {"x": 2, "y": 95}])"));
    EXPECT_EQ(spec["layer"][0]["encoding"]["x"]["axis"]["title"], "epoch");
    EXPECT_EQ(spec["layer"][0]["encoding"]["color"]["legend"], nullptr);  // one series needs none
}

TEST(Plot, VegaLiteOfBarsHoldsErrors) {
    const json spec = json::parse(
        Plot().bars("a", {"x", "y"}, {4, 2}, {1, 0.5}).bars("b", {"x", "y"}, {3, 1}).vega_lite());
    const json rows = spec["layer"][0]["data"]["values"];
    EXPECT_EQ(rows.size(), 4U);
    EXPECT_EQ(rows[0]["low"], 3);
    EXPECT_EQ(rows[1]["high"], 2.5);
    EXPECT_FALSE(rows[2].contains("low"));
    EXPECT_TRUE(spec["layer"][0]["encoding"].contains("xOffset"));
}

TEST(Plot, HistogramCountsEveryValueOnce) {
    std::vector<double> values;
    for (int i = 0; i <= 100; ++i) values.push_back(i);
    const json rows =
        json::parse(Plot().histogram("a", values, 10).vega_lite())["layer"][0]["data"]["values"];
    ASSERT_EQ(rows.size(), 10U);
    EXPECT_EQ(rows[0], json::parse(R"({"x": 0, "x2": 10, "y": 10})"));
    EXPECT_EQ(rows[9], json::parse(R"({"x": 90, "x2": 100, "y": 11})"));
    const json one =
        json::parse(Plot().histogram("a", {5, 5, 5}, 4).vega_lite())["layer"][0]["data"]["values"];
    double sum = 0;
    for (const json& row : one) sum += row["y"].get<double>();
    EXPECT_EQ(sum, 3);
}

TEST(Plot, ReducesLargeDataButKeepsOutliers) {
    std::vector<double> ys(100000, 0.5);
    ys[12345] = 7;  // an outlier is kept
    const std::string spec = Plot().line("a", ys).vega_lite();
    EXPECT_LT(spec.size(), 60000U);
    EXPECT_NE(spec.find("{\"x\":12346,\"y\":7}"), std::string::npos);
    EXPECT_LT(Plot().points("a", ys, ys).vega_lite().size(), 80000U);
    EXPECT_LT(Plot().heat_map(xt::ones<float>({2000, 3000})).vega_lite().size(), 60000U);
}

TEST(Plot, NoLineRunsThroughTheTextOfAMark) {
    const auto dy = [](const Plot& plot) {
        const json spec = json::parse(plot.vega_lite());
        for (const auto& layer : spec["layer"])
            if (layer.contains("layer") && layer["layer"].back()["mark"].value("text", "") == "m")
                return layer["layer"].back()["mark"]["dy"].get<double>();
        return std::nan("");
    };
    EXPECT_GT(dy(Plot().line("a", {0, 10}, {0, 10}).mark("m", 5, 5)), 0)
        << "the line rises, the text is below";
    EXPECT_LT(dy(Plot().line("a", {0, 10}, {10, 0}).mark("m", 5, 5)), 0);
    EXPECT_LT(dy(Plot().line("a", {0, 10}, {0, 10}).mark("m", 5, 9)), 0) << "the line is elsewhere";
    EXPECT_LT(dy(Plot().line("a", {0, 10}, {0, 10}).mark("m", 9, 9)), 0)
        << "far to the right the text is left of the mark";
    EXPECT_GT(dy(Plot().line("a", {0, 10}, {10, 0}).mark("m", 9, 1)), 0);
}

TEST(Plot, EveryKindHasLayersAndASize) {
    for (const Plot& plot :
         {Plot().bars("a", {"x", "y"}, {4, -2}, {1, 0.5}), Plot().histogram("a", {1, 2, 2}).log_y(),
          Plot().heat_map(Matrix{{1, 1}}), Plot().log_x().log_y().line("a", {1e-9, 1e12}, {1, 1}),
          Plot().points("a", {5}, {5}), Plot().mark("m", 0, 0)}) {
        const json spec = json::parse(plot.vega_lite());
        EXPECT_FALSE(spec["layer"].empty()) << plot.text();
        EXPECT_EQ(spec["width"], 640) << plot.text();
    }
    EXPECT_EQ(json::parse(Plot().line("a", {1, 2}).size(400, 300).vega_lite())["height"], 300);
}

json x_of(const Plot& plot) { return json::parse(plot.vega_lite())["layer"][0]["encoding"]["x"]; }
json y_of(const Plot& plot) { return json::parse(plot.vega_lite())["layer"][0]["encoding"]["y"]; }

TEST(Plot, WholeNumbersHaveNoTicksBetweenThem) {
    EXPECT_EQ(x_of(Plot().line("a", {1, 2, 3}, {1, 2, 3}))["axis"]["tickCount"], 2);
    EXPECT_EQ(x_of(Plot().line("a", {1, 2, 3.5}, {1, 2, 3}))["axis"]["tickCount"], 7);
    EXPECT_EQ(x_of(Plot().line("a", {0, 1000}, {1, 2}))["axis"]["tickCount"], 7);
}

TEST(Plot, ALogarithmicAxisOfPowersOfTwoHasItsTicksThere) {
    EXPECT_EQ(x_of(Plot().log_x().line("a", {1, 2, 16}, {1, 2, 3}))["scale"]["base"], 2);
    EXPECT_FALSE(x_of(Plot().log_x().line("a", {1, 3, 16}, {1, 2, 3}))["scale"].contains("base"));
}

TEST(Plot, TheYAxisBeginsAtZeroForBarsAndForValuesNearZero) {
    EXPECT_EQ(y_of(Plot().line("a", {1, 10}))["scale"]["zero"], true);
    EXPECT_EQ(y_of(Plot().line("a", {9, 10}))["scale"]["zero"], false);
    EXPECT_EQ(y_of(Plot().histogram("a", {1, 2, 2}))["scale"]["zero"], true);
}

TEST(Plot, ASingleValueIsInTheMiddleOfItsAxis) {
    const json linear = x_of(Plot().points("a", {5}, {5}))["scale"]["domain"];
    EXPECT_DOUBLE_EQ((linear[0].get<double>() + linear[1].get<double>()) / 2, 5);
    const json log = x_of(Plot().log_x().points("a", {8}, {5}))["scale"]["domain"];
    EXPECT_EQ(log, json({4, 16}));
}

// Every "fontSize", "labelFontSize" and "titleFontSize" of a specification.
void add_font_sizes(const json& spec, std::vector<double>& sizes) {
    if (spec.is_array())
        for (const json& item : spec) add_font_sizes(item, sizes);
    if (!spec.is_object()) return;
    for (const auto& [key, value] : spec.items()) {
        const bool is_size = key.size() >= 8 && key.substr(key.size() - 8) == "FontSize";
        if (is_size || key == "fontSize") sizes.push_back(value.get<double>());
        add_font_sizes(value, sizes);
    }
}

TEST(Plot, NoTextIsSmallerThanTwelvePixels) {
    const std::string title = "A title that is much too long for a plot of this width";
    for (const Plot& plot :
         {Plot(title).size(200, 150).line("a", {1, 2}).mark("m", 1, 1).rule_y("r", 2),
          Plot(title).heat_map(Matrix{{1, 2}, {3, 4}}).mark("m", 0, 0),
          Plot(title).bars("a", {"x", "y"}, {4, 2}, {1, 0.5})}) {
        std::vector<double> sizes;
        add_font_sizes(json::parse(plot.vega_lite()), sizes);
        ASSERT_GE(sizes.size(), 5U);  // title, axes, legend, texts
        EXPECT_GE(*std::min_element(sizes.begin(), sizes.end()), 12);
    }
}

TEST(Plot, ATitleThatIsTooLongHasSeveralLines) {
    const auto title_of = [](const Plot& plot) {
        return json::parse(plot.vega_lite())["title"]["text"];
    };
    const std::string title = "What each filter makes of a step from black to white";
    EXPECT_EQ(title_of(Plot(title).line("a", {1, 2})), title);
    EXPECT_EQ(title_of(Plot(title).line("a", {1, 2}).size(360, 300)),
              json({"What each filter makes of", "a step from black to white"}));
}

TEST(Plot, AGivenRangeIsUsedAsItIs) {
    const Plot plot = Plot().line("a", {1, 2, 3}).range_x(0, 7).range_y(-1, 5);
    EXPECT_EQ(x_of(plot)["scale"]["domain"], json({0, 7}));
    EXPECT_EQ(y_of(plot)["scale"]["domain"], json({-1, 5}));
}

TEST(Plot, AChangedCopyLeavesTheOriginalAlone) {
    const Plot first = Plot("a").line("b", {1});
    Plot second = first;
    second.line("c", {1});
    EXPECT_EQ(first.text(), "plot: a\nline b: 1 point");
    EXPECT_EQ(second.text(), "plot: a\nline b: 1 point\nline c: 1 point");
}

TEST(Timeline, HasOneRowPerLaneAndOneColourPerKind) {
    Plot plot("Workers");
    plot.x("time in ms").span("worker 0", "augment", 0, 2).span("training", "step", 2, 2.5);
    plot.span("worker 0", "wait", 2, 3);
    EXPECT_EQ(plot.text(),
              "plot: Workers\nx: time in ms\ntimeline: worker 0, training (augment, step, wait)");
    const json spec = json::parse(plot.vega_lite());
    const json layer = spec["layer"][0];
    EXPECT_EQ(layer["data"]["values"].size(), 3U);
    EXPECT_EQ(layer["data"]["values"][1]["start"], 2);
    EXPECT_EQ(layer["data"]["values"][1]["end"], 2.5);
    EXPECT_EQ(layer["encoding"]["y"]["sort"], (json{"worker 0", "training"}));
    EXPECT_EQ(layer["encoding"]["color"]["scale"]["domain"], (json{"augment", "step", "wait"}));
}

TEST(Timeline, RefusesWhatCannotBeDrawn) {
    EXPECT_SAYS(Plot().span("worker 0", "augment", 2, 1), "before its start");
    EXPECT_SAYS(Plot().span("worker 0", "augment", nan_value, 1), "start is nan");
    EXPECT_SAYS(Plot().line("a", {1}).span("worker 0", "augment", 0, 1), "a timeline fills it");
    EXPECT_SAYS(Plot().span("worker 0", "augment", 0, 1).line("a", {1}), "holds a timeline");
}

}  // namespace
