#include "exercise.hpp"

#include "../common/needs.hpp"
#include "notebook/exercise/judge.hpp"

#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;

struct NetworkCase {
    int ranks;
    double bytes, latency, bandwidth;
};

std::string words(const NetworkCase& one) {
    return std::to_string(one.ranks) + (one.ranks == 1 ? " rank, " : " ranks, ") +
           to_text(one.bytes) + " bytes, latency " + to_text(one.latency) + " s, bandwidth " +
           to_text(one.bandwidth) + " bytes/s";
}

notebook::Values number(double value) { return {{1}, {value}}; }

}  // namespace

RingSeconds::RingSeconds()
    : Exercise(text_of<RingSeconds>(
          "ring_seconds",
          "Gives the time of a ring all-reduce in seconds. Each rank holds so many bytes. A "
          "message of n "
          "bytes takes latency + n / bandwidth seconds; in each of 2 (ranks - 1) steps all ranks "
          "send one message at the same time, with 1 / ranks of the bytes.",
          "two lines",
          "One step takes latency + bytes / ranks / bandwidth. How many steps are there?")) {}

void RingSeconds::check(Answer answer) const {
    const std::vector<NetworkCase> cases{{3, 900, 1, 10},     {4, 1e6, 2, 1e4}, {8, 4000, 0, 100},
                                         {64, 1e9, 0.5, 1e8}, {1, 5000, 3, 10}, {5, 0, 2, 10}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const NetworkCase& one) {
        const double p = one.ranks;
        const double part = one.bytes / p / one.bandwidth;
        const double right = 2 * (p - 1) * (one.latency + part);
        About about;
        about.tolerance = {1e-12, 1e-6};
        const auto add = [&](double gives, const char* text) {
            about.known.push_back({number(gives), text});
        };
        add((p - 1) * (one.latency + part),
            "This is the time of the first half. p - 1 more steps copy the finished parts.");
        add(2 * (p - 1) * (one.latency + one.bytes / one.bandwidth),
            "In each step a rank sends one part, bytes / ranks, not all of its bytes.");
        add(2 * p * (one.latency + part),
            "These are two steps too many: a part needs p - 1 steps to reach all p ranks.");
        add(one.latency + 2 * (p - 1) * part,
            "Each step is a message of its own: the latency counts in every step.");
        add(2 * (one.ranks - 1) / one.ranks * (one.latency + one.bytes / one.bandwidth),
            "2 * (ranks - 1) / ranks is a division of int, whose result is 1. And the latency "
            "counts "
            "in each of the 2 (ranks - 1) steps.");
        add(2 * (p - 1) * part, "The latency is missing: it counts in every step.");
        add(2 * (p - 1) * (one.latency + one.bytes / p * one.bandwidth),
            "A bandwidth is in bytes per second: divide the bytes by it.");
        add(p * 2 * (p - 1) * (one.latency + part),
            "All ranks send at the same time: the time does not grow with the messages of the "
            "others.");
        add(2 * ((p - 1) / p) * (one.latency + one.bytes / one.bandwidth),
            "The bytes are right, the latency is not: it counts in each of the 2 (p - 1) steps.");
        const double got =
            judge.call([&] { return answer(one.ranks, one.bytes, one.latency, one.bandwidth); });
        judge.same(number(got), number(right), about);
    });
}

}  // namespace lanes::exercises
