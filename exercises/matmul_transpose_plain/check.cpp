#include "exercise.hpp"

#include "../common/matmul_transpose.hpp"
#include "../common/needs.hpp"

namespace lanes::exercises {

MatmulTransposePlain::MatmulTransposePlain()
    : Exercise(text_of<MatmulTransposePlain>(
          "matmul_transpose_plain",
          transpose_check::task + "Three loops of your own, no xt::linalg, no BLAS.", "five lines",
          "The sum over k of x(i, k) * x(j, k): both indices of the transpose are swapped, so both "
          "are rows of x.")) {}

void MatmulTransposePlain::check(Answer answer) const {
    transpose_check::judge_on_host(text(), answer, transpose_check::Runs::on_one_core);
}

}  // namespace lanes::exercises
