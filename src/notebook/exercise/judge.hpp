// One check of one answer: runs its cases, and makes a message of the first that fails.
#pragma once

#include "answer.hpp"
#include "text.hpp"
#include "values.hpp"

#include "lanes/array/compare.hpp"
#include "lanes/notebook/exercise.hpp"

#include <exception>
#include <string>
#include <vector>

namespace lanes::notebook {

// What a comparison may use besides the two arrays.
struct About {
    std::string what;           // "weights 1" if the answer is a list
    const Values* x = nullptr;  // the argument, if it has the result's shape: its element is shown
    std::vector<KnownMistake> known;
    std::string words;   // what the result looks like, if the exercise knows
    std::string detail;  // further lines below the difference, each begun by a newline
    Tolerance tolerance{1e-6, 1e-5};
};

class Judge {
public:
    explicit Judge(const ExerciseText& text) : text_(text) {}

    // Checks which names the answer uses, before it is run. To be called once per instance if the
    // answer is a template.
    template <class Function>
    void look_at(Function* function) {
        look_at_address(reinterpret_cast<const void*>(function));
    }

    // The same for a class, by the exercise's name.
    void look_at_type();

    void begin(std::string what) {  // a case, in words
        what_ = std::move(what);
        ++cases_;
    }

    // Calls the answer. What it throws fails the check.
    template <class F>
    auto call(F&& answer) -> decltype(answer()) {
        try {
            return answer();
        } catch (const CheckFailed&) {
            throw;
        } catch (const std::exception& error) {
            threw(error);
        }
    }

    void same(const Values& got, const Values& expected, const About& about = {});
    void same_count(std::size_t got, std::size_t expected, const std::string& of_what,
                    const std::string& words = {});
    void require(bool is_right, const std::string& what, const std::string& words = {});
    [[noreturn]] void fail(const std::string& what, const std::string& words = {});

    // Fails an answer that is right, but runs on one core.
    void require_threads();

    // Fails an answer that counts with an atomic in two steps, even if no count was lost in this
    // run.
    void require_single_steps();

    // Prints the line that a check ends in, and keeps the answer for later notebooks.
    void pass() { pass_with(std::to_string(cases_) + (cases_ == 1 ? " case" : " cases")); }
    void pass_with(const std::string& what);

private:
    void look_at_address(const void* function);
    [[noreturn]] void threw(const std::exception& error);
    [[noreturn]] void fail_as(std::string text);

    const ExerciseText& text_;
    std::string what_;
    AnswerText answer_;
    std::vector<const void*> functions_;
    int cases_ = 0;
};

// A check that is one case after another. words(one) describes a case; play(judge, one) calls the
// answer and compares.
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

// Failed checks of an exercise in this session, since the last that passed.
int& failures_of(const std::string& exercise);

// The functions that the last passed check of an exercise was given, in this session; a later check
// asks for them. A failed check removes them.
std::vector<const void*> passed_functions(const std::string& exercise);

// Fills memory with not-a-numbers and frees it: the result of an answer that never writes it then
// holds something else than 0.
void poison_memory(std::size_t bytes);

}  // namespace lanes::notebook
