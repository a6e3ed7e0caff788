// Lesson 01b: a whole CUDA program, as the text of a %%cuda cell.
#pragma once

#include "lanes/notebook/exercise.hpp"

#include <string>

namespace lanes::exercises {

class Saxpy : public Exercise {
public:
    static constexpr const char* first_line = "%%cuda saxpy";
    Saxpy();
    // Runs the program on the simulator, with several arguments.
    void check(const std::string& source) const;
};
inline Saxpy saxpy() { return {}; }

}  // namespace lanes::exercises
