#include "exercise.hpp"

#include "../common/gradient_average.hpp"
#include "../common/needs.hpp"

#include <vector>

namespace lanes::exercises {

AverageGradients::AverageGradients()
    : Exercise(text_of<AverageGradients>(
          "average_gradients",
          "Each rank has computed the gradients of its own examples. Afterwards every gradient of "
          "the model is the mean over the examples of all ranks, on every rank.",
          "about five lines",
          "First add up the examples of all ranks: comm.all_reduce(number) returns the sum. Then "
          "multiply each gradient by examples / total and add them up over the ranks by "
          "comm.all_reduce(gradient).")) {}

void AverageGradients::check(Answer answer) const {
    const std::vector<ShareCase> cases{{{4, 4}}, {{3, 1}}, {{2, 5, 3, 6}}, {{7}}};
    notebook::judge_cases(text(), answer, cases, [&](notebook::Judge& judge, const ShareCase& one) {
        judge_gradients(judge, answer, one);
    });
}

}  // namespace lanes::exercises
