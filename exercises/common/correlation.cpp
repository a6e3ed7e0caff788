// correlation_plain, correlation_fast and correlation_gpu: a small filter over an image, zero
// padding, result of the same size.
#include "correlation_values.hpp"

#include "lanes/notebook/exercises.hpp"
#include "notebook/exercise/cases.hpp"
#include "notebook/exercise/fences.hpp"
#include "notebook/exercise/gpu_run.hpp"
#include "notebook/exercise/judge.hpp"
#include "own_loops.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::correlated;
using notebook::ExerciseText;
using notebook::Judge;
using notebook::Values;
using notebook::values_of;

using Answer = CorrelationPlain::Answer;

struct Size {
    std::size_t rows, columns;
};

struct Case {
    Size filter, image;
};

std::string words(const Size& size) {
    return std::to_string(size.rows) + "x" + std::to_string(size.columns);
}
std::string words(const Case& one) {
    return "a filter of " + words(one.filter) + ", an image of " + words(one.image);
}

Matrix random(const Size& size, Rng rng) {
    Matrix values(std::array<std::size_t, 2>{size.rows, size.columns});
    rng.fill_uniform(values.data(), values.size(), 0.5F,
                     3.5F);  // far from 0: whatever is left out is seen
    return values;
}

// Filter, image and the right result of a case, with what the usual mistakes give.
struct Task {
    Matrix filter, image;
    Values expected;
    About about;

    explicit Task(const Case& one) {
        const Rng rng = Rng(26).split(one.filter.rows * 1000000 + one.filter.columns * 10000 +
                                      one.image.rows * 100 + one.image.columns);
        filter = random(one.filter, rng.split(0));
        image = random(one.image, rng.split(1));
        const Values f = values_of(filter), x = values_of(image);
        expected = correlated(f, x);
        about.tolerance = notebook::correlation_tolerance(f, x);
        about.known = notebook::correlation_mistakes(f, x);
    }
};

// What the difference looks like, where only a correlation has such differences.
std::string look(const Values& got, const Task& task) {
    if (got.shape != task.expected.shape) return "";
    return notebook::correlation_words(got, task.expected, task.filter.shape(0),
                                       task.filter.shape(1));
}

void compare(Judge& judge, const Values& got, Task& task) {
    task.about.words = look(got, task);
    judge.same(got, task.expected, task.about);
}

// Threads that disturb each other give another result each time. Memory that nothing was written to
// does, too, and what lies outside of the image: both have words of their own.
void require_repeatable(Judge& judge, const Values& got, const Task& task, Answer answer) {
    if (are_close(got, task.expected) ||
        std::any_of(got.numbers.begin(), got.numbers.end(), [](double x) { return std::isnan(x); }))
        return;
    if (!look(got, task).empty()) return;
    for (int again = 0; again < 5; ++again) {
        notebook::soil_memory(task.image.size() * sizeof(float));
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

void judge_on_host(const ExerciseText& text, Answer answer, int repeats) {
    Judge judge(text);
    judge.look_at(answer);
    for (const Case& one : host_cases()) {
        judge.begin(words(one));
        Task task(one);
        for (int repeat = 0; repeat < (one.image.rows == 215 ? repeats : 1); ++repeat) {
            const Values got = values_of(notebook::call_between_fences(
                judge, task.image.size(), [&] { return answer(task.filter, task.image); }));
            if (repeats > 1) require_repeatable(judge, got, task, answer);
            compare(judge, got, task);
        }
    }
    if (repeats > 1) judge.require_threads();
    judge.pass();
}

ExerciseText text_of(const std::string& name, const std::string& task, const std::string& size,
                     const std::string& hint) {
    return {name,
            "lanes::Matrix " + name + "(const lanes::Matrix& filter, const lanes::Matrix& image)",
            "Gives the sum over i, j of filter(i, j) * image(y + i - filter rows / 2, x + j - "
            "filter columns / 2) for each pixel (y, x);\n"
            "outside of the image everything is 0. Rows and columns of the filter are odd and need "
            "not be equal. " +
                task,
            size,
            hint,
            {},
            notebook::forbidden_where_loops_are_asked_for()};
}

const ExerciseText& plain_text() {
    static const ExerciseText text =
        text_of("correlation_plain", "Four loops of your own.", "ten lines",
                "Use int for y, x, i and j: y + i - rows / 2 may be negative, and an unsigned "
                "number never is. Ask whether it lies in\n"
                "the image before you read.");
    return text;
}

const ExerciseText& fast_text() {
    static ExerciseText text =
        text_of("correlation_fast", "On all cores, and as fast as you can.", "eleven lines",
                "#pragma omp parallel for over the rows; with x as the innermost loop the compiler "
                "takes many pixels at once. Bounds of x that\n"
                "are known before that loop need no question inside it.");
    text.allowed = {"lanes::num_workers"};
    return text;
}

const ExerciseText& gpu_text() {
    static ExerciseText text =
        text_of("correlation_gpu",
                "On the device\nlanes::Device::best(), by a CUDA kernel of your own, "
                "correlation_kernel, launched with one block a row and one "
                "thread a column.",
                "five lines and a CUDA kernel of nine",
                "blockIdx.x is the pixel's row and threadIdx.x its column. A neighbour outside of "
                "the image counts as 0: skip it.");
    text.allowed = notebook::names_for_launches();
    return text;
}

}  // namespace

CorrelationPlain::CorrelationPlain() : Exercise(plain_text()) {}
void CorrelationPlain::check(Answer answer) const { judge_on_host(text(), answer, 1); }

CorrelationFast::CorrelationFast() : Exercise(fast_text()) {}
void CorrelationFast::check(Answer answer) const { judge_on_host(text(), answer, 5); }

CorrelationGpu::CorrelationGpu() : Exercise(gpu_text()) {}

void CorrelationGpu::check(Answer answer) const {
    const std::vector<Case> cases{{{3, 3}, {4, 6}},  {{5, 3}, {7, 8}}, {{3, 5}, {8, 7}},
                                  {{1, 7}, {1, 9}},  {{5, 5}, {9, 1}}, {{7, 7}, {3, 2}},
                                  {{7, 3}, {33, 40}}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const Case& one) {
        Task task(one);
        const notebook::LaunchRule rule{one.image.rows, one.image.columns,
                                        "one block a row and one thread a column are "};
        notebook::run_on_devices(
            judge, rule, [&] { return answer(task.filter, task.image); },
            [&](const Matrix& got) { compare(judge, values_of(got), task); });
    });
}

}  // namespace lanes::exercises
