#include "exercise.hpp"

#include "../common/max.hpp"
#include "../common/needs.hpp"

namespace lanes::exercises {

MaxFast::MaxFast()
    : Exercise(
          text_of<MaxFast>("max_fast",
                           max_check::task + "The same loops on all cores: #pragma omp parallel "
                                             "for.\nNo xt::maximum, no std::transform.",
                           "three lines",
                           "Each thread must write elements of its own: what is written to inside "
                           "the loop is declared inside it, or indexed by i.")) {}

void MaxFast::check(Answer answer) const {
    max_check::judge_on_host(text(), answer, max_check::Runs::on_all_cores);
}

}  // namespace lanes::exercises
