#include "exercise.hpp"

#include "../common/max.hpp"
#include "../common/needs.hpp"

namespace lanes::exercises {

namespace {

const notebook::ExerciseText& max_fast_text() {
    static const notebook::ExerciseText text = with_needs(
        "max_fast", {"max_fast", MaxFast::first_line,
                     max_check::task + "The same loops on all cores: #pragma omp parallel for.\nNo "
                                       "xt::maximum, no std::transform.",
                     "three lines",
                     "Each thread must write elements of its own: what is written to inside the "
                     "loop is declared inside it, or indexed by i."});
    return text;
}

}  // namespace

MaxFast::MaxFast() : Exercise(max_fast_text()) {}

void MaxFast::check(Answer answer) const {
    max_check::judge_on_host(text(), answer, max_check::Runs::on_all_cores);
}

}  // namespace lanes::exercises
