#include "exercise.hpp"

#include "../common/correlation.hpp"
#include "../common/needs.hpp"

namespace lanes::exercises {

CorrelationPlain::CorrelationPlain()
    : Exercise(text_of<CorrelationPlain>(
          "correlation_plain", correlation_check::task + "Four loops of your own.", "ten lines",
          "Use int for y, x, i and j: y + i - rows / 2 may be negative, and an unsigned number "
          "never is. Ask whether it lies in\nthe image before you read.")) {}

void CorrelationPlain::check(Answer answer) const {
    correlation_check::judge_on_host(text(), answer, 1);
}

}  // namespace lanes::exercises
