#include "exercise.hpp"

#include "../common/gradient_average.hpp"
#include "../common/needs.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace lanes::exercises {

AverageAtOnce::AverageAtOnce()
    : Exercise(text_of<AverageAtOnce>(
          "average_at_once",
          "Each rank has computed the gradients of its own examples. Afterwards every gradient of "
          "the model is the mean over the examples of all ranks, on every rank; and the ranks have "
          "called one collective operation only.",
          "about ten lines",
          "Copy all gradients, times examples, into one vector, and append the number of examples. "
          "After one all_reduce its last element is the number of all examples: divide by it while "
          "you copy the rest back.")) {}

void AverageAtOnce::check(Answer answer) const {
    const std::vector<ShareCase> cases{{{4, 4}}, {{3, 1}}, {{2, 5, 3, 6}}, {{7}}};
    notebook::judge_cases(text(), answer, cases, [&](notebook::Judge& judge, const ShareCase& one) {
        const double operations = judge_gradients(judge, answer, one);
        judge.require(operations < 1.5,
                      "the gradients are right, but the ranks call " +
                          std::to_string(std::lround(operations)) +
                          " collective operations one after the other.",
                      "One is enough: append the number of examples to the vector of all "
                      "gradients. Its sum comes with them.");
    });
}

}  // namespace lanes::exercises
