#include "exercise.hpp"

#include "../common/correlation.hpp"
#include "../common/needs.hpp"

namespace lanes::exercises {

CorrelationFast::CorrelationFast()
    : Exercise(text_of<CorrelationFast>(
          "correlation_fast", correlation_check::task + "On all cores, and as fast as you can.",
          "eleven lines",
          "#pragma omp parallel for over the rows; with x as the innermost loop the compiler takes "
          "many pixels at once. Bounds of x that\nare known before that loop need no question "
          "inside it.")) {}

void CorrelationFast::check(Answer answer) const {
    correlation_check::judge_on_host(text(), answer, 5);
}

}  // namespace lanes::exercises
