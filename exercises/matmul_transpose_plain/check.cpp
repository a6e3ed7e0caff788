#include "exercise.hpp"

#include "../common/matmul_transpose.hpp"
#include "../common/needs.hpp"

namespace lanes::exercises {

namespace {

const notebook::ExerciseText& matmul_transpose_plain_text() {
    static const notebook::ExerciseText text = with_needs(
        "matmul_transpose_plain",
        {"matmul_transpose_plain", MatmulTransposePlain::first_line,
         transpose_check::task + "Three loops of your own, no xt::linalg, no BLAS.", "five lines",
         "The sum over k of x(i, k) * x(j, k): both indices of the transpose are swapped, so both "
         "are rows of x."});
    return text;
}

}  // namespace

MatmulTransposePlain::MatmulTransposePlain() : Exercise(matmul_transpose_plain_text()) {}

void MatmulTransposePlain::check(Answer answer) const {
    transpose_check::judge_on_host(text(), answer, transpose_check::Runs::on_one_core);
}

}  // namespace lanes::exercises
