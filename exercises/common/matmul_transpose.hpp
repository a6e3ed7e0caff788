// Shared by the checks of matmul_transpose_plain, _fast and _gpu.
#pragma once

#include "../matmul_transpose_plain/exercise.hpp"
#include "products.hpp"

#include <string>

namespace lanes::exercises::transpose_check {

using product_check::Size;
using product_check::words;

// x of one case, X times its transpose, and the results of common mistakes.
struct Case {
    product_check::Operand x;
    notebook::Values expected;
    notebook::About about;

    explicit Case(const Size& size);
    void compare(notebook::Judge& judge, const Matrix& got) const;
};

enum class Runs { on_one_core, on_all_cores };
void judge_on_host(const notebook::ExerciseText& text, MatmulTransposePlain::Answer answer,
                   Runs runs);

// The first sentence of all three tasks.
extern const std::string task;

}  // namespace lanes::exercises::transpose_check
