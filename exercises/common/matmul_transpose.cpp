#include "matmul_transpose.hpp"

#include <vector>

namespace lanes::exercises::transpose_check {

using notebook::ExerciseText;
using notebook::Judge;
using notebook::Values;
using notebook::values_of;

const std::string task =
    "Gives X times its own transpose: element (i, j) is the product of rows i and j of x, the "
    "result has the\nshape (rows, rows). ";

Case::Case(const Size& size) : x(size, Rng(25).split(size.rows * 10000 + size.columns)) {
    const Values left = values_of(x.values), right = product_check::transposed(left);
    expected = product_check::product(left, right);
    about = product_check::about_product(left, right);
    about.known.push_back({product_check::product(right, left),
                           "This is the transpose times X. Element (i, j) is made of the rows "
                           "i and j of x, not of its columns."});
    product_check::add_product(
        about, left, left,
        "This is X times X: nothing is transposed. Element (i, j) is the sum over k of "
        "x(i, k) * x(j, k).");
}

void Case::compare(Judge& judge, const Matrix& got) const {
    judge.same(values_of(got), expected, about);
}

void judge_on_host(const ExerciseText& text, MatmulTransposePlain::Answer answer, Runs runs) {
    Judge judge(text);
    judge.look_at(answer);
    // The first result has more than 16 bytes: in a freed block the allocator uses these for its
    // own data, and only the bytes after them stay poisoned.
    for (const Size& size : std::vector<Size>{{3, 4},
                                              {5, 2},
                                              {4, 4},
                                              {2, 3},
                                              {1, 7},
                                              {6, 1},
                                              {1, 1},
                                              {0, 3},
                                              {37, 19},
                                              {200, 128}}) {
        judge.begin(words(size));
        const Case one(size);
        for (int repeat = 0; repeat < (size.rows == 200 && runs == Runs::on_all_cores ? 5 : 1);
             ++repeat) {
            one.compare(judge, notebook::call_with_guard_blocks(judge, size.rows * size.rows, [&] {
                            return answer(one.x.values);
                        }));
        }
    }
    if (runs == Runs::on_all_cores) judge.require_threads();
    judge.pass();
}

}  // namespace lanes::exercises::transpose_check
