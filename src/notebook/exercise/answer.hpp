// The source text of an answer: which names it uses, as the Jupyter kernel reports it, and where it
// is kept after it has passed. In a plain program the text is unknown: then nothing is checked and
// nothing is kept.
#pragma once

#include "text.hpp"

#include <string>
#include <vector>

namespace lanes::notebook {

struct UsedName {
    std::string name;
    std::string kind;  // function, variable, type, asm or pragma
    std::string in;    // the declaration that uses it
    int cell = 0;
    int line = 0;
};

// A race condition: a variable or an array element that several threads write, unsynchronised.
struct Race {
    std::string name;
    std::string in;      // the declaration in which it is
    std::string shared;  // the variable of the loop that is divided among the threads, and
    std::string with;    // that of another loop: together they lead two threads to one element
    bool element = false;
    bool reference = false;  // read by reference, while the loop that starts the threads changes it
    int cell = 0;
    int line = 0;
    int pragma = 0;          // the line of the #pragma that starts the threads, or else
    int start = 0;           // of the std::thread
    bool undivided = false;  // `parallel` without `for`: each thread runs the whole loop
};

// An atomic that a function reads and then writes: what others write in between is lost.
struct TwoSteps {
    std::string name;
    std::string in;
    int cell = 0;
    int line = 0;
};

struct AnswerText {
    bool known = false;    // false if there is no Jupyter kernel
    bool matches = false;  // a cell defines a function of that name, and the check was given it
    std::vector<UsedName> uses;
    std::vector<Race> races;
    std::vector<TwoSteps> two_steps;
    std::vector<std::string> definitions;  // of cells, all that it needs, in an order that compiles
};

AnswerText answer_text(const std::string& name, const void* address);

// The message for the first name that the exercise does not allow, or else for the first race;
// empty if there is none.
std::string objection_to(const ExerciseText& exercise, const AnswerText& answer);

// The message for the first atomic that is read and then written; empty if there is none.
std::string lost_counts_of(const AnswerText& answer);

// Whether something in it runs on several threads: a region of OpenMP with work in it, or threads
// of the standard library or of POSIX. tools/grading/reading.py asks the same.
bool starts_threads(const AnswerText& answer);

// Writes my/NAME.hpp in the working folder, which is the notebook's: a later notebook includes it.
// Returns what went wrong, or "". Nothing is kept while a notebook is graded or tested
// (NBGRADER_EXECUTION, PYTEST_CURRENT_TEST): these start without kept answers.
std::string keep_answer(const std::string& name, const AnswerText& answer);

}  // namespace lanes::notebook
