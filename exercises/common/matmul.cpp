// matmul, and X times its own transpose: plain, fast and on the GPU.
#include "lanes/notebook/exercises.hpp"
#include "notebook/exercise/cases.hpp"
#include "notebook/exercise/fences.hpp"
#include "notebook/exercise/gpu_run.hpp"
#include "notebook/exercise/judge.hpp"
#include "own_loops.hpp"

#include <algorithm>
#include <array>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::ExerciseText;
using notebook::Judge;
using notebook::Values;
using notebook::values_of;

struct Size {
    std::size_t rows, columns;
};

std::string words(const Size& size) {
    return std::to_string(size.rows) + "x" + std::to_string(size.columns);
}

Matrix random(const Size& size, Rng rng) {
    Matrix values(std::array<std::size_t, 2>{size.rows, size.columns});
    rng.fill_uniform(values.data(), values.size(), -2, 2);
    return values;
}

// With known numbers behind its end: an answer that reads there, too, finds the same ones each
// time, and is told the same.
struct Operand {
    Operand(const Size& size, Rng rng)
        : fences(size.rows * size.columns * sizeof(float)), values(random(size, rng)) {}
    notebook::Fences fences;
    Matrix values;
};

Values transposed(const Values& a) {
    Values result{{a.columns(), a.rows()}, {}};
    for (std::size_t j = 0; j < a.columns(); ++j)
        for (std::size_t i = 0; i < a.rows(); ++i) result.numbers.push_back(a.at(i, j));
    return result;
}

enum class Sum { right, never_reset, last_left_out, only_last };

Values product(const Values& a, const Values& b, Sum how = Sum::right) {
    Values result{{a.rows(), b.columns()}, {}};
    const std::size_t depth = a.columns() - (how == Sum::last_left_out && a.columns() > 0 ? 1 : 0);
    double sum = 0;
    for (std::size_t i = 0; i < a.rows(); ++i)
        for (std::size_t j = 0; j < b.columns(); ++j) {
            if (how != Sum::never_reset) sum = 0;
            for (std::size_t k = 0; k < depth; ++k)
                sum = a.at(i, k) * b.at(k, j) + (how == Sum::only_last ? 0 : sum);
            result.numbers.push_back(sum);
        }
    return result;
}

// Both operands a product could be made of by mistake: where shapes allow it.
void add_product(About& about, const Values& a, const Values& b, const std::string& what) {
    if (a.columns() == b.rows()) about.known.push_back({product(a, b), what});
}

About about_product(const Values& a, const Values& b) {
    About about;
    about.tolerance = {1e-4, 1e-4};
    about.known = {{product(a, b, Sum::only_last),
                    "Of each sum only the last product is left: is = written where += is meant?"},
                   {product(a, b, Sum::never_reset),
                    "The sum is never set back to 0: it starts anew for each element."},
                   {product(a, b, Sum::last_left_out),
                    "The last product of each sum is missing: k runs up to the number of columns "
                    "of the left matrix."}};
    return about;
}

void compare(Judge& judge, const Matrix& got, const Values& expected, const About& about) {
    judge.same(values_of(got), expected, about);
}

// --- matmul

const ExerciseText& matmul_text() {
    static const ExerciseText text{
        "matmul",
        "lanes::Matrix matmul(const lanes::Matrix& a, const lanes::Matrix& b)",
        "Gives the product of a (m, k) and b (k, n), of shape (m, n). Loops of your own: no "
        "xt::linalg, no BLAS.",
        "eight lines",
        "c(i, j) is the sum of a(i, k) * b(k, j) over k. With k as the middle loop the innermost "
        "runs along rows, which is faster.",
        {"lanes::num_workers"},
        notebook::forbidden_where_loops_are_asked_for()};
    return text;
}

struct ProductCase {
    std::size_t m, k, n;
};

std::string words(const ProductCase& one) {
    return words(Size{one.m, one.k}) + " times " + words(Size{one.k, one.n});
}

// --- x times its transpose

const std::string transpose_task =
    "Gives X times its own transpose: element (i, j) is the product of rows i and j of x, the "
    "result has the\nshape (rows, rows). ";

ExerciseText transpose_text(const std::string& name, const std::string& task,
                            const std::string& size, const std::string& hint) {
    return {name,
            "lanes::Matrix " + name + "(const lanes::Matrix& x)",
            transpose_task + task,
            size,
            hint,
            {},
            notebook::forbidden_where_loops_are_asked_for()};
}

const ExerciseText& plain_text() {
    static const ExerciseText text = transpose_text(
        "matmul_transpose_plain", "Three loops of your own, no xt::linalg, no BLAS.", "five lines",
        "The sum over k of x(i, k) * x(j, k): both indices of the transpose are swapped, so both "
        "are rows of x.");
    return text;
}

const ExerciseText& fast_text() {
    static ExerciseText text = transpose_text(
        "matmul_transpose_fast", "On all cores, and as fast as you can: no xt::linalg, no BLAS.",
        "eight lines",
        "#pragma omp parallel for before the outer loop; the result is symmetric, so j may start "
        "at i and fill both.");
    text.allowed = {"lanes::num_workers"};
    return text;
}

const ExerciseText& gpu_text() {
    static ExerciseText text = transpose_text(
        "matmul_transpose_gpu",
        "On the device lanes::Device::best(), by a CUDA kernel of your own,\n"
        "matmul_kernel, always launched as <<<1, 1024>>>: any number of rows must work.",
        "three lines and a CUDA kernel of six",
        "1024 threads share rows * rows elements: for (int e = threadIdx.x; e < rows * rows; e += "
        "blockDim.x).");
    text.allowed = notebook::names_for_launches();
    return text;
}

struct TransposeCase {
    Operand x;
    Values expected;
    About about;

    explicit TransposeCase(const Size& size)
        : x(size, Rng(25).split(size.rows * 10000 + size.columns)) {
        const Values left = values_of(x.values), right = transposed(left);
        expected = product(left, right);
        about = about_product(left, right);
        about.known.push_back({product(right, left),
                               "This is the transpose times X. Element (i, j) is made of the rows "
                               "i and j of x, not of its columns."});
        add_product(about, left, left,
                    "This is X times X: nothing is transposed. Element (i, j) is the sum over k of "
                    "x(i, k) * x(j, k).");
    }
};

enum class Runs { on_one_core, on_all_cores };

void judge_on_host(const ExerciseText& text, MatmulTransposePlain::Answer answer, Runs runs) {
    Judge judge(text);
    judge.look_at(answer);
    // First comes a result of more than 16 bytes: those of a freed block hold the allocator's own
    // words, and only what lies behind them stays soiled.
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
        const TransposeCase one(size);
        for (int repeat = 0; repeat < (size.rows == 200 && runs == Runs::on_all_cores ? 5 : 1);
             ++repeat) {
            compare(judge,
                    notebook::call_between_fences(judge, size.rows * size.rows,
                                                  [&] { return answer(one.x.values); }),
                    one.expected, one.about);
        }
    }
    if (runs == Runs::on_all_cores) judge.require_threads();
    judge.pass();
}

}  // namespace

OwnMatmul::OwnMatmul() : Exercise(matmul_text()) {}

void OwnMatmul::check(Answer answer) const {
    const std::vector<ProductCase> cases{{2, 3, 4}, {3, 3, 3}, {4, 2, 5},     {1, 5, 1},
                                         {5, 1, 6}, {0, 3, 2}, {16, 100, 64}, {33, 47, 21}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const ProductCase& one) {
        const Rng rng = Rng(24).split(one.m * 10000 + one.n);
        const Operand a({one.m, one.k}, rng.split(0)), b({one.k, one.n}, rng.split(1));
        const Values left = values_of(a.values), right = values_of(b.values);
        About about = about_product(left, right);
        add_product(
            about, left, transposed(right),
            "This is a times the transpose of b: the second factor is b(k, j), not b(j, k).");
        add_product(about, right, left, "This is b times a: the order of the two matters.");
        compare(judge,
                notebook::call_between_fences(judge, one.m * one.n,
                                              [&] { return answer(a.values, b.values); }),
                product(left, right), about);
    });
}

MatmulTransposePlain::MatmulTransposePlain() : Exercise(plain_text()) {}
void MatmulTransposePlain::check(Answer answer) const {
    judge_on_host(text(), answer, Runs::on_one_core);
}

MatmulTransposeFast::MatmulTransposeFast() : Exercise(fast_text()) {}
void MatmulTransposeFast::check(Answer answer) const {
    judge_on_host(text(), answer, Runs::on_all_cores);
}

MatmulTransposeGpu::MatmulTransposeGpu() : Exercise(gpu_text()) {}

void MatmulTransposeGpu::check(Answer answer) const {
    const std::vector<Size> cases{{2, 3}, {5, 2}, {4, 4}, {1, 7}, {6, 1}, {33, 5}, {50, 37}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const Size& size) {
        const TransposeCase one(size);
        notebook::run_on_devices(
            judge, {1, 1024}, [&] { return answer(one.x.values); },
            [&](const Matrix& got) { compare(judge, got, one.expected, one.about); });
    });
}

}  // namespace lanes::exercises
