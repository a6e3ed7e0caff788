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

// What all ranks hold after the call, and what they should hold.
struct Sums {
    std::vector<std::vector<float>> got;
    std::vector<float> expected;

    bool is_right(std::size_t rank, std::size_t i) const { return got[rank][i] == expected[i]; }

    std::size_t right(std::size_t rank) const {
        std::size_t number = 0;
        for (std::size_t i = 0; i < expected.size(); ++i) number += is_right(rank, i) ? 1 : 0;
        return number;
    }
    // The last elements are wrong on all ranks, all others are right.
    bool lacks_only(std::size_t last) const {
        const std::size_t first = expected.size() - last;
        for (std::size_t rank = 0; rank < got.size(); ++rank)
            for (std::size_t i = 0; i < expected.size(); ++i)
                if (is_right(rank, i) != (i < first)) return false;
        return true;
    }
    bool each_has_one_part() const {
        const std::size_t part = expected.size() / got.size();
        for (std::size_t rank = 0; rank < got.size(); ++rank)
            if (right(rank) < part || right(rank) > part + 1) return false;
        return part > 0 && got.size() > 1;
    }
    bool all_of(bool (*holds)(float, float)) const {
        for (const auto& values : got)
            if (!std::equal(values.begin(), values.end(), expected.begin(), holds)) return false;
        return true;
    }
};

std::string mistake_of(const Sums& sums) {
    const std::size_t p = sums.got.size();
    const std::size_t left_over = sums.expected.size() % p;
    if (left_over > 0 && sums.lacks_only(left_over))
        return "The last " + std::to_string(left_over) + " of " +
               std::to_string(sums.expected.size()) +
               " elements belong to no part: " + std::to_string(p) +
               " parts of n / p leave n % p over. Part k goes from n * k / p to n * (k + 1) / p.";
    if (sums.all_of([](float got, float right) { return got >= right; }))
        return "Some elements are too large. In the second half of the steps the part that arrives "
               "takes the place of the own one; it is not added.";
    if (sums.each_has_one_part())
        return "Each rank has the sum of one part only. The second half is missing: p - 1 more "
               "steps in which these parts go around the ring.";
    if (sums.all_of([](float got, float right) { return got <= right; }))
        return "In some elements values of ranks are missing. Are there p - 1 steps that add and p "
               "- 1 that copy? In each step, a rank passes on the part that it received in the "
               "step before.";
    return "";
}

void require_few_bytes(Judge& judge, const SumCase& one, const SimulatedRun& run) {
    const auto p = static_cast<std::size_t>(one.ranks);
    const std::size_t whole = one.count * sizeof(float);
    const std::size_t most = 2 * (p - 1) * ((one.count + p - 1) / p) * sizeof(float);
    if (run.most_bytes_sent() <= most) return;
    std::size_t who = 0;
    for (std::size_t rank = 0; rank < p; ++rank)
        if (run.ranks[rank].bytes_sent == run.most_bytes_sent()) who = rank;
    const auto least =
        std::min_element(run.ranks.begin(), run.ranks.end(),
                         [](const auto& a, const auto& b) { return a.bytes_sent < b.bytes_sent; });
    const bool is_central = least->bytes_sent <= 2 * whole && run.most_bytes_sent() > 2 * whole;
    judge.fail("the sum is right, but rank " + std::to_string(who) + " sends " +
                   std::to_string(run.most_bytes_sent()) + " bytes. On a ring, each rank sends " +
                   std::to_string(most) + " at most: 2 (p - 1) parts.",
               is_central ? "One rank collects everything and sends it to all others. Its "
                            "connection becomes the bottleneck: the more ranks, the slower."
                          : "Send one part per step, 1 / p of the values, not all of them.");
}

}  // namespace

RingAllReduce::RingAllReduce()
    : Exercise(text_of<RingAllReduce>(
          "ring_all_reduce",
          "Afterwards, the values of each rank are the sums over all ranks, element by element. "
          "The values are p parts; part k goes from n * k / p to n * (k + 1) / p. In p - 1 steps a "
          "rank sends one part to the right and adds the one that comes from the left; in p - 1 "
          "more steps the finished parts are passed on and copied.",
          "about eight lines",
          "In step s, counted from 0 to 2 p - 3, a rank sends part (rank - s) modulo p and "
          "receives part (rank - s - 1) modulo p. Add 2 p before %, so that no number is "
          "negative.")) {}

void RingAllReduce::check(Answer answer) const {
    const std::vector<SumCase> cases{{2, 8}, {4, 8}, {3, 10}, {5, 12}, {4, 3},
                                     {5, 1}, {4, 0}, {1, 6},  {2, 7}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const SumCase& one) {
        const std::vector<std::vector<float>> before = values_of_ranks(one);
        Sums sums{before, sum_of_ranks(one)};
        const SimulatedRun run = judge.call([&] {
            return simulate_ranks(one.ranks, [&](const Communicator& comm) {
                answer(comm, sums.got[static_cast<std::size_t>(comm.rank())]);
            });
        });
        require_count(judge, sums.got, one);
        const std::string mistake = mistake_of(sums);
        for (std::size_t rank = 0; rank < sums.got.size(); ++rank) {
            std::vector<float> mean = sums.expected;
            for (float& value : mean) value /= static_cast<float>(one.ranks);
            About about;
            about.what = "rank " + std::to_string(rank);
            about.words = mistake;
            about.known = {{as_values(before[rank]), "The values are as they were."},
                           {as_values(mean), "This is the mean. Asked for is the sum."}};
            judge.same(as_values(sums.got[rank]), as_values(sums.expected), about);
        }
        require_few_bytes(judge, one, run);
    });
}

}  // namespace lanes::exercises
