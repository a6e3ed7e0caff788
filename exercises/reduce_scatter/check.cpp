#include "exercise.hpp"

#include "../common/needs.hpp"
#include "../common/rank_sums.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;

// Part k goes from n * k / p to n * (k + 1) / p.
std::vector<float> part_of(const std::vector<float>& values, std::size_t part, std::size_t parts) {
    const std::size_t n = values.size();
    const auto at = [&](std::size_t k) {
        return values.begin() + static_cast<std::ptrdiff_t>(n * k / parts);
    };
    return {at(part), at(part + 1)};
}

std::string mistake_of(const std::vector<std::vector<float>>& before, std::size_t rank,
                       const std::vector<float>& after, const std::vector<float>& sum) {
    const std::size_t p = before.size();
    const std::size_t part = (rank + 1) % p;
    if (after == before[rank]) return "The values are as they were: nothing was added.";
    for (std::size_t other = 0; other < p; ++other)
        if (other != part && !part_of(sum, other, p).empty() &&
            part_of(after, other, p) == part_of(sum, other, p))
            return "Part " + std::to_string(other) +
                   " is complete here. In step 0 a rank sends the part of its own number; then "
                   "part rank + 1 is complete in the end.";
    for (std::size_t other = 0; other < p; ++other)
        if (other != rank && part_of(after, part, p) == part_of(before[other], part, p))
            return "These are the values of rank " + std::to_string(other) +
                   ": what arrives takes the place of what was there. In this half it is added.";
    return "The values of some ranks are missing. There are p - 1 steps, and in each of them a "
           "rank passes on what it has received and added in the step before: part r - step.";
}

}  // namespace

ReduceScatter::ReduceScatter()
    : Exercise(text_of<ReduceScatter>(
          "reduce_scatter",
          "The values are p parts; part k goes from n * k / p to n * (k + 1) / p. In p - 1 steps, "
          "counted from 0, rank r sends part r - step to the right and adds part r - step - 1, "
          "which comes from the left, to its own; both numbers are modulo p. Afterwards part r + 1 "
          "of rank r is the sum over all ranks.",
          "about seven lines",
          "(rank - step + p) % p is the part that is sent. Copy it into a vector, make another one "
          "of the size of the part that arrives, and call comm.exchange.")) {}

void ReduceScatter::check(Answer answer) const {
    const std::vector<SumCase> cases{{4, 8}, {2, 8}, {3, 10}, {5, 12}, {4, 3}, {4, 0}, {1, 6}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const SumCase& one) {
        const auto p = static_cast<std::size_t>(one.ranks);
        const std::vector<std::vector<float>> before = values_of_ranks(one);
        std::vector<std::vector<float>> got = before;
        const SimulatedRun run =
            play_ranks(judge, one.ranks,
                       "All ranks send and receive in each step: use comm.exchange(out, right, in, "
                       "left), and let every rank make the same number of steps.",
                       [&](const Communicator& comm) {
                           answer(comm, got[static_cast<std::size_t>(comm.rank())]);
                       });
        require_count(judge, got, one);
        const std::vector<float> sum = sum_of_ranks(one);
        for (std::size_t rank = 0; rank < p; ++rank) {
            const std::size_t part = (rank + 1) % p;
            About about;
            about.what = "part " + std::to_string(part) + " on rank " + std::to_string(rank);
            about.words = mistake_of(before, rank, got[rank], sum);
            judge.same(as_values(part_of(got[rank], part, p)), as_values(part_of(sum, part, p)),
                       about);
        }
        const std::size_t most = (p - 1) * ((one.count + p - 1) / p) * sizeof(float);
        judge.require(run.most_bytes_sent() <= most,
                      "the sums are right, but a rank sends " +
                          std::to_string(run.most_bytes_sent()) + " bytes. p - 1 parts have " +
                          std::to_string(most) + " at most.",
                      "Send one part per step, 1 / p of the values. The finished parts are not "
                      "passed on here: that is the second half.");
    });
}

}  // namespace lanes::exercises
