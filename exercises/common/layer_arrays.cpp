#include "layer_arrays.hpp"

namespace lanes::exercises::layer_check {

using notebook::About;
using notebook::Judge;
using notebook::Values;

std::string words(const Sizes& sizes) { return "sizes " + lanes::detail::Part(sizes).text(); }

std::vector<Sizes> cases() {
    std::vector<Sizes> all{{2, 3, 1}, {784, 128, 64, 10}, {5, 4}, {1, 1, 1, 1}, {3, 7, 2, 7, 3}};
    for (Sizes& sizes : all) {
        sizes.push_back(1);
        sizes.pop_back();
    }
    return all;
}

void judge_count(Judge& judge, std::size_t count, const Sizes& sizes, const char* what) {
    const std::size_t layers = sizes.size() - 1;
    judge.same_count(count, layers, std::string(what) + (count == 1 ? " array" : " arrays"),
                     "One for each two neighbouring layers: " + std::to_string(sizes.size()) +
                         " layers have " + std::to_string(layers) + ".");
}

void judge_shape(Judge& judge, const Shape& got, const Shape& expected, const Sizes& sizes,
                 std::size_t number, const char* what) {
    if (got == expected) return;
    std::string advice =
        "Array i lies between layers i and i + 1: its shape is made of sizes[i] and sizes[i + 1].";
    if (got.size() == 2 && got == Shape(expected.rbegin(), expected.rend()))
        advice = "The shapes are transposed: rows are sizes[i], columns sizes[i + 1].";
    if (got.size() == 1 && got[0] == sizes[number])
        advice =
            "Biases belong to the layer that is entered: sizes[i + 1], not sizes[i]. The input "
            "has none.";
    judge.fail(std::string(what) + " array " + std::to_string(number) + " has shape " +
                   lanes::detail::Part(got).text() + ", expected " +
                   lanes::detail::Part(expected).text() + ".",
               advice);
}

void judge_zeros(Judge& judge, const Values& got, std::size_t number, const char* what) {
    About about;
    about.what = std::string(what) + " array " + std::to_string(number);
    const Values zeros = each(got, [](double) { return 0.0; });
    about.known.push_back({each(got, [](double) { return 1.0; }), "All are 1."});
    about.tolerance = {0, 0};
    // one number everywhere is a wrong value, several are what an earlier owner of the memory left
    const auto& numbers = got.numbers;
    const bool held_before = std::any_of(
        numbers.begin(), numbers.end(), [&](double x) { return std::isnan(x) || x != numbers[0]; });
    if (held_before)
        judge.fail(
            about.what + ": the array was never written: it holds what was in memory before.",
            "A fresh xtensor array is not filled. Give it its value: xt::zeros<float>({rows, "
            "columns}), or fill(0).");
    judge.same(got, zeros, about);
}

}  // namespace lanes::exercises::layer_check
