#include "exercise.hpp"

#include "../common/correlation_values.hpp"
#include "../common/needs.hpp"
#include "lanes/base/rng.hpp"
#include "lanes/ops/sobel.hpp"
#include "notebook/exercise/judge.hpp"

#include <array>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::correlated;
using notebook::Judge;
using notebook::Values;
using notebook::values_of;

struct Case {
    std::string words;
    Matrix filter;
    std::array<std::size_t, 2> image;
};

std::vector<Case> cases() {
    return {{"Sobel's filter of 5x3, an image of 7x8", sobel_5x3(), {7, 8}},
            {"a mean of 5x5, an image of 9x6", blur_5x5(), {9, 6}},
            {"a row of 1x3, an image of 4x5", {{1, -2, 3}}, {4, 5}},
            {"a filter that is no product, an image of 8x7", sharpen_3x3(), {8, 7}},
            {"a mean of 5x5, an image of one pixel", blur_5x5(), {1, 1}},
            {"Sobel's filter of 5x3, an image of 40x31", sobel_5x3(), {40, 31}}};
}

}  // namespace

CorrelationSplit::CorrelationSplit()
    : Exercise(text_of<CorrelationSplit>(
          "correlation_split",
          "Gives the same as correlation_fast: with a row and then with a column if the filter can "
          "be split, otherwise with the filter itself.",
          "three lines",
          "const auto parts = split(filter); if (!parts) …; the result of the correlation with "
          "parts->second is the image of that with parts->first.")) {}

void CorrelationSplit::check(Answer answer) const {
    Judge judge(text());
    judge.look_at(answer);
    for (const Case& one : cases()) {
        judge.begin(one.words);
        Matrix image(one.image);
        Rng(78).split(image.size()).fill_uniform(image.data(), image.size(), 0.5F, 3.5F);
        const Values f = values_of(one.filter), x = values_of(image);
        notebook::About about;
        about.tolerance = notebook::correlation_tolerance(f, x);
        about.known = notebook::correlation_mistakes(f, x);
        about.known.push_back({x, "This is the image itself."});
        const Values got = values_of(judge.call([&] { return answer(one.filter, image); }));
        about.words =
            "Both passes together: correlation(column, correlation(row, image)); the "
            "second one takes the result of the first.";
        judge.same(got, correlated(f, x), about);
    }
    judge.pass();
}

}  // namespace lanes::exercises
