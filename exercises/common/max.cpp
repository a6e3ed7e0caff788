// max_plain, max_fast and max_gpu: the larger of two numbers, element by element.
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

using Answer = MaxPlain::Answer;

struct Case {
    std::size_t rows, columns;
};

std::string words(const Case& one) {
    if (one.rows == 1 && one.columns > 1) return "one row of " + std::to_string(one.columns);
    if (one.columns == 1 && one.rows > 1) return "one column of " + std::to_string(one.rows);
    if (one.rows == 0) return "no rows";
    return std::to_string(one.rows) + "x" + std::to_string(one.columns);
}

Integers random(const Case& one, Rng rng) {
    Integers values(std::array<std::size_t, 2>{one.rows, one.columns});
    for (int& value : values) value = static_cast<int>(rng.integer(0, 255));
    return values;
}

struct Given {
    Integers a, b;
};

Given given(const Case& one) {
    const Rng rng = Rng(23).split(one.rows * 10000 + one.columns);
    return {random(one, rng.split(0)), random(one, rng.split(1))};
}

Values combined(const Values& a, const Values& b, int (*f)(int, int)) {
    Values result = a;
    for (std::size_t i = 0; i < result.numbers.size(); ++i)
        result.numbers[i] = f(static_cast<int>(a.numbers[i]), static_cast<int>(b.numbers[i]));
    return result;
}

void compare(Judge& judge, const Integers& got, const Given& of) {
    const Values a = values_of(of.a), b = values_of(of.b);
    About about;
    about.tolerance = {0, 0};
    about.known = {{combined(a, b, [](int l, int r) { return std::min(l, r); }),
                    "This is the smaller of the two: turn the comparison around."},
                   {a, "This is a: b is never looked at."},
                   {b, "This is b: a is never looked at."},
                   {combined(a, b, [](int l, int r) { return l + r; }), "This is the sum."},
                   {combined(a, b, [](int l, int r) { return l > r ? 1 : 0; }),
                    "This is whether a is larger, not how large it is."}};
    if (got.shape() == of.a.shape())
        judge.require(!std::any_of(got.begin(), got.end(), [](int x) { return x == -1; }),
                      "some elements were never written: they hold what was in memory before.",
                      "Each element of the result needs a value: do the loops reach all rows and "
                      "all columns, and does each branch of an if write?");
    judge.same(values_of(got), combined(a, b, [](int l, int r) { return std::max(l, r); }), about);
}

enum class Runs { on_one_core, on_all_cores };

void judge_on_host(const ExerciseText& text, Answer answer, Runs runs) {
    Judge judge(text);
    judge.look_at(answer);
    const std::vector<Case> cases{{3, 5}, {5, 3}, {7, 7},    {1, 9},      {9, 1},
                                  {1, 1}, {0, 4}, {130, 77}, {1000, 1000}};
    for (const Case& one : cases) {
        judge.begin(words(one));
        const Given of = given(one);
        for (int repeat = 0; repeat < (one.rows == 1000 && runs == Runs::on_all_cores ? 5 : 1);
             ++repeat) {
            compare(judge,
                    notebook::call_between_fences(judge, one.rows * one.columns,
                                                  [&] { return answer(of.a, of.b); }),
                    of);
        }
    }
    if (runs == Runs::on_all_cores) judge.require_threads();
    judge.pass();
}

ExerciseText text_of(const std::string& name, const std::string& task, const std::string& size,
                     const std::string& hint) {
    return {
        name,
        "xt::xtensor<int, 2> " + name +
            "(const xt::xtensor<int, 2>& a, const xt::xtensor<int, 2>& b)",
        "Gives the larger of a(i, j) and b(i, j) for each i and j; a and b have one shape. " + task,
        size,
        hint,
        {},
        notebook::forbidden_where_loops_are_asked_for()};
}

const ExerciseText& max_plain_text() {
    static const ExerciseText text = text_of("max_plain",
                                             "Two loops of your own, no xt::maximum, no "
                                             "std::transform,\nand nothing that slows them down.",
                                             "three lines",
                                             "a.shape(0) is the number of rows, a.shape(1) that of "
                                             "columns, a(i, j) an element of either side of =.");
    return text;
}

const ExerciseText& max_fast_text() {
    static ExerciseText text =
        text_of("max_fast",
                "The same loops on all cores: #pragma omp parallel for.\nNo xt::maximum, no "
                "std::transform.",
                "three lines",
                "Each thread must write elements of its own: what is written to inside the loop is "
                "declared inside it, or indexed by i.");
    text.allowed = {"lanes::num_workers"};
    return text;
}

const ExerciseText& max_gpu_text() {
    static ExerciseText text =
        text_of("max_gpu",
                "On the device lanes::Device::best(), by a CUDA kernel of\nyour own, max_kernel, "
                "always launched as <<<1000, 1000>>>. "
                "Matrices of up to 1000x1000 must work, smaller ones too.",
                "six lines and a CUDA kernel of two",
                "i = blockIdx.x * blockDim.x + threadIdx.x counts from 0 to 999,999: only threads "
                "with i < n have an element.");
    text.allowed = notebook::names_for_launches();
    return text;
}

}  // namespace

MaxPlain::MaxPlain() : Exercise(max_plain_text()) {}
void MaxPlain::check(Answer answer) const { judge_on_host(text(), answer, Runs::on_one_core); }

MaxFast::MaxFast() : Exercise(max_fast_text()) {}
void MaxFast::check(Answer answer) const { judge_on_host(text(), answer, Runs::on_all_cores); }

MaxGpu::MaxGpu() : Exercise(max_gpu_text()) {}

void MaxGpu::check(Answer answer) const {
    const std::vector<Case> cases{{3, 5}, {9, 1}, {1, 9}, {37, 21}, {1000, 1000}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const Case& one) {
        const Given of = given(one);
        notebook::run_on_devices(
            judge, {1000, 1000}, [&] { return answer(of.a, of.b); },
            [&](const Integers& got) { compare(judge, got, of); });
    });
}

}  // namespace lanes::exercises
