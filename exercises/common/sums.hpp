// Sums of lesson 00: cases whose sum shows in which order, and in which type, it was computed.
#pragma once

#include "notebook/exercise/judge.hpp"

#include <string>
#include <vector>

namespace lanes::exercises::sums_check {

struct SumCase {
    std::string name;
    std::vector<float> numbers;
    // A large number and its negative are among them, in the same one of four totals: all that is
    // added to that total between them gets lost.
    bool in_four_totals = false;
};

std::string words(const SumCase& one);

// No number, fewer than four, no multiple of four, a million, and one with in_four_totals.
std::vector<SumCase> cases();

// The same numbers; what follows them in memory changes any sum that uses it.
std::vector<float> with_wall(const std::vector<float>& numbers);

enum class Totals { any, four };

// any: without the case with in_four_totals, every order is right.
void compare(notebook::Judge& judge, double got, const SumCase& one, Totals totals);

}  // namespace lanes::exercises::sums_check
