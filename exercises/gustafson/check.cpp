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

Gustafson::Gustafson()
    : Exercise(text_of<Gustafson>(
          "gustafson",
          "All ranks together take one unit of time. For the share `serial` of it, from 0 to 1, "
          "one rank works "
          "alone; in the rest all ranks work. Gives the speed-up: the time that one rank would "
          "need "
          "for all of this work.",
          "one line",
          "Alone, a rank needs the serial share once, and the rest once for each of the ranks.")) {}

void Gustafson::check(Answer answer) const {
    const std::vector<ShareCase> cases{{0.1, 4}, {0.25, 16},   {0, 8},
                                       {1, 8},   {0.05, 1000}, {0.3, 1}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const ShareCase& one) {
        const double s = one.serial;
        const double p = one.ranks;
        const double right = s + (1 - s) * p;
        About about;
        about.tolerance = {1e-12, 1e-6};
        const auto add = [&](double gives, const char* text) {
            about.known.push_back({number(gives), text});
        };
        add(1 / (s + (1 - s) / p),
            "This is Amdahl's law, for a fixed amount of work. Here the work grows with the "
            "ranks.");
        add(s * p + 1 - s, "Here the serial share is what all ranks do. It is the other part.");
        add(right / p, "This is the efficiency: the speed-up divided by the number of ranks.");
        add((1 - s) * p, "The serial part is missing: one rank alone has to do it, too.");
        add(1 + (1 - s) * p, "The serial part takes `serial`, not the whole time.");
        add(p, "During the serial part only one rank works.");
        const double got = judge.call([&] { return answer(one.serial, one.ranks); });
        judge.same(number(got), number(right), about);
    });
}

}  // namespace lanes::exercises
