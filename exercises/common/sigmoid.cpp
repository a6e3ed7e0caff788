#include "sigmoid.hpp"

#include "lanes/base/rng.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace lanes::exercises::sigmoid_check {

using notebook::About;
using notebook::each;
using notebook::ExerciseText;
using notebook::Judge;
using notebook::Values;
using notebook::values_of;

double s(double x) { return 1 / (1 + std::exp(-x)); }
double s_prime(double x) {
    return s(x) * s(-x);
}  // s(-x) is 1 - s(x) without the difference of two numbers near 1

namespace {

struct Case {
    const char* what;
    Matrix x;
};

Matrix random(std::size_t rows, std::size_t columns, Rng rng, float limit) {
    Matrix x(std::array<std::size_t, 2>{rows, columns});
    rng.fill_uniform(x.data(), x.size(), -limit, limit);
    return x;
}

std::vector<Case> cases() {
    const Rng rng(20);
    return {{"a few numbers", Matrix{{0, 1, -1}, {2, -2, 0.5F}}},
            {"7x5 at random", random(7, 5, rng.split(0), 4)},
            {"one row", random(1, 9, rng.split(1), 4)},
            {"one column", random(9, 1, rng.split(2), 4)},
            {"no rows", Matrix(std::array<std::size_t, 2>{0, 3})},
            {"large |x|", Matrix{{1000, -1000, 0, 100}, {-100, 50, -50, 3}}},
            {"small |x|", random(4, 4, rng.split(3), 1e-3F)},
            {"200x64 at random", random(200, 64, rng.split(4), 8)}};
}

}  // namespace

void judge(const ExerciseText& text, Sigmoid::Answer answer, double (*f)(double),
           const std::vector<std::pair<double (*)(double), std::string>>& mistakes) {
    Judge judge(text);
    judge.look_at(answer);
    for (const Case& one : cases()) {
        judge.begin(one.what);
        const Values x = values_of(one.x);
        About about;
        about.x = &x;
        for (const auto& [mistake, words] : mistakes)
            about.known.push_back({each(x, mistake), words});
        const bool large = std::fabs(one.x.size() > 0 ? one.x.data()[0] : 0) >= 1000;
        const Values got = values_of(judge.call([&] { return answer(one.x); }));
        const Values expected = each(x, f);
        const auto is_nan = [](double number) { return std::isnan(number); };
        if (large && got.shape == expected.shape &&
            std::any_of(got.numbers.begin(), got.numbers.end(), is_nan))
            judge.fail(
                "nan at large |x|: e^1000 is inf, and inf / inf is nan.",
                "Write the formula so that inf stands only below a fraction line: 1 / inf is 0.");
        judge.same(got, expected, about);
    }
    judge.pass();
}

}  // namespace lanes::exercises::sigmoid_check
