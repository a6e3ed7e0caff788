#include "exercise.hpp"

#include "../common/needs.hpp"
#include "../common/sigmoid.hpp"

#include <cmath>

namespace lanes::exercises {

namespace {

using sigmoid_check::s;
using sigmoid_check::s_prime;

}  // namespace

Sigmoid::Sigmoid()
    : Exercise(text_of<Sigmoid>("sigmoid",
                                "Gives 1 / (1 + e^-x) for each element of x, in an array of the "
                                "same shape. Any x is allowed, 1000 and -1000 too.",
                                "one line",
                                "xt::exp(-x) takes e^-x of all elements at once, and numbers mix "
                                "with arrays: 1.0f / (1.0f + …).")) {}

void Sigmoid::check(Answer answer) const {
    sigmoid_check::judge(
        text(), answer, s,
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

}  // namespace lanes::exercises
