#include "lanes/lesson/network_pictures.hpp"

#include "lanes/base/error.hpp"
#include "lanes/notebook/display.hpp"
#include "lanes/notebook/drawing.hpp"
#include "lanes/notebook/plot.hpp"
#include "lanes/notebook/table.hpp"

#include <xtensor/xbuilder.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xsort.hpp>
#include <xtensor/xview.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <utility>

namespace lanes::pictures {

namespace {

using Words = std::vector<std::vector<std::string>>;  // per layer, per neuron or arrow

constexpr std::array<std::size_t, 3> sizes{2, 3, 1};

struct Place {
    double x, y;
};

Place place(std::size_t layer, std::size_t i) {
    const double middle = 0.5 * (static_cast<double>(sizes.at(layer)) - 1);
    return {90.0 + 300 * static_cast<double>(layer), 235 + 150 * (static_cast<double>(i) - middle)};
}

// Between circle i of a layer and circle j of the next one. The text is above the arrow, or below
// it if circle i is the lowest one; it has the colour of its arrow.
void draw_arrow(Drawing& drawing, std::size_t layer, std::size_t i, std::size_t j,
                const std::string& text, bool backward) {
    const Place from = place(layer, i), to = place(layer + 1, j);
    const double dx = to.x - from.x, dy = to.y - from.y;
    const double rim = 32 / std::hypot(dx, dy), x = rim * dx, y = rim * dy;
    const Place tail{from.x + x, from.y + y}, head{to.x - x, to.y - y};
    const Style style{"none", layer > 0 ? "black" : i > 0 ? "#D55E00" : "#0072B2"};
    if (backward)
        drawing.arrow(head.x, head.y, tail.x, tail.y, style);
    else
        drawing.arrow(tail.x, tail.y, head.x, head.y, style);
    const double way = layer == 0 ? 0.74 : 0.45, side = i + 1 == sizes.at(layer) ? 1 : -1;
    const double gap = 11 + 4 * static_cast<double>(text.size()) * std::abs(dy / dx);
    drawing.text(from.x + way * dx, from.y + way * dy + side * gap, text, style);
}

// neurons: texts in the circles, notes: below them. arrows[l]: all that lead to the first neuron of
// layer l + 1, then all that lead to the second one, and so on.
void draw(const Words& neurons, const Words& notes, const Words& arrows, const std::string& what,
          bool backward = false) {
    Drawing drawing(780, 450);
    for (std::size_t l = 0; l < sizes.size(); ++l) {
        drawing.text(place(l, 0).x, 18, "layer " + std::to_string(l));
        for (std::size_t k = 0; l < arrows.size() && k < arrows[l].size(); ++k)
            draw_arrow(drawing, l, k % sizes.at(l), k / sizes.at(l), arrows[l][k], backward);
        for (std::size_t i = 0; i < sizes.at(l); ++i) {
            const auto [x, y] = place(l, i);
            drawing.circle(x, y, 30, {l > 0 ? "#d5edd9" : "#cfe5f3"});
            drawing.text(x, y, neurons[l][i]).text(x, y + 43, notes[l][i]);
        }
    }
    drawing.show(what);
}

std::string rounded(double value) {
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "%.3f", std::abs(value) < 0.0005 ? 0 : value);
    return text.data();
}

template <class Array>
std::vector<std::string> words_of(const Array& values, const std::string& before = "") {
    std::vector<std::string> words;
    for (const float value : values) words.push_back(before + rounded(value));
    return words;
}

std::vector<std::string> arrow_words(const Matrix& weights, bool short_numbers) {
    std::vector<std::string> words;
    for (std::size_t j = 0; j < weights.shape(1); ++j)
        for (std::size_t i = 0; i < weights.shape(0); ++i)
            words.push_back(short_numbers ? compact(weights(i, j)) : rounded(weights(i, j)));
    return words;
}

void require_small(const Parameters& network, std::size_t inputs, const char* what) {
    const bool small = network.weights.size() == 2 && network.biases.size() == 2 &&
                       network.weights[0].shape(0) == 2 && network.weights[0].shape(1) == 3 &&
                       network.weights[1].shape(0) == 3 && network.weights[1].shape(1) == 1;
    LANES_REQUIRE(small && inputs == 1, what, ": draws a network of the sizes 2, 3, 1 and one ",
                  "input. Here are ", network.weights.size(), " matrices of weights and ", inputs,
                  " inputs.");
}

int digit_of(const Matrix& rows, std::size_t i) {  // the column of the largest number
    return static_cast<int>(xt::argmax(xt::view(rows, i))());
}

}  // namespace

void neuron() {
    Drawing drawing(490, 190);
    drawing.circle(60, 55, 24, {"#cfe5f3"}).text(60, 55, "x_{0}");
    drawing.circle(60, 135, 24, {"#cfe5f3"}).text(60, 135, "x_{1}");
    drawing.arrow(84, 55, 246, 88).text(160, 57, "w_{0}");
    drawing.arrow(84, 135, 246, 102).text(160, 135, "w_{1}");
    drawing.rectangle(246, 60, 70, 70, {"#fde7c8"}).text(281, 95, "z");
    drawing.arrow(281, 20, 281, 58).text(294, 28, "b");
    drawing.arrow(316, 95, 400, 95).text(358, 82, "σ");
    drawing.circle(424, 95, 24, {"#d5edd9"}).text(424, 95, "a");
    drawing.show("one neuron: two inputs, two weights, a bias, the sum z, the activation a");
}

void sigmoid_curves(const MatrixFunction& sigmoid, const MatrixFunction& sigmoid_prime) {
    const Matrix range = xt::linspace<float>(-8, 8, 161).reshape({1, 161});
    Plot plot("The sigmoid and its derivative");
    plot.x("x").y("value of the function");
    plot.line("sigmoid", range, sigmoid(range));
    plot.line("sigmoid_prime", range, sigmoid_prime(range)).show();
}

std::string neuron_curve(const MatrixFunction& sigmoid, double weight, double bias) {
    const Matrix range = xt::linspace<float>(-8, 8, 161).reshape({1, 161});
    const Matrix a = sigmoid(static_cast<float>(weight) * range + static_cast<float>(bias));
    std::vector<std::pair<double, double>> curve;
    curve.reserve(range.size());
    for (std::size_t i = 0; i < range.size(); ++i)
        curve.emplace_back(240 + 25 * static_cast<double>(range.flat(i)),
                           220 - 200 * static_cast<double>(a.flat(i)));
    Drawing drawing(480, 260);
    drawing.rectangle(40, 20, 400, 200, {"none", "gray", 1}).text(28, 20, "1");
    drawing.lines(curve, {"none", "blue", 2}).text(240, 240, "x").text(28, 120, "a");
    drawing.text(40, 240, "-8").text(440, 240, "8").text(28, 220, "0");
    return drawing.svg();
}

void network() {
    draw({{"x_{0}", "x_{1}"}, {"z_{0}", "z_{1}", "z_{2}"}, {"z_{0}"}},
         {{"", ""}, {"bias = 0", "bias = 1", "bias = 2"}, {"bias = 0"}},
         {{"a", "b", "c", "d", "e", "f"}, {"p", "q", "r"}},
         "the network [2, 3, 1] with its weights a to f and p, q, r");
}

void forward_pass(const Pass& pass, const Parameters& network) {
    require_small(network, pass.a.empty() ? 0 : pass.a[0].shape(0), "forward_pass");
    LANES_REQUIRE(pass.a.size() == 3 && pass.z.size() == 2, "forward_pass: ", pass.z.size(),
                  " arrays z and ", pass.a.size(), " arrays a, expected 2 and 3. Check forward.");
    draw({words_of(pass.a[0]), words_of(pass.a[1]), words_of(pass.a[2])},
         {{"", ""}, words_of(pass.z[0], "z = "), words_of(pass.z[1], "z = ")},
         {arrow_words(network.weights[0], true), arrow_words(network.weights[1], true)},
         "the forward pass of one input through the network [2, 3, 1]");
}

void backward_pass(const Matrix& x, const Parameters& gradients) {
    require_small(gradients, x.shape(0), "backward_pass");
    draw({words_of(x), words_of(gradients.biases[0]), words_of(gradients.biases[1])},
         {{"x", "x"}, {"error", "error", "error"}, {"error"}},
         {arrow_words(gradients.weights[0], false), arrow_words(gradients.weights[1], false)},
         "the backward pass of one input through the network [2, 3, 1]", true);
}

void gradient_check(const Weights<float>& gradients, const NumericalGradient& numerical) {
    require_small({gradients, Biases<float>(2)}, 1, "gradient_check");
    Table table({"weight", "backward pass", "numerical gradient"});
    for (std::size_t k = 0; k < 9; ++k) {
        const std::size_t l = k < 6 ? 0 : 1, i = l > 0 ? k - 6 : k % 2, j = l > 0 ? 0 : k / 2;
        table.row(std::string(1, "abcdefpqr"[k]), rounded(gradients[l](i, j)),
                  rounded(numerical(l, i, j)));
    }
    table.show();
}

void losses(const std::vector<double>& losses) {
    std::vector<double> steps, values;
    const std::size_t every = losses.size() / 200 + 1;
    for (std::size_t step = 0; step < losses.size(); step += every) {
        steps.push_back(static_cast<double>(step));
        values.push_back(losses[step]);
    }
    Plot plot("Gradient descent on exclusive or");
    plot.x("step").y("loss E, sum over four inputs");
    plot.line("[2, 3, 1], learning rate 2", steps, values).show();
}

void unit_square(const MatrixFunction& output) {
    constexpr std::size_t side = 41;
    Matrix points = xt::zeros<float>({side * side, std::size_t{2}});
    for (std::size_t i = 0; i < side; ++i)
        for (std::size_t j = 0; j < side; ++j) {
            points(side * i + j, 0) = static_cast<float>(j) / (side - 1);
            points(side * i + j, 1) = static_cast<float>(i) / (side - 1);
        }
    Matrix values = output(points);
    LANES_REQUIRE(values.shape(0) == side * side && values.shape(1) == 1,
                  "unit_square: ", "outputs of shape ", values.shape(),
                  ", expected (1681, 1). Check forward.");
    values.reshape({side, side});
    Plot map("The output for each point of the square");
    map.heat_map(values, "x0, in steps of 1/40", "x1, in steps of 1/40").show();
}

void data_sets(const SplitDataset& data) {
    Table table({"set", "images", "pixels", "classes"});
    const auto add = [&](const char* name, const Dataset& set) {
        table.row(name, set.size(), set.x.shape(1), set.y.shape(1));
    };
    add("train", data.train);
    add("validation", data.validation);
    add("test", data.test);
    table.show();
}

void digits(const Dataset& images, std::size_t count) {
    std::vector<Matrix> shown;
    std::vector<std::string> titles;
    for (std::size_t i = 0; i < std::min(count, images.size()); ++i) {
        shown.push_back(images.image(i));
        titles.push_back(std::to_string(digit_of(images.y, i)));
    }
    show_images(shown, titles, 6);
}

void mistakes(const Dataset& images, const Matrix& outputs, std::size_t count) {
    std::vector<Matrix> shown;
    std::vector<std::string> titles;
    for (std::size_t i = 0; i < images.size() && shown.size() < count; ++i) {
        const int said = digit_of(outputs, i), right = digit_of(images.y, i);
        if (said == right) continue;
        shown.push_back(images.image(i));
        titles.push_back("said " + std::to_string(said) + ", true " + std::to_string(right));
    }
    if (shown.empty())
        std::cout << "No image is read wrongly.\n";
    else
        show_images(shown, titles, 6);
}

void confusion(const Matrix& counts) {
    Matrix wrong = counts;
    for (std::size_t i = 0; i < std::min(wrong.shape(0), wrong.shape(1)); ++i) wrong(i, i) = 0;
    Plot plot("Mistakes on the validation set, number of images");
    plot.heat_map(wrong, "the network says", "true digit").show();
    const std::size_t most = xt::argmax(wrong)();
    std::cout << "Most frequent mistake: the network says " << most % wrong.shape(1)
              << ", the true digit is " << most / wrong.shape(1) << ".\n";
}

}  // namespace lanes::pictures
