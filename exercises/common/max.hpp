// Shared by the checks of max_plain, max_fast and max_gpu: cases, the comparison, and the runs on
// the host.
#pragma once

#include "../max_plain/exercise.hpp"
#include "notebook/exercise/judge.hpp"

#include <cstddef>
#include <string>

namespace lanes::exercises::max_check {

using Answer = MaxPlain::Answer;

struct Case {
    std::size_t rows, columns;
};

std::string words(const Case& one);

struct Given {
    Integers a, b;
};

Given given(const Case& one);  // random integers from 0 to 255

void compare(notebook::Judge& judge, const Integers& got, const Given& of);

enum class Runs { on_one_core, on_all_cores };
void judge_on_host(const notebook::ExerciseText& text, Answer answer, Runs runs);

// The first sentence of all three tasks.
extern const std::string task;

}  // namespace lanes::exercises::max_check
