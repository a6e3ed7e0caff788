#include "exercise.hpp"

#include "../common/needs.hpp"
#include "notebook/exercise/judge.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;

struct RoofCase {
    double intensity, peak, bandwidth;
};

std::string words(const RoofCase& one) {
    return to_text(one.intensity) + " operations per byte, peak " + to_text(one.peak) +
           " GFLOP/s, bandwidth " + to_text(one.bandwidth) + " GB/s";
}

notebook::Values number(double value) { return {{1}, {value}}; }

}  // namespace

Attainable::Attainable()
    : Exercise(text_of<Attainable>(
          "attainable",
          "Gives the highest rate, in GFLOP/s, that a program with this arithmetic intensity "
          "(operations per byte) can reach. peak is in GFLOP/s, bandwidth in GB/s.",
          "one line",
          "In one second `bandwidth` bytes arrive, enough for intensity * bandwidth operations; "
          "and no more than `peak` are executed.")) {}

void Attainable::check(Answer answer) const {
    const std::vector<RoofCase> cases{
        {0.25, 67000, 4800}, {8, 67000, 4800}, {32, 67000, 4800}, {10, 500, 50}, {0, 100, 10}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const RoofCase& one) {
        const double by_memory = one.intensity * one.bandwidth;
        About about;
        about.tolerance = {1e-9, 1e-6};
        const auto add = [&](double gives, const char* text) {
            about.known.push_back({number(gives), text});
        };
        if (by_memory < one.peak)
            add(one.peak,
                "This is the peak: with so few operations per byte, the memory is too slow for it. "
                "Both bounds hold, so the smaller one counts.");
        else
            add(by_memory,
                "This is above the peak, which no program exceeds. Both bounds hold, so the "
                "smaller one counts.");
        add(one.intensity > 0 ? std::min(one.peak, one.bandwidth / one.intensity) : one.peak,
            "More operations per byte permit a higher rate: multiply by the intensity.");
        add(std::min(one.peak, one.bandwidth), "The intensity is not used.");
        add(one.peak / one.bandwidth, "This is the ridge point, where both bounds are equal.");
        const double got =
            judge.call([&] { return answer(one.intensity, one.peak, one.bandwidth); });
        judge.same(number(got), number(std::min(one.peak, by_memory)), about);
    });
}

}  // namespace lanes::exercises
