#include "exercise.hpp"

#include "../common/needs.hpp"
#include "../common/sigmoid.hpp"

namespace lanes::exercises {

namespace {

using sigmoid_check::s;
using sigmoid_check::s_prime;

}  // namespace

SigmoidPrime::SigmoidPrime()
    : Exercise(text_of<SigmoidPrime>(
          "sigmoid_prime",
          "Gives the derivative of sigmoid at each element of x. x is z, the input of the "
          "activation, not its result.",
          "one line", "The derivative of s = sigmoid(x) is s * (1 - s). Call your own sigmoid.")) {}

void SigmoidPrime::check(Answer answer) const {
    sigmoid_check::judge(
        text(), answer, s_prime,
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
