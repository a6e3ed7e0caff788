// num_workers: called with several values of the variable, in a process of its own.
#include "exercise.hpp"

#include "../common/needs.hpp"
#include "lanes/base/workers.hpp"
#include "notebook/exercise/isolated_check.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace lanes::exercises {

namespace {

using notebook::IsolatedCheck;

constexpr const char* variable = "SLURM_CPUS_PER_TASK";

void with_value(IsolatedCheck& check, NumWorkers::Answer answer, const char* value) {
    const int cores = num_cores();
    const int expected = std::max(2, value != nullptr ? std::atoi(value) : cores);
    if (value != nullptr)
        setenv(variable, value, 1);
    else
        unsetenv(variable);
    check.step("num_workers()", "It never returns.",
               value == nullptr ? "std::getenv returns nullptr if the variable is not set: compare "
                                  "before you use it."
                                : "std::atoi or std::stoi turns the text into a number.");
    const int got = answer();
    std::string words;
    if (value != nullptr && got == std::max(2, cores))
        words = "This is the number of cores: the variable says how many of them are yours.";
    else if (got == 1)
        words = "A single worker runs nothing in parallel: at least 2, std::max(2, ...).";
    else if (value != nullptr && value[0] != '\0' && got == value[0] - '0')
        words = "This is the first digit: the value is a text, std::atoi makes a number of it.";
    else if (got == 0)
        words = "Without the variable, take lanes::num_cores().";
    check.require(
        got == expected,
        "it gives " + std::to_string(got) + ", expected " + std::to_string(expected) +
            (value == nullptr ? " (there are " + std::to_string(cores) + " cores)." : "."),
        words);
}

}  // namespace

NumWorkers::NumWorkers()
    : Exercise(text_of<NumWorkers>(
          "num_workers",
          "Gives the value of the variable SLURM_CPUS_PER_TASK if it is set, otherwise "
          "lanes::num_cores(); but at least 2.",
          "three lines",
          "std::getenv(\"SLURM_CPUS_PER_TASK\") is a text, or nullptr if the variable is not set; "
          "std::atoi makes a number of a text.")) {}

void NumWorkers::check(Answer answer) const {
    notebook::Judge judge(text());
    judge.look_at(answer);
    for (const char* value : {"6", "64", "1", "2", static_cast<const char*>(nullptr)}) {
        judge.begin(value != nullptr ? std::string(variable) + " is " + value
                                     : std::string(variable) + " is not set");
        notebook::run_isolated(
            judge, [&](IsolatedCheck& isolated) { with_value(isolated, answer, value); });
    }
    judge.pass();
}

}  // namespace lanes::exercises
