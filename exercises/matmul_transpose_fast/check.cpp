#include "exercise.hpp"

#include "../common/matmul_transpose.hpp"
#include "../common/needs.hpp"

namespace lanes::exercises {

MatmulTransposeFast::MatmulTransposeFast()
    : Exercise(text_of<MatmulTransposeFast>(
          "matmul_transpose_fast",
          transpose_check::task + "On all cores, and as fast as you can: no xt::linalg, no BLAS.",
          "eight lines",
          "#pragma omp parallel for before the outer loop; the result is symmetric, so j may start "
          "at i and fill both.")) {}

void MatmulTransposeFast::check(Answer answer) const {
    transpose_check::judge_on_host(text(), answer, transpose_check::Runs::on_all_cores);
}

}  // namespace lanes::exercises
