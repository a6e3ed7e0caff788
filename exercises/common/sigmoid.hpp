// Shared by the checks of sigmoid and sigmoid_prime.
#pragma once

#include "../sigmoid/exercise.hpp"
#include "notebook/exercise/judge.hpp"

#include <string>
#include <utility>
#include <vector>

namespace lanes::exercises::sigmoid_check {

double s(double x);        // sigmoid of one number
double s_prime(double x);  // its derivative

// f: the right function of one number. mistakes: functions that people write instead, each with
// the words for it.
void judge(const notebook::ExerciseText& text, Sigmoid::Answer answer, double (*f)(double),
           const std::vector<std::pair<double (*)(double), std::string>>& mistakes);

}  // namespace lanes::exercises::sigmoid_check
