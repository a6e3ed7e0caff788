#include "exercise.hpp"

#include "../common/max.hpp"
#include "../common/needs.hpp"

namespace lanes::exercises {

MaxPlain::MaxPlain()
    : Exercise(
          text_of<MaxPlain>("max_plain",
                            max_check::task + "Two loops of your own, no xt::maximum, no "
                                              "std::transform,\nand nothing that slows them down.",
                            "three lines",
                            "a.shape(0) is the number of rows, a.shape(1) that of columns, a(i, j) "
                            "an element of either side of =.")) {}

void MaxPlain::check(Answer answer) const {
    max_check::judge_on_host(text(), answer, max_check::Runs::on_one_core);
}

}  // namespace lanes::exercises
