// The text behind an answer: which names it uses, as the Jupyter kernel has understood it, and
// where it is kept once it passed. In a plain program nobody knows the text: then nothing is looked
// at and nothing is kept.
#pragma once

#include "text.hpp"

#include <string>
#include <vector>

namespace lanes::notebook {

struct UsedName {
    std::string name, kind,
        in;  // kind: function, variable, type or asm; in: the declaration that uses it
    int cell = 0, line = 0;
};

// A variable or an element that threads write without taking turns. pragma: the line that starts
// them, or else start, for std::thread. shared, with: the loops' variables by which two of them
// come to one element. reference: not written, but read by reference while the loop that starts the
// threads changes it.
struct Race {
    std::string name, in, shared, with;
    bool element = false, reference = false;
    int cell = 0, line = 0, pragma = 0, start = 0;
};

// An atomic that a function reads and then writes, so that what others write in between is lost.
struct TwoSteps {
    std::string name, in;
    int cell = 0, line = 0;
};

struct AnswerText {
    bool known = false;  // false where there is no Jupyter kernel to ask
    bool matches =
        false;  // a cell defines a function of that name, and it is the one that was given
    std::vector<UsedName> uses;
    std::vector<Race> races;
    std::vector<TwoSteps> two_steps;
    std::vector<std::string> definitions;  // what it needs of cells, in an order that compiles
};

AnswerText answer_text(const std::string& name, const void* address);

// The first name that the exercise does not allow, or else the first race, in words; empty where
// there is none.
std::string objection_to(const ExerciseText& exercise, const AnswerText& answer);

// The first atomic that is read and then written, in words; empty where there is none.
std::string lost_counts_of(const AnswerText& answer);

// Whether something in it runs on several threads, by OpenMP or the standard library.
bool starts_threads(const AnswerText& answer);

// Writes my/NAME.hpp in the working folder, which is the notebook's: a later notebook includes it.
// Returns what went wrong, or "". Nothing is kept while a notebook is graded or tested
// (NBGRADER_EXECUTION, PYTEST_CURRENT_TEST): these start without anybody's answers.
std::string keep_answer(const std::string& name, const AnswerText& answer);

}  // namespace lanes::notebook
