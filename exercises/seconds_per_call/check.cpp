#include "exercise.hpp"

#include "../common/needs.hpp"
#include "notebook/exercise/judge.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;

// How long each call takes by the check's own clock, round by round.
struct RoundsCase {
    std::string name;
    std::vector<std::vector<double>> rounds;
};

std::string words(const RoundsCase& one) { return one.name; }

notebook::Values number(double value) { return {{1}, {value}}; }

double sum(const std::vector<double>& calls) {
    return std::accumulate(calls.begin(), calls.end(), 0.0);
}

}  // namespace

SecondsPerCall::SecondsPerCall()
    : Exercise(text_of<SecondsPerCall>(
          "seconds_per_call",
          "Runs three rounds; each calls f() `calls` times. Gives the seconds per call of the "
          "fastest round. now() is the time in seconds, on any clock.",
          "eight lines",
          "In each round: const double start = now(); then the loop of calls; then now() - start. "
          "std::min keeps the smaller of two times.")) {}

void SecondsPerCall::check(Answer answer) const {
    const std::vector<RoundsCase> cases{
        {"the second round is fastest", {{5, 7}, {2, 3}, {4, 4}}},
        {"the first round is fastest", {{1, 2, 1, 2}, {3, 3, 3, 3}, {9, 1, 2, 2}}},
        {"the last round is fastest", {{6, 6, 9}, {5, 8, 8}, {4, 5, 6}}},
        {"one call per round", {{4}, {8}, {3}}}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const RoundsCase& one) {
        const int calls = static_cast<int>(one.rounds[0].size());
        std::vector<double> all, times;
        for (const auto& round : one.rounds) {
            all.insert(all.end(), round.begin(), round.end());
            times.push_back(sum(round));
        }
        double clock = 1000;  // a clock need not start at 0
        std::size_t called = 0;
        const double got = judge.call([&] {
            return answer(
                calls, [&] { clock += called < all.size() ? all[called] : 1, ++called; },
                [&] { return clock; });
        });
        judge.require(called != 0, "f was never called.", "f(); stands in the inner loop.");
        judge.same_count(
            called, all.size(), "calls of f",
            "Three rounds of " + std::to_string(calls) + (calls == 1 ? " call." : " calls."));
        const double best = *std::min_element(times.begin(), times.end());
        About about;
        about.tolerance = {1e-9, 1e-6};
        const auto add = [&](double gives, const char* text) {
            about.known.push_back({number(gives), text});
        };
        add(sum(times) / static_cast<double>(all.size()),
            "This is the mean of all rounds. A disturbance makes a round longer, never shorter: "
            "take the fastest round.");
        add(*std::max_element(times.begin(), times.end()) / calls, "This is the slowest round.");
        add(times.back() / calls, "This is the last round: keep the fastest of the three.");
        add(times.front() / calls, "This is the first round: keep the fastest of the three.");
        add(best, "This is the time of a whole round: divide it by the number of calls.");
        add(*std::min_element(all.begin(), all.end()),
            "This is the fastest single call. A call can be shorter than the clock can resolve: "
            "measure a whole round.");
        add(sum(times) / calls, "These are all three rounds together.");
        add(0, "This is 0: is the clock read before the loop of calls and again after it?");
        judge.same(number(got), number(best / calls), about);
    });
}

}  // namespace lanes::exercises
