// A check that is one case after another.
#pragma once

#include "judge.hpp"

#include <vector>

namespace lanes::notebook {

// words(one) says a case in words; play(judge, one) calls the answer and compares.
template <class Answer, class Case, class Play>
void judge_cases(const ExerciseText& text, Answer answer, const std::vector<Case>& cases,
                 Play&& play) {
    Judge judge(text);
    judge.look_at(answer);
    for (const Case& one : cases) {
        judge.begin(words(one));
        play(judge, one);
    }
    judge.pass();
}

}  // namespace lanes::notebook
