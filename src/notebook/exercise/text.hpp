// The words of an exercise, apart from those of its check.
#pragma once

#include <string>
#include <vector>

namespace lanes::notebook {

struct ExerciseText {
    std::string name;       // as the function is called
    std::string signature;  // its first line
    std::string task;
    std::string size_hint;
    std::string hint;  // shown from the second failed check on
    // An answer may use no function of the library but `allowed`, and of other libraries none that
    // is `forbidden` (the task is to write it) or `never_allowed` (no task needs it). A name that
    // ends in :: or * stands for all that begin so.
    std::vector<std::string> allowed{};
    std::vector<std::string> forbidden{};
    std::vector<std::string> never_allowed{};
};

}  // namespace lanes::notebook
