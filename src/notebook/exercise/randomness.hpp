// For answers that must draw from the rng that they are given: equal seeds give equal results,
// other seeds other results.
#pragma once

#include "judge.hpp"

#include "lanes/base/rng.hpp"

#include <string>

namespace lanes::notebook {

// What the answer does, as sentences need it: "two calls add different noise", "a call adds the
// same noise".
struct RandomnessWords {
    std::string plural, singular, what;
};

// draw(rng) is one call of the answer. Returns the result for Rng(7).
template <class Draw>
auto judge_randomness(Judge& judge, const RandomnessWords& words, Draw&& draw) {
    Rng first(7), again(7), other(8);
    auto a = draw(first);
    const auto b = draw(again), c = draw(other), d = draw(first);
    judge.require(a == b,
                  "two calls with Rng(7) " + words.plural + " different " + words.what + ".",
                  "Draw from the rng that is given: then a seed makes a run repeatable.");
    judge.require(a != c, "Rng(7) and Rng(8) " + words.plural + " the same " + words.what + ".",
                  "Draw from the rng that is given, not from one of your own.");
    judge.require(
        a != d,
        "a second call with the same rng " + words.singular + " the same " + words.what + " again.",
        "Draw from the rng that is given itself, not from a copy of it.");
    return a;
}

}  // namespace lanes::notebook
