// Shared by the checks of correlation_plain, _fast and _gpu: a small filter over an image, zero
// padding, result of the same size.
#pragma once

#include "../correlation_plain/exercise.hpp"
#include "notebook/exercise/judge.hpp"

#include <cstddef>
#include <string>

namespace lanes::exercises::correlation_check {

struct Size {
    std::size_t rows, columns;
};

struct Case {
    Size filter, image;
};

std::string words(const Case& one);

// Filter, image and the right result of a case, and the results of common mistakes.
struct Task {
    Matrix filter, image;
    notebook::Values expected;
    notebook::About about;

    explicit Task(const Case& one);
};

void compare(notebook::Judge& judge, const notebook::Values& got, Task& task);

// repeats: of the largest case; more than one for an answer that runs on several threads.
void judge_on_host(const notebook::ExerciseText& text, CorrelationPlain::Answer answer,
                   int repeats);

// The first sentences of all three tasks.
extern const std::string task;

}  // namespace lanes::exercises::correlation_check
