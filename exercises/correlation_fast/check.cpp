#include "exercise.hpp"

#include "../common/correlation.hpp"
#include "../common/needs.hpp"

namespace lanes::exercises {

namespace {

const notebook::ExerciseText& correlation_fast_text() {
    static const notebook::ExerciseText text = with_needs(
        "correlation_fast",
        {"correlation_fast", CorrelationFast::first_line,
         correlation_check::task + "On all cores, and as fast as you can.", "eleven lines",
         "#pragma omp parallel for over the rows; with x as the innermost loop the compiler takes "
         "many pixels at once. Bounds of x that\nare known before that loop need no question "
         "inside it."});
    return text;
}

}  // namespace

CorrelationFast::CorrelationFast() : Exercise(correlation_fast_text()) {}

void CorrelationFast::check(Answer answer) const {
    correlation_check::judge_on_host(text(), answer, 5);
}

}  // namespace lanes::exercises
