#include "max.hpp"

#include "lanes/base/rng.hpp"
#include "notebook/exercise/guard_blocks.hpp"

#include <algorithm>
#include <array>

namespace lanes::exercises::max_check {

using notebook::About;
using notebook::ExerciseText;
using notebook::Judge;
using notebook::Values;
using notebook::values_of;

const std::string task =
    "Gives the larger of a(i, j) and b(i, j) for each i and j; a and b have one shape. ";

std::string words(const Case& one) {
    if (one.rows == 1 && one.columns > 1) return "one row of " + std::to_string(one.columns);
    if (one.columns == 1 && one.rows > 1) return "one column of " + std::to_string(one.rows);
    if (one.rows == 0) return "no rows";
    return std::to_string(one.rows) + "x" + std::to_string(one.columns);
}

namespace {

Integers random(const Case& one, Rng rng) {
    Integers values(std::array<std::size_t, 2>{one.rows, one.columns});
    for (int& value : values) value = static_cast<int>(rng.integer(0, 255));
    return values;
}

}  // namespace

Given given(const Case& one) {
    const Rng rng = Rng(23).split(one.rows * 10000 + one.columns);
    return {random(one, rng.split(0)), random(one, rng.split(1))};
}

namespace {

Values combined(const Values& a, const Values& b, int (*f)(int, int)) {
    Values result = a;
    for (std::size_t i = 0; i < result.numbers.size(); ++i)
        result.numbers[i] = f(static_cast<int>(a.numbers[i]), static_cast<int>(b.numbers[i]));
    return result;
}

}  // namespace

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

void judge_on_host(const ExerciseText& text, Answer answer, Runs runs) {
    Judge judge(text);
    judge.look_at(answer);
    const std::vector<Case> cases{{3, 5}, {5, 3}, {7, 7},    {1, 9},      {9, 1},
                                  {1, 1}, {0, 4}, {130, 77}, {1000, 1000}};
    if (runs == Runs::on_all_cores)  // the first call starts threads, whose memory is not guarded
        judge.call([&] { return answer(given({1, 1}).a, given({1, 1}).b); });
    for (const Case& one : cases) {
        judge.begin(words(one));
        const Given of = given(one);
        for (int repeat = 0; repeat < (one.rows == 1000 && runs == Runs::on_all_cores ? 5 : 1);
             ++repeat) {
            compare(judge,
                    notebook::call_with_guard_blocks(judge, one.rows * one.columns,
                                                     [&] { return answer(of.a, of.b); }),
                    of);
        }
    }
    if (runs == Runs::on_all_cores) judge.require_threads();
    judge.pass();
}

}  // namespace lanes::exercises::max_check
