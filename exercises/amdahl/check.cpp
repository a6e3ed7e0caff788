#include "exercise.hpp"

#include "../common/needs.hpp"
#include "notebook/exercise/judge.hpp"

#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;

struct ShareCase {
    double serial;
    int ranks;
};

std::string words(const ShareCase& one) {
    return "a serial share of " + to_text(one.serial) + ", " + std::to_string(one.ranks) +
           (one.ranks == 1 ? " rank" : " ranks");
}

notebook::Values number(double value) { return {{1}, {value}}; }

}  // namespace

Amdahl::Amdahl()
    : Exercise(text_of<Amdahl>(
          "amdahl",
          "The share `serial` of a program's time on one rank, from 0 to 1, cannot be divided; the "
          "rest "
          "is divided evenly among the ranks. Gives the speed-up: time on one rank divided by the "
          "time on all of them.",
          "one line",
          "If the time on one rank is 1, the serial part takes `serial` on any number of ranks, "
          "and the rest "
          "(1 - serial) / ranks.")) {}

void Amdahl::check(Answer answer) const {
    const std::vector<ShareCase> cases{{0.1, 4}, {0.25, 16},   {0, 8},
                                       {1, 8},   {0.05, 1000}, {0.3, 1}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const ShareCase& one) {
        const double s = one.serial;
        const double p = one.ranks;
        const double right = 1 / (s + (1 - s) / p);
        About about;
        about.tolerance = {1e-12, 1e-6};
        const auto add = [&](double gives, const char* text) {
            about.known.push_back({number(gives), text});
        };
        add(1 / right, "This is the time on all ranks. Asked for is the speed-up, 1 / time.");
        add(1 / (1 - s + s / p),
            "Here the serial share is divided among the ranks: it is the other part that is.");
        add(s + (1 - s) * p,
            "This is Gustafson's law, for work that grows with the ranks. Here the work stays as "
            "it "
            "is.");
        add(right / p, "This is the efficiency: the speed-up divided by the number of ranks.");
        add(p, "The serial part does not become faster.");
        add(1 / s, "This is the limit for infinitely many ranks.");
        const double got = judge.call([&] { return answer(one.serial, one.ranks); });
        judge.same(number(got), number(right), about);
    });
}

}  // namespace lanes::exercises
