#include "exercise.hpp"

#include "../common/needs.hpp"
#include "notebook/exercise/judge.hpp"

#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;

struct TimesCase {
    double before;
    double after;
    double k;
};

std::string words(const TimesCase& one) {
    return "before " + to_text(one.before) + ", after " + to_text(one.after) +
           ", k = " + to_text(one.k);
}

notebook::Values number(double value) { return {{1}, {value}}; }

}  // namespace

AmdahlShare::AmdahlShare()
    : Exercise(text_of<AmdahlShare>(
          "amdahl_share",
          "A program takes `before` seconds. A part of it is then computed k times as fast, and "
          "the whole takes `after` seconds. Gives the share of the time before that this part "
          "took, from 0 to 1.",
          "one line",
          "With f for the share: after = before * (1 - f) + before * f / k. Solve this for f.")) {}

void AmdahlShare::check(Answer answer) const {
    const std::vector<TimesCase> cases{
        {200, 110, 10}, {100, 50, 2}, {80, 80, 5}, {60, 30, 4}, {450, 150, 50}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const TimesCase& one) {
        const double share = (1 - one.after / one.before) / (1 - 1 / one.k);
        About about;
        about.tolerance = {1e-9, 1e-6};
        const auto add = [&](double gives, const char* text) {
            about.known.push_back({number(gives), text});
        };
        add(1 - one.after / one.before,
            "This is the time that was saved. The part still takes 1/k of its time: with f for the "
            "share, f - f / k was saved.");
        add(1 - share, "This is the share of the part that was not made faster.");
        add(share * one.before, "These are seconds. Divide by the time before.");
        add(share * 100, "This is in percent. The share is from 0 to 1.");
        add(one.before / one.after, "This is the speed-up of the whole program.");
        add(share * one.before / one.k / one.after, "This is the share of the time after.");
        const double got = judge.call([&] { return answer(one.before, one.after, one.k); });
        judge.same(number(got), number(share), about);
    });
}

}  // namespace lanes::exercises
