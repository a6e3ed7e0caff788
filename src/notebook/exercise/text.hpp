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
    // What an answer may not use: functions of the library's own rooms, but for `allowed`, and the
    // names in `forbidden`. A name that ends in :: or * stands for all that begin so.
    std::vector<std::string> allowed, forbidden;
};

}  // namespace lanes::notebook
