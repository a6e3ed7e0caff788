#include "lanes/nn/sigmoid.hpp"

#include "lanes/base/rng.hpp"
#include "lanes/notebook/exercises.hpp"
#include "notebook/exercise/judge.hpp"

#include <array>
#include <cmath>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::each;
using notebook::ExerciseText;
using notebook::Judge;
using notebook::KnownMistake;
using notebook::Values;
using notebook::values_of;

double s(double x) { return 1 / (1 + std::exp(-x)); }
double s_prime(double x) {
    return s(x) * s(-x);
}  // s(-x) is 1 - s(x) without the difference of two numbers near 1

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

// f: the right function of one number, of a double.
template <class Answer>
void judge(const ExerciseText& text, Answer answer, double (*f)(double),
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

const ExerciseText& sigmoid_text() {
    static const ExerciseText text{"sigmoid",
                                   "lanes::Matrix sigmoid(const lanes::Matrix& x)",
                                   "Gives 1 / (1 + e^-x) for each element of x, in an array of the "
                                   "same shape. Any x is allowed, 1000 and -1000 too.",
                                   "one line",
                                   "xt::exp(-x) takes e^-x of all elements at once, and numbers "
                                   "mix with arrays: 1.0f / (1.0f + …).",
                                   {},
                                   {}};
    return text;
}

const ExerciseText& sigmoid_prime_text() {
    static const ExerciseText text{
        "sigmoid_prime",
        "lanes::Matrix sigmoid_prime(const lanes::Matrix& x)",
        "Gives the derivative of sigmoid at each element of x. x is z, the input of the "
        "activation, not its result.",
        "one line",
        "The derivative of s = sigmoid(x) is s * (1 - s). Call your own sigmoid.",
        {},
        {}};
    return text;
}

}  // namespace

Sigmoid::Sigmoid() : Exercise(sigmoid_text()) {}

void Sigmoid::check(Answer answer) const {
    judge(text(), answer, s,
          {{[](double x) { return s(-x); },
            "This is 1 / (1 + e^x), which falls where sigmoid rises: the exponent is -x."},
           {s_prime, "This is the derivative of sigmoid."},
           {[](double x) { return std::tanh(x); },
            "This is tanh, which runs from -1 to 1; sigmoid runs from 0 to 1."},
           {[](double x) { return 1 / (1 - std::exp(-x)); },
            "This is 1 / (1 - e^-x): the sign before e is +."},
           {[](double x) { return 1 + std::exp(-x); },
            "This is 1 + e^-x: 1 / (…) around it is missing. 1 / 1 + e^-x is the same: the sum "
            "needs brackets."},
           {[](double x) { return x; }, "This is x itself."}});
}

SigmoidPrime::SigmoidPrime() : Exercise(sigmoid_prime_text()) {}

void SigmoidPrime::check(Answer answer) const {
    judge(text(), answer, s_prime,
          {{[](double x) { return x * (1 - x); },
            "This is x * (1 - x), right where x is the activation already. Here x is z: take "
            "sigmoid(x) first, s * (1 - s) with s = sigmoid(x)."},
           {s, "This is sigmoid itself, not its derivative."},
           {[](double x) { return s_prime(s(x)); },
            "This is the derivative at sigmoid(x): sigmoid is taken once too often."},
           {[](double x) { return 1 - s(x); },
            "This is 1 - sigmoid(x): the factor sigmoid(x) is missing."},
           {[](double x) { return s(x) * (1 + s(x)); },
            "This is s * (1 + s): the derivative is s * (1 - s)."},
           {[](double x) { return -s_prime(x); },
            "The sign is wrong: sigmoid rises everywhere, so its derivative is above 0."},
           {[](double x) { return s(x) * s(x); }, "This is s * s: the derivative is s * (1 - s)."},
           {[](double x) { return 1 - s(x) * s(x); },
            "This is 1 - s * s, the form that belongs to tanh."}});
}

}  // namespace lanes::exercises
