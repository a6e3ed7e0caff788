#include "exercise.hpp"

#include "../common/needs.hpp"
#include "notebook/exercise/judge.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;

struct TreeCase {
    int ranks;
    double bytes, latency, bandwidth;
};

std::string words(const TreeCase& one) {
    return std::to_string(one.ranks) + (one.ranks == 1 ? " rank, " : " ranks, ") +
           to_text(one.bytes) + " bytes, latency " + to_text(one.latency) + " s, bandwidth " +
           to_text(one.bandwidth) + " bytes/s";
}

notebook::Values number(double value) { return {{1}, {value}}; }

int steps_of(int ranks) {
    int steps = 0;
    for (int reached = 1; reached < ranks; reached *= 2) ++steps;
    return steps;
}

}  // namespace

TreeSeconds::TreeSeconds()
    : Exercise(text_of<TreeSeconds>(
          "tree_seconds",
          "Gives the time in seconds of an all-reduce whose sums hold the values of twice as many "
          "ranks after each step. In each step all ranks exchange their whole arrays at the same "
          "time; a message of n bytes takes latency + n / bandwidth seconds.",
          "three lines",
          "Count the steps: how often must 1 be doubled until it is at least `ranks`?")) {}

void TreeSeconds::check(Answer answer) const {
    const std::vector<TreeCase> cases{{6, 900, 1, 10},   {3, 500, 2, 10},     {4, 1e6, 2, 1e4},
                                      {8, 4000, 0, 100}, {64, 1e9, 0.5, 1e8}, {1, 5000, 3, 10},
                                      {9, 100, 2, 10}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const TreeCase& one) {
        const double step = one.latency + one.bytes / one.bandwidth;
        const int steps = steps_of(one.ranks);
        About about;
        about.tolerance = {1e-12, 1e-6};
        const auto add = [&](double gives, const char* text) {
            about.known.push_back({number(gives), text});
        };
        add(std::log2(one.ranks) * step,
            "The number of steps is a whole one: between two powers of 2, one more step is needed. "
            "Round log2(ranks) up, or count in a loop.");
        add(std::floor(std::log2(one.ranks)) * step,
            "The number of steps is rounded down. 3 ranks need two steps.");
        add((steps + 1) * step,
            "This is one step too many. After k steps a sum holds the values of 2^k ranks; with 1 "
            "rank there is no step.");
        add(2 * steps * step,
            "These are twice as many steps. All ranks exchange in each step, so all have the sum "
            "in "
            "the end: nothing is sent back.");
        add((one.ranks - 1) * step,
            "These are p - 1 steps. The number of ranks in a sum doubles in each step.");
        add(steps * (one.latency + one.bytes / one.ranks / one.bandwidth),
            "Here each message has the whole array: it is not divided into parts.");
        add(steps * (one.latency + one.bytes / one.bandwidth / 2),
            "Here each message has the whole array: it is not halved.");
        add(one.latency + steps * one.bytes / one.bandwidth,
            "Each step is a message of its own: the latency counts in every step.");
        add(steps * one.latency + one.bytes / one.bandwidth,
            "The bytes are sent again in each step: they count in every step, too.");
        add(steps * one.bytes / one.bandwidth, "The latency is missing: it counts in every step.");
        add(step, "This is the time of one step.");
        const double got =
            judge.call([&] { return answer(one.ranks, one.bytes, one.latency, one.bandwidth); });
        judge.same(number(got), number(steps * step), about);
    });
}

}  // namespace lanes::exercises
