// sobel_operator: both responses of a filter, put together.
#include "correlation_values.hpp"

#include "../exercise/judge.hpp"
#include "lanes/notebook/exercises.hpp"
#include "lanes/ops/sobel.hpp"

#include <array>
#include <cmath>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::correlated;
using notebook::ExerciseText;
using notebook::Judge;
using notebook::Values;
using notebook::values_of;

const ExerciseText& sobel_text() {
    static const ExerciseText text{
        "sobel_operator",
        "lanes::Matrix sobel_operator(const lanes::Matrix& filter, const lanes::Matrix& image)",
        "Gives sqrt(gx^2 + gy^2) for each pixel, where gx is the correlation of the image with the filter, and gy that with the filter\n"
        "transposed. The correlation is your own.",
        "four lines",
        "xt::transpose(filter) is an expression: const lanes::Matrix turned = xt::transpose(filter); makes a matrix of it.",
        {"lanes::correlation_plain", "lanes::correlation_fast", "lanes::num_workers"},
        {}};
    return text;
}

Values transposed(const Values& a) {
    Values result{{a.columns(), a.rows()}, {}};
    for (std::size_t j = 0; j < a.columns(); ++j)
        for (std::size_t i = 0; i < a.rows(); ++i) result.numbers.push_back(a.at(i, j));
    return result;
}

Values combined(const Values& x, const Values& y, double (*f)(double, double)) {
    Values result = x;
    for (std::size_t i = 0; i < x.numbers.size(); ++i) result.numbers[i] = f(x.numbers[i], y.numbers[i]);
    return result;
}

About about(const Values& filter, const Values& image, const Values& gx, const Values& gy) {
    About about;
    about.tolerance = notebook::correlation_tolerance(filter, image);
    about.known = {
        {combined(gx, gy, [](double a, double b) { return a * a + b * b; }), "The root is missing."},
        {combined(gx, gy, [](double a, double b) { return std::fabs(a) + std::fabs(b); }),
         "This is |gx| + |gy|: an approximation. The task asks for the root of the sum of squares."},
        {combined(gx, gy, [](double a, double b) { return a + b; }), "This is gx + gy: squares and the root are missing, and edges cancel each other."},
        {combined(gx, gy, [](double a, double b) { return std::sqrt(std::fabs(a + b)); }), "This is the root of gx + gy: the squares are missing."},
        {combined(gx, gy, [](double a, double b) { return std::sqrt(std::fabs(a * a - b * b)); }), "The squares are subtracted, not added."},
        {combined(gx, gy, [](double a, double) { return std::fabs(a); }), "Only gx is in it: edges that run across are missing."},
        {combined(gx, gx, [](double a, double b) { return std::hypot(a, b); }),
         "Both responses are those of the filter itself: the second one needs it transposed."},
        {gx, "This is gx alone: edges that run across are missing, and signs remain."},
        {gy, "This is gy alone: edges that run down are missing, and signs remain."}};
    return about;
}

}  // namespace

SobelOperator::SobelOperator() : Exercise(sobel_text()) {}

void SobelOperator::check(Answer answer) const {
    Judge judge(text());
    judge.look_at(answer);
    int number = 0;
    for (const Matrix* filter : {&sobel_3x3(), &scharr_3x3(), &sobel_5x3(), &sobel_5x5(), &ring_3x3()}) {
        for (const std::array<std::size_t, 2>& size :
             {std::array<std::size_t, 2>{9, 13}, std::array<std::size_t, 2>{1, 6}, std::array<std::size_t, 2>{60, 47}}) {
            judge.begin("a filter of " + std::to_string(filter->shape(0)) + "x" + std::to_string(filter->shape(1)) + ", an image of " +
                        std::to_string(size[0]) + "x" + std::to_string(size[1]));
            Matrix image(size);
            Rng(27).split(static_cast<std::uint64_t>(number++)).fill_uniform(image.data(), image.size(), 0, 1);
            const Values f = values_of(*filter), x = values_of(image);
            const Values gx = correlated(f, x), gy = correlated(transposed(f), x);
            const Values got = values_of(judge.call([&] { return answer(*filter, image); }));
            judge.same(got, combined(gx, gy, [](double a, double b) { return std::hypot(a, b); }), about(f, x, gx, gy));
        }
    }
    judge.pass();
}

}  // namespace lanes::exercises
