#include "exercise.hpp"

#include "../common/max.hpp"
#include "../common/needs.hpp"

namespace lanes::exercises {

namespace {

const notebook::ExerciseText& max_plain_text() {
    static const notebook::ExerciseText text = with_needs(
        "max_plain", {"max_plain", MaxPlain::first_line,
                      max_check::task + "Two loops of your own, no xt::maximum, no "
                                        "std::transform,\nand nothing that slows them down.",
                      "three lines",
                      "a.shape(0) is the number of rows, a.shape(1) that of columns, a(i, j) an "
                      "element of either side of =."});
    return text;
}

}  // namespace

MaxPlain::MaxPlain() : Exercise(max_plain_text()) {}

void MaxPlain::check(Answer answer) const {
    max_check::judge_on_host(text(), answer, max_check::Runs::on_one_core);
}

}  // namespace lanes::exercises
