// An exercise: what is asked for, how long an answer is, and a check that says what is wrong with
// one. Introduced in the notebook 01_mlp.
//
//   lanes::exercises::sigmoid().show();            // prints the task
//   // prints "sigmoid: passed, 8 cases." or throws CheckFailed
//   lanes::exercises::sigmoid().check(sigmoid);
//
// The exercises themselves, each typed by the function that it asks for, are in
// lanes/notebook/exercises.hpp. What decides is compiled into the library.
#pragma once

#include "lanes/base/error.hpp"

#include <string>
#include <type_traits>

namespace lanes {

// The text is what a student reads: what differs first, where, what was expected, and a mistake
// that it looks like.
class CheckFailed : public Error {
public:
    using Error::Error;
};

namespace notebook {
struct ExerciseText;  // src/notebook/exercise/text.hpp
}

class Exercise {
public:
    explicit Exercise(const notebook::ExerciseText& text) : text_(&text) {}

    std::string name() const;
    std::string task() const;       // what the function does, in a few sentences
    std::string signature() const;  // its first line
    std::string size_hint() const;  // "one line"
    void show() const;              // prints these

    // Failed checks since the last one that passed, in this session; the second one and those after
    // it come with a hint.
    int failures() const;

protected:
    const notebook::ExerciseText& text() const { return *text_; }

private:
    const notebook::ExerciseText* text_;
};

}  // namespace lanes
