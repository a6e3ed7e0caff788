#include "exercise.hpp"

#include "../common/needs.hpp"
#include "../common/products.hpp"
#include "notebook/exercise/judge.hpp"

#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;
using notebook::Values;
using notebook::values_of;
using product_check::Operand;
using product_check::product;
using product_check::Size;

struct ProductCase {
    std::size_t m, k, n;
};

std::string words(const ProductCase& one) {
    return product_check::words(Size{one.m, one.k}) + " times " +
           product_check::words(Size{one.k, one.n});
}

}  // namespace

OwnMatmul::OwnMatmul()
    : Exercise(text_of<OwnMatmul>("matmul",
                                  "Gives the product of a (m, k) and b (k, n), of shape (m, n). "
                                  "Loops of your own: no xt::linalg, no BLAS.",
                                  "eight lines",
                                  "c(i, j) is the sum of a(i, k) * b(k, j) over k. With k as the "
                                  "middle loop the innermost runs along rows, which is faster.")) {}

void OwnMatmul::check(Answer answer) const {
    const std::vector<ProductCase> cases{{3, 3, 3}, {2, 3, 4}, {4, 2, 5},     {1, 5, 1},
                                         {5, 1, 6}, {0, 3, 2}, {16, 100, 64}, {33, 47, 21}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const ProductCase& one) {
        const Rng rng = Rng(24).split(one.m * 10000 + one.n);
        const Operand a({one.m, one.k}, rng.split(0)), b({one.k, one.n}, rng.split(1));
        const Values left = values_of(a.values), right = values_of(b.values);
        About about = product_check::about_product(left, right);
        product_check::add_product(
            about, left, product_check::transposed(right),
            "This is a times the transpose of b: the second factor is b(k, j), not b(j, k).");
        product_check::add_product(about, right, left,
                                   "This is b times a: the order of the two matters.");
        const Matrix got = notebook::call_with_guard_blocks(
            judge, one.m * one.n, [&] { return answer(a.values, b.values); });
        judge.same(values_of(got), product(left, right), about);
    });
}

}  // namespace lanes::exercises
