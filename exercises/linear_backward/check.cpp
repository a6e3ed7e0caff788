#include "exercise.hpp"

#include "../common/needs.hpp"
#include "../common/products.hpp"
#include "notebook/exercise/judge.hpp"

#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::each;
using notebook::Judge;
using notebook::Values;
using notebook::values_of;
using product_check::product;
using product_check::transposed;

// A layer with m outputs and d inputs, and n samples.
struct LayerCase {
    std::size_t m, d, n;
};

std::string words(const LayerCase& one) {
    return product_check::words({one.m, one.n}) + " for G, " +
           product_check::words({one.m, one.d}) + " for W and " +
           product_check::words({one.d, one.n}) + " for X";
}

Values values_of_list(const std::vector<float>& list) {
    return {{list.size()}, {list.begin(), list.end()}};
}

Values sums(const Values& g, bool of_rows) {
    Values result{{of_rows ? g.rows() : g.columns()}, {}};
    result.numbers.resize(result.shape[0]);
    for (std::size_t i = 0; i < g.rows(); ++i)
        for (std::size_t j = 0; j < g.columns(); ++j) result.numbers[of_rows ? i : j] += g.at(i, j);
    return result;
}

Values scaled(const Values& x, double factor) {
    return each(x, [factor](double value) { return factor * value; });
}

// What is known of one of the three gradients.
About about(const std::string& name, const Values& expected, std::size_t samples) {
    About about;
    about.what = name;
    about.tolerance = {1e-5, 1e-4};
    about.known.push_back({scaled(expected, 1.0 / static_cast<double>(samples)),
                           "This is divided by the number of samples. G holds the derivatives of "
                           "the loss already, so the samples are only added up."});
    about.known.push_back({scaled(expected, -1), "The sign is wrong."});
    return about;
}

void judge_case(Judge& judge, LinearBackward::Answer answer, const LayerCase& one) {
    const Rng rng = Rng(8).split(one.m * 10000 + one.d * 100 + one.n);
    const Matrix g = product_check::random({one.m, one.n}, rng.split(0));
    const Matrix w = product_check::random({one.m, one.d}, rng.split(1));
    const Matrix x = product_check::random({one.d, one.n}, rng.split(2));
    const Values values_of_g = values_of(g);
    const Values by_w = product(values_of_g, transposed(values_of(x)));
    const Values by_x = product(transposed(values_of(w)), values_of_g);
    const Values by_b = sums(values_of_g, true);
    const LinearGradients got = judge.call([&] { return answer(g, w, x); });

    About about_w = about("the gradient of W", by_w, one.n);
    about_w.known.push_back({transposed(by_w),
                             "This is the transpose, X times the transpose of G. The gradient of W "
                             "has the shape of W."});
    judge.same(values_of(got.w), by_w, about_w);

    About about_x = about("the gradient of X", by_x, one.n);
    if (one.m == one.d)
        about_x.known.push_back({product(values_of(w), values_of_g),
                                 "This is W times G: transpose W. Each input k gets the sum over a "
                                 "of w(a, k) * g(a, sample)."});
    about_x.known.push_back(
        {transposed(by_x), "This is the transpose. The gradient of X has the shape of X."});
    judge.same(values_of(got.x), by_x, about_x);

    About about_b = about("the gradient of b", by_b, one.n);
    about_b.known.push_back({sums(values_of_g, false),
                             "These are the sums of the columns. A bias belongs to an output, a "
                             "row of G, and is added in every sample."});
    std::vector<float> first(one.m);
    for (std::size_t i = 0; i < one.m; ++i) first[i] = g(i, 0);
    about_b.known.push_back({values_of_list(first),
                             "This is the first sample alone. The bias is added in every sample, "
                             "so the gradients of all samples are added up."});
    judge.same(values_of_list(got.b), by_b, about_b);
}

}  // namespace

LinearBackward::LinearBackward()
    : Exercise(text_of<LinearBackward>(
          "linear_backward",
          "For Z = W X + b gives the gradients of the loss by W, X and b. g: (m, n), the gradient "
          "by Z; w: (m, d); x: (d, n).",
          "six lines",
          "lanes::matmul(a, b) multiplies, xt::transpose(a) transposes. Each gradient has the "
          "shape of what it belongs to; only one order of the factors gives this shape.")) {}

void LinearBackward::check(Answer answer) const {
    const std::vector<LayerCase> cases{{2, 3, 4}, {3, 3, 3}, {1, 5, 2},   {4, 2, 1},
                                       {5, 1, 3}, {4, 6, 4}, {10, 37, 16}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const LayerCase& one) {
        judge_case(judge, answer, one);
    });
}

}  // namespace lanes::exercises
