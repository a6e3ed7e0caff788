#include "exercise.hpp"

#include "../common/matmul_transpose.hpp"
#include "../common/needs.hpp"

namespace lanes::exercises {

namespace {

const notebook::ExerciseText& matmul_transpose_fast_text() {
    static const notebook::ExerciseText text = with_needs(
        "matmul_transpose_fast",
        {"matmul_transpose_fast", MatmulTransposeFast::first_line,
         transpose_check::task + "On all cores, and as fast as you can: no xt::linalg, no BLAS.",
         "eight lines",
         "#pragma omp parallel for before the outer loop; the result is symmetric, so j may start "
         "at i and fill both."});
    return text;
}

}  // namespace

MatmulTransposeFast::MatmulTransposeFast() : Exercise(matmul_transpose_fast_text()) {}

void MatmulTransposeFast::check(Answer answer) const {
    transpose_check::judge_on_host(text(), answer, transpose_check::Runs::on_all_cores);
}

}  // namespace lanes::exercises
