#include "correlation.hpp"

#include "correlation_values.hpp"
#include "lanes/base/rng.hpp"
#include "notebook/exercise/guard_blocks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace lanes::exercises::correlation_check {

using notebook::correlated;
using notebook::ExerciseText;
using notebook::Judge;
using notebook::Values;
using notebook::values_of;
using Answer = CorrelationPlain::Answer;

const std::string task =
    "Gives the sum over i, j of filter(i, j) * image(y + i - filter rows / 2, x + j - "
    "filter columns / 2) for each pixel (y, x);\n"
    "outside the image everything is 0. Rows and columns of the filter are odd and need "
    "not be equal. ";

namespace {

std::string words(const Size& size) {
    return std::to_string(size.rows) + "x" + std::to_string(size.columns);
}

}  // namespace

std::string words(const Case& one) {
    return "a filter of " + words(one.filter) + ", an image of " + words(one.image);
}

namespace {

Matrix random(const Size& size, Rng rng) {
    Matrix values(std::array<std::size_t, 2>{size.rows, size.columns});
    // Far from 0, so that anything left out is noticed.
    rng.fill_uniform(values.data(), values.size(), 0.5F, 3.5F);
    return values;
}

}  // namespace

Task::Task(const Case& one) {
    const Rng rng = Rng(26).split(one.filter.rows * 1000000 + one.filter.columns * 10000 +
                                  one.image.rows * 100 + one.image.columns);
    filter = random(one.filter, rng.split(0));
    image = random(one.image, rng.split(1));
    const Values f = values_of(filter), x = values_of(image);
    expected = correlated(f, x);
    about.tolerance = notebook::correlation_tolerance(f, x);
    about.known = notebook::correlation_mistakes(f, x);
}

namespace {

// What the difference looks like, if only a correlation has such differences.
std::string look(const Values& got, const Task& task) {
    if (got.shape != task.expected.shape) return "";
    return notebook::correlation_words(got, task.expected, task.filter.shape(0),
                                       task.filter.shape(1));
}

}  // namespace

void compare(Judge& judge, const Values& got, Task& task) {
    task.about.words = look(got, task);
    judge.same(got, task.expected, task.about);
}

namespace {

// Threads that disturb each other give a different result each time. So do memory that was never
// written and reads outside the image, but these have their own messages.
void require_repeatable(Judge& judge, const Values& got, const Task& task, Answer answer) {
    if (are_close(got, task.expected) ||
        std::any_of(got.numbers.begin(), got.numbers.end(), [](double x) { return std::isnan(x); }))
        return;
    if (!look(got, task).empty()) return;
    for (int again = 0; again < 5; ++again) {
        notebook::poison_memory(task.image.size() * sizeof(float));
        const Values other = values_of(judge.call([&] { return answer(task.filter, task.image); }));
        judge.require(other.shape != got.shape || are_close(other, got),
                      "two calls with the same arguments gave different results.",
                      "Threads share a variable that each of them needs for itself, or one keeps "
                      "its value from the call before: what a pixel's sum is made\n"
                      "of is declared inside the parallel loop.");
    }
}

const std::vector<Case>& host_cases() {
    static const std::vector<Case> cases{
        {{3, 3}, {4, 6}}, {{5, 3}, {7, 8}},   {{3, 5}, {8, 7}},     {{1, 1}, {5, 4}},
        {{3, 1}, {6, 3}}, {{1, 7}, {1, 9}},   {{5, 5}, {9, 1}},     {{7, 7}, {3, 2}},
        {{3, 3}, {0, 4}}, {{9, 3}, {40, 31}}, {{15, 15}, {20, 33}}, {{7, 7}, {215, 215}}};
    return cases;
}

}  // namespace

void judge_on_host(const ExerciseText& text, Answer answer, int repeats) {
    Judge judge(text);
    judge.look_at(answer);
    for (const Case& one : host_cases()) {
        judge.begin(words(one));
        Task task(one);
        for (int repeat = 0; repeat < (one.image.rows == 215 ? repeats : 1); ++repeat) {
            const Values got = values_of(notebook::call_with_guard_blocks(
                judge, task.image.size(), [&] { return answer(task.filter, task.image); }));
            if (repeats > 1) require_repeatable(judge, got, task, answer);
            compare(judge, got, task);
        }
    }
    if (repeats > 1) judge.require_threads();
    judge.pass();
}

}  // namespace lanes::exercises::correlation_check
