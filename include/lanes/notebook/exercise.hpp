// An exercise: what is asked for, how long an answer is, and a check that says what is wrong with
// one. Introduced in the notebook 01_mlp.
//
//   #include "lanes/exercises.hpp"
//
//   const auto exercise = lanes::exercises::sigmoid();
//   exercise.show();  // prints the task
//   const auto answer = [](const lanes::Matrix& x) -> lanes::Matrix { return x; };
//   exercise.check(answer);  // prints "sigmoid: passed, 8 cases." or throws CheckFailed
//
// This is the frame. The exercises themselves are in the folder exercises/, one folder each;
// lanes/exercises.hpp includes them all.
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

namespace exercises {
template <class>
constexpr bool never = false;
}

}  // namespace lanes

// Declares the class TYPE of an exercise and the function NAME() that gives one. Its check takes a
// plain function RESULT(arguments…): of several overloads the right one is picked, and an answer
// of another type is refused in one sentence. FIRST_LINE is the answer's first line, as students
// read it. Used inside namespace lanes::exercises.
// NOLINTBEGIN(bugprone-macro-parentheses): types and strings
#define LANES_EXERCISE(TYPE, NAME, FIRST_LINE, RESULT, ...)                                        \
    class TYPE : public Exercise {                                                                 \
    public:                                                                                        \
        using Answer = RESULT (*)(__VA_ARGS__);                                                    \
        static constexpr const char* first_line = FIRST_LINE;                                      \
        TYPE();                                                                                    \
        void check(Answer answer) const;                                                           \
        template <class Other, std::enable_if_t<!std::is_convertible_v<Other&&, Answer>, int> = 0> \
        void check(Other&&) const {                                                                \
            static_assert(never<Other>, #NAME                                                      \
                          ": your function has another type. Its first line must be " FIRST_LINE   \
                          ", then the check can call it.");                                        \
        }                                                                                          \
    };                                                                                             \
    inline TYPE NAME() { return {}; }
// NOLINTEND(bugprone-macro-parentheses)
